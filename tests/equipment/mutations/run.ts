import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNode } from '../runner/child.ts';
import { root } from '../source/repository.ts';
import { applied, type Mutant } from './mutant.ts';
import { importersOf, specsReaching } from './reach.ts';

/** What became of a mutant. `killedBy`: the first suite that failed; null when none did. */
export interface Verdict {
  readonly place: string;
  readonly killedBy: string | null;
  readonly suitesRun: number;
}

/** Suites are run nearest first, in groups of this many, until one fails; at most 40 in all. */
const groups = [4, 12, 24];

/**
 * Runs each mutant against the unit specs that reach its file, one after another, in the working tree: each file is restored afterwards.
 * Verdicts are written to `resultFile` as they come, and those that are there already are not sought again.
 */
export async function runMutants(mutants: readonly Mutant[], resultFile: string, report: (line: string) => void, signal: AbortSignal) {
  const verdicts: Record<string, Verdict> = existsSync(resultFile) ? JSON.parse(readFileSync(resultFile, 'utf8')) : {};
  const importers = importersOf();
  for (const mutant of mutants) {
    if (verdicts[mutant.id] || signal.aborted) continue;
    const verdict = await verdictOn(mutant, specsReaching(mutant.file, importers), signal);
    if (signal.aborted) break;
    if (verdict) verdicts[mutant.id] = verdict;
    writeFileSync(resultFile, `${JSON.stringify(verdicts, null, 2)}\n`);
    report(
      `${mutant.id} ${mutant.file}:${mutant.line} ${mutant.kind}: ${verdict ? (verdict.killedBy ?? 'SURVIVED') : 'its place is gone'}`,
    );
  }
  return verdicts;
}

async function verdictOn(mutant: Mutant, specs: readonly string[], signal: AbortSignal): Promise<Verdict | undefined> {
  const path = join(root, mutant.file);
  const text = readFileSync(path, 'utf8');
  const mutated = applied(mutant, text);
  if (mutated === undefined) return undefined;
  writeFileSync(path, mutated);
  try {
    const place = `${mutant.file}:${mutant.line}`;
    let suitesRun = 0;
    for (const size of groups) {
      const group = specs.slice(suitesRun, suitesRun + size);
      if (!group.length) break;
      suitesRun += group.length;
      const killedBy = await failingSuite(group, signal);
      if (killedBy !== undefined) return { place, killedBy, suitesRun };
    }
    return { place, killedBy: null, suitesRun };
  } finally {
    writeFileSync(path, text);
  }
}

async function failingSuite(specs: readonly string[], signal: AbortSignal): Promise<string | undefined> {
  const jest = ['--experimental-vm-modules', '--no-warnings', join(root, 'node_modules/jest/bin/jest.js')];
  const { code, output } = await runNode(
    [...jest, '-i', '--bail', '--ci', '--testTimeout=60000', '--forceExit', '--runTestsByPath', ...specs],
    {
      cwd: root,
      signal: AbortSignal.any([signal, AbortSignal.timeout(600_000)]),
    },
  );
  return code === 0 ? undefined : (/FAIL (\S+)/.exec(output)?.[1] ?? `exit code ${code}`);
}
