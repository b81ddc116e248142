import { existsSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { runNode } from '../child.ts';
import { countReport } from './report.ts';
import type { Progress, SuiteEvent } from '../progress.ts';
import { noTests, oneFailed, type Outcome, sum } from '../tally.ts';

export interface JestRun {
  readonly root: string;
  /** For the progress line. */
  readonly title: string;
  /** The suites to run, as absolute paths. */
  readonly specs: readonly string[];
  readonly workers: number;
  readonly name?: string;
  readonly env?: Record<string, string>;
  /** Whether other programs come first where processor time is short. */
  readonly isBackground?: boolean;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** A run that takes longer hangs. */
const longestMs = 40 * 60_000;
/** Jest must exit so soon after its report is written; otherwise a suite has left something open. */
const exitMs = 20_000;

/** Runs suites with Jest and counts their tests. Shows on `progress` what runs, and each failure as it happens. */
export async function runJest(run: JestRun): Promise<Outcome> {
  const { root, specs, env, isBackground = false, progress, signal } = run;
  if (!specs.length) return noTests;
  const folder = await mkdtemp(join(tmpdir(), 'maw-jest-'));
  const report = join(folder, 'report.json');
  const watchdog = watchReport(report, signal);
  const stage = progress.addStage(run.title, specs.length);
  try {
    const { code } = await runNode(jestArguments(run, report), {
      cwd: root,
      signal: watchdog.signal,
      isBackground,
      onLine: (line) => {
        if (line && !line.startsWith('Test results written to:')) progress.print(line);
      },
      onEvent: (line) => {
        const event = JSON.parse(line) as SuiteEvent;
        progress.onSuite(stage, event, relative(root, event.path));
      },
      ...(env && { env }),
    });
    if (signal.aborted) return noTests;
    const problem = watchdog.problem();
    if (!existsSync(report)) return oneFailed(`Jest ended with exit code ${code} and without a report${problem}`);
    const counted = countReport(readFileSync(report, 'utf8'), specs, problem ? 0 : code, (path) => relative(root, path));
    return problem ? sum([counted, oneFailed(`Jest${problem}`)]) : counted;
  } finally {
    watchdog.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function jestArguments({ root, specs, workers, name }: JestRun, report: string): readonly string[] {
  return [
    '--experimental-vm-modules',
    '--no-warnings',
    join(root, 'node_modules/jest/bin/jest.js'),
    '--ci',
    `--reporters=${join(import.meta.dirname, 'reporter.ts')}`,
    `--testSequencer=${join(import.meta.dirname, 'sequencer.ts')}`,
    '--json',
    `--outputFile=${report}`,
    ...(workers === 1 ? ['-i'] : ['-w', `${workers}`]),
    ...(name === undefined ? [] : ['-t', name]),
    '--runTestsByPath',
    ...specs,
  ];
}

/** Aborts with `signal`, when Jest hangs, and when it does not exit after its report. `problem` says which of the latter two. */
function watchReport(report: string, signal: AbortSignal): { signal: AbortSignal; problem(): string; close(): void } {
  const hung = new AbortController();
  const startedAt = Date.now();
  let problem = '';
  let writtenAt: number | undefined;
  const timer = setInterval(() => {
    if (writtenAt === undefined && existsSync(report)) writtenAt = Date.now();
    if (writtenAt !== undefined && Date.now() - writtenAt > exitMs)
      problem = ' did not exit after its last test: a suite has left something open';
    else if (Date.now() - startedAt > longestMs) problem = ` did not end within ${longestMs / 60_000} minutes`;
    if (problem) hung.abort();
  }, 250);
  return { signal: AbortSignal.any([signal, hung.signal]), problem: () => problem, close: () => clearInterval(timer) };
}
