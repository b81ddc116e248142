import { z } from 'zod';

const named = z.record(z.string(), z.string()).optional();
const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      optionalDependencies: named,
      dependencies: named,
      devDependencies: named,
      version: z.string().optional(),
      integrity: z.string().optional(),
      link: z.boolean().optional(),
      inBundle: z.boolean().optional(),
    }),
  ),
});

/**
 * What is wrong with the text of a package-lock.json, in words. An optional dependency without an entry of its own makes `npm ci` refuse
 * everywhere (npm writes such a lock when a package for another platform is not out yet); an address ties it to one registry; what we ask for
 * by a range, or what has no SHA-512 of its content, could be another package tomorrow.
 */
export function lockFaults(text: string): readonly string[] {
  const { packages } = Lock.parse(JSON.parse(text));
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !places(path, name).some((place) => place in packages))
      .map((name) => `${name}, an optional dependency of ${path || 'the root'}, has no entry`),
  );
  const addresses = text.match(/"resolved":\s*"https?:/g)?.length ?? 0;
  const ranges = Object.entries(packages)
    .filter(([path]) => !path.includes('node_modules/'))
    .flatMap(([path, own]) =>
      Object.entries({ ...own.dependencies, ...own.devDependencies, ...own.optionalDependencies })
        .filter(([name, version]) => !name.startsWith('@maw/') && !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
        .map(([name, version]) => `${name}, which ${path || 'the root'} depends on, is asked for as ${version}: name one version`),
    );
  const unsealed = Object.entries(packages)
    .filter(([path, { version, integrity, link, inBundle }]) => {
      const isPackage = path.includes('node_modules/') && version !== undefined && !link && !inBundle;
      return isPackage && !integrity?.startsWith('sha512-');
    })
    .map(([path]) => `${path} has no SHA-512 of its content`);
  return [
    ...missing,
    ...ranges,
    ...unsealed,
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
