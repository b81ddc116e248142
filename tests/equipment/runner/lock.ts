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
 * What is wrong with the text of a package-lock.json, in words: an optional dependency without an entry makes `npm ci` fail everywhere (npm writes
 * such a lock before a package for another platform is published); an address ties it to one registry; a version range, or a package without SHA-512,
 * may be another package tomorrow.
 */
export function lockProblems(text: string): readonly string[] {
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
        .map(([name, version]) => `${name}, which ${path || 'the root'} depends on, is requested as ${version}: name one version`),
    );
  const unhashed = Object.entries(packages)
    .filter(([path, { version, integrity, link, inBundle }]) => {
      const isPackage = path.includes('node_modules/') && version !== undefined && !link && !inBundle;
      return isPackage && !integrity?.startsWith('sha512-');
    })
    .map(([path]) => `${path} has no SHA-512`);
  return [
    ...missing,
    ...ranges,
    ...unhashed,
    ...(addresses
      ? [`${addresses} packages are tied to the address they came from (npm install with omit-lockfile-registry-resolved)`]
      : []),
  ];
}

/** Where Node looks for `name` from `path`: beside it, then further up. */
function places(path: string, name: string): readonly string[] {
  const here = `${path ? `${path}/` : ''}node_modules/${name}`;
  const up = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
  return path === '' ? [here] : [here, ...places(up, name)];
}
