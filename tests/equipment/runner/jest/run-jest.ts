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

/** A run in which no suite begins or ends for so long hangs. A busy machine may take any time for the whole. */
const longestMs = 40 * 60_000;
/** Jest must exit so soon after its report is written; otherwise a suite has left something open. It takes a second on a quiet machine. */
const exitMs = 120_000;

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
        watchdog.noteLife();
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

interface Watchdog {
  /** Aborts with the run's signal, when Jest hangs, and when it does not exit after its report. */
  readonly signal: AbortSignal;
  /** Which of the latter two. */
  problem(): string;
  /** A suite has begun or ended. */
  noteLife(): void;
  close(): void;
}

function watchReport(report: string, signal: AbortSignal): Watchdog {
  const hung = new AbortController();
  let livedAt = Date.now();
  let problem = '';
  let writtenAt: number | undefined;
  const timer = setInterval(() => {
    if (writtenAt === undefined && existsSync(report)) writtenAt = Date.now();
    if (writtenAt !== undefined && Date.now() - writtenAt > exitMs)
      problem = ' did not exit after its last test: a suite has left something open';
    else if (Date.now() - livedAt > longestMs) problem = `: no suite has begun or ended for ${longestMs / 60_000} minutes`;
    if (problem) hung.abort();
  }, 250);
  return {
    signal: AbortSignal.any([signal, hung.signal]),
    problem: () => problem,
    noteLife: () => void (livedAt = Date.now()),
    close: () => clearInterval(timer),
  };
}
