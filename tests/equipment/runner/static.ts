import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ProgramResult, runNode } from './child.ts';
import { installProblems } from './installed.ts';
import { lockProblems } from './lock.ts';

/** One check of the files as they are: why it failed, or undefined when it passed. */
export interface StaticCheck {
  readonly name: string;
  check(root: string, signal: AbortSignal): Promise<string | undefined>;
}

/** The cache makes the check of unchanged files ten times as fast. */
const prettier = ['prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '--cache', '--cache-strategy', 'content', '.'] as const;

/** With room for young objects, and a heap that may grow further, the programs collect garbage less often: a fifth less processor time. */
const roomForObjects = { nodeFlags: ['--max-semi-space-size=32'], env: { GOGC: '400' } } as const;

/** All checks, the quickest first. Each makes sure that it saw any files at all. */
export const staticChecks: readonly StaticCheck[] = [
  {
    name: 'packages',
    check: async (root) => {
      const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
      const installed = readFileSync(join(root, 'node_modules/.package-lock.json'), 'utf8');
      return [...lockProblems(lock), ...installProblems(lock, installed)].join('\n') || undefined;
    },
  },
  { name: 'types and lint', check: async (root, signal) => lintProblem(await runLint(root, signal)) },
  { name: 'format', check: async (root, signal) => problemOf(await run(root, signal, ...prettier)) },
];

/** Checks the files below `folder`: the linter knows all types, and so reports what the compiler would. */
export const runLint = (folder: string, signal: AbortSignal): Promise<ProgramResult> =>
  run(folder, signal, 'oxlint/bin/oxlint', '--type-aware', '--type-check', '--deny-warnings');

function run(root: string, signal: AbortSignal, program: string, ...args: readonly string[]): Promise<ProgramResult> {
  const { nodeFlags, env } = roomForObjects;
  return runNode([...nodeFlags, join(root, 'node_modules', program), ...args], { cwd: root, env, signal, isBackground: true });
}

/** Prettier itself fails when no file matches. */
function problemOf({ code, output }: ProgramResult): string | undefined {
  return code === 0 ? undefined : output || `exit code ${code}`;
}

/** oxlint ends with "Finished in 247ms on 12 files with 160 rules using 2 threads." */
export function lintProblem(result: ProgramResult): string | undefined {
  const files = Number(/ on (\d+) files? /.exec(result.output)?.[1] ?? 0);
  return problemOf(result) ?? (files > 0 ? undefined : `it looked at no files:\n${result.output}`);
}
