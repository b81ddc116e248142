import { existsSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { runNode } from './child.ts';
import { countReport } from './jest-report.ts';
import { oneFailed, noTests, type Outcome, sum } from './tally.ts';

export interface JestRun {
  readonly root: string;
  /** The suites to run, as absolute paths. */
  readonly specs: readonly string[];
  readonly workers: number;
  readonly name?: string;
  readonly env?: Record<string, string>;
  readonly signal: AbortSignal;
}

/** A run may take this long; then it hangs. */
const longestMs = 40 * 60_000;
/** Jest has this long to end once its report is written; otherwise something was left open. */
const leavingMs = 20_000;

/** Runs suites with Jest, its output going to ours, and counts what came of them. */
export async function runJest({ root, specs, workers, name, env, signal }: JestRun): Promise<Outcome> {
  if (!specs.length) return noTests;
  const folder = await mkdtemp(join(tmpdir(), 'maw-jest-'));
  const report = join(folder, 'report.json');
  const watched = watch(report, signal);
  try {
    const args = ['--ci', '--json', `--outputFile=${report}`, ...(workers === 1 ? ['-i'] : ['-w', `${workers}`])];
    const node = ['--experimental-vm-modules', '--no-warnings', join(root, 'node_modules/jest/bin/jest.js')];
    const all = [...node, ...args, ...(name === undefined ? [] : ['-t', name]), '--runTestsByPath', ...specs];
    const { code } = await runNode(all, { cwd: root, show: true, signal: watched.signal, ...(env && { env }) });
    if (signal.aborted) return noTests;
    if (!existsSync(report)) return oneFailed(`Jest ended with exit code ${code} and without a report${watched.why()}`);
    const counted = countReport(readFileSync(report, 'utf8'), specs, watched.why() ? 0 : code, (path) => relative(root, path));
    return watched.why() ? sum([counted, oneFailed(`Jest${watched.why()}`)]) : counted;
  } finally {
    watched.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Aborts when we are told to, when Jest hangs, and when it does not leave. */
function watch(report: string, signal: AbortSignal): { signal: AbortSignal; why(): string; end(): void } {
  const ours = new AbortController();
  const began = Date.now();
  let why = '';
  let written: number | undefined;
  const timer = setInterval(() => {
    if (written === undefined && existsSync(report)) written = Date.now();
    if (written !== undefined && Date.now() - written > leavingMs)
      why = ' did not end after its last test: a suite has left something open';
    else if (Date.now() - began > longestMs) why = ` did not end within ${longestMs / 60_000} minutes`;
    if (why) ours.abort();
  }, 250);
  return { signal: AbortSignal.any([signal, ours.signal]), why: () => why, end: () => clearInterval(timer) };
}
