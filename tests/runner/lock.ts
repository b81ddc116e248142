import { z } from 'zod';

const Lock = z.object({ packages: z.record(z.string(), z.object({ optionalDependencies: z.record(z.string(), z.string()).optional() })) });

/**
 * What is wrong with the text of a package-lock.json, in words. An optional dependency without an entry of its own makes `npm ci` refuse
 * everywhere (npm writes such a lock when a package for another platform is not out yet); an address ties it to one registry.
 */
export function lockFaults(text: string): readonly string[] {
  const { packages } = Lock.parse(JSON.parse(text));
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !places(path, name).some((place) => place in packages))
      .map((name) => `${name}, an optional dependency of ${path || 'the root'}, has no entry`),
  );
  const addresses = text.match(/"resolved":\s*"https?:/g)?.length ?? 0;
  return [
    ...missing,
    ...(addresses
      ? [`${addresses} packages are tied to the address they came from (npm install with omit-lockfile-registry-resolved)`]
      : []),
  ];
}

/** Where Node would look for `name` from `path`: beside it, then ever further up. */
function places(path: string, name: string): readonly string[] {
  const here = `${path ? `${path}/` : ''}node_modules/${name}`;
  const up = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
  return path === '' ? [here] : [here, ...places(up, name)];
}
