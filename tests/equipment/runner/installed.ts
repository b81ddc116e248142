import { z } from 'zod';

const entry = z.object({
  version: z.string().optional(),
  integrity: z.string().optional(),
  link: z.boolean().optional(),
  optional: z.boolean().optional(),
});
const Lock = z.object({ packages: z.record(z.string(), entry) });

/**
 * How the installed packages differ from package-lock.json, in words. `installed` is the text of node_modules/.package-lock.json, which npm writes.
 * An optional package may be missing: it may be for another platform.
 */
export function installProblems(lock: string, installed: string): readonly string[] {
  const wanted = Lock.parse(JSON.parse(lock)).packages;
  const present = Lock.parse(JSON.parse(installed)).packages;
  const problems = Object.entries(wanted).flatMap(([path, each]) => {
    const found = present[path];
    if (!path.includes('node_modules/') || each.link) return [];
    if (found === undefined) return each.optional ? [] : [`${path} is not installed`];
    const isSame = found.version === each.version && found.integrity === each.integrity;
    return isSame ? [] : [`${path} is installed as ${found.version}, and the lock file has ${each.version}`];
  });
  const extra = Object.keys(present).filter((path) => !(path in wanted));
  return [...problems, ...extra.map((path) => `${path} is installed, and the lock file does not have it`)].map(
    (line) => `${line}; remove node_modules and start again`,
  );
}
