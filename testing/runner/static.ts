import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ProgramResult, runNode } from './child.ts';
import { lockFaults } from './lock.ts';

/** One check of the files as they stand: why it failed, or undefined when it held. */
export interface StaticCheck {
  readonly name: string;
  check(root: string, signal: AbortSignal): Promise<string | undefined>;
}

/** The checks, in their order. Each makes sure that it saw any files at all. */
export const staticChecks: readonly StaticCheck[] = [
  {
    name: 'format',
    check: async (root, signal) => complaint(await run(root, signal, 'prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.')),
  },
  {
    name: 'lint',
    check: async (root, signal) => lintProblem(await run(root, signal, 'oxlint/bin/oxlint', '--type-aware', '--deny-warnings')),
  },
  {
    name: 'types',
    check: async (root, signal) => typesProblem(await run(root, signal, 'typescript/bin/tsc', '--noEmit', '--listFiles'), root),
  },
  { name: 'lock', check: async (root) => lockFaults(readFileSync(join(root, 'package-lock.json'), 'utf8')).join('\n') || undefined },
];

function run(root: string, signal: AbortSignal, program: string, ...args: readonly string[]): Promise<ProgramResult> {
  return runNode([join(root, 'node_modules', program), ...args], { cwd: root, signal });
}

/** Prettier itself fails when nothing matches. */
function complaint({ code, said }: ProgramResult): string | undefined {
  return code === 0 ? undefined : said || `exit code ${code}`;
}

/** oxlint ends with "Finished in 247ms on 12 files with 160 rules using 2 threads." */
export function lintProblem(ended: ProgramResult): string | undefined {
  const files = Number(/ on (\d+) files? /.exec(ended.said)?.[1] ?? 0);
  return complaint(ended) ?? (files > 0 ? undefined : `it looked at no files:\n${ended.said}`);
}

/** With --listFiles tsc names each file it read on a line of its own. */
export function typesProblem(ended: ProgramResult, root: string): string | undefined {
  const lines = ended.said.split('\n');
  const listed = lines.filter((line) => line.startsWith('/'));
  const ours = listed.filter((path) => path.startsWith(`${root}/`) && !path.includes('/node_modules/'));
  const rest = {
    ...ended,
    said: lines
      .filter((line) => !listed.includes(line))
      .join('\n')
      .trim(),
  };
  return complaint(rest) ?? (ours.length > 0 ? undefined : 'it looked at no files of ours');
}
