import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { unlessAborted } from '@maw/async/abort.ts';
import { startDevServers } from '@maw/dev-servers/dev-servers.ts';
import { runJest } from './jest/run-jest.ts';
import { BadOption, type Options, readOptions, usage } from './options.ts';
import { type Progress, startProgress } from './progress.ts';
import { type Servers, serversFor } from './servers.ts';
import { filterByPath, findSpecs, ofSuites, suiteOf } from './specs.ts';
import { staticChecks } from './static.ts';
import { lastLine, oneFailed, onePassed, type Outcome, sum } from './tally.ts';
import { unitWorkers } from './workers.ts';

/** Everything that one run shares. */
interface TestRun {
  readonly root: string;
  readonly options: Options;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** Aborts `signal`. */
  stop(): void;
}

/** `maw test`: checks the files and runs the suites. Returns the exit code: 0 when nothing failed, 2 for a wrong option, 130 when interrupted. */
export async function runTests(args: readonly string[], root = join(import.meta.dirname, '../../..')): Promise<number> {
  let options: Options;
  try {
    options = readOptions(args);
  } catch (error) {
    if (!(error instanceof BadOption)) throw error;
    process.stderr.write(`maw test: ${error.message}\n`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(usage);
    return 0;
  }
  const interrupt = new AbortController();
  const onSignal = () => interrupt.abort();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, onSignal);
  const { stderr } = process;
  const progress = startProgress({
    isTerminal: stderr.isTTY,
    columns: stderr.columns || 80,
    write: (text) => void stderr.write(text),
  });
  try {
    const outcome = await runStages({ root, options, progress, signal: interrupt.signal, stop: onSignal });
    progress.close();
    if (interrupt.signal.aborted) {
      stderr.write('maw test: interrupted\n');
      return 130;
    }
    process.stdout.write(`\n${[...outcome.notes, lastLine(outcome)].join('\n')}\n`);
    return outcome.failed ? 1 : 0;
  } finally {
    progress.close();
    for (const signal of signals) process.off(signal, onSignal);
  }
}

/**
 * Runs the static checks, the unit suites and the suites that need servers side by side. The last mostly wait, and have clocks in them: they come
 * first where processor time is short. Games with a real model, which takes all cores, come last and alone.
 */
async function runStages(run: TestRun): Promise<Outcome> {
  const { root, options } = run;
  const all = findSpecs(root);
  const chosen = (stage: 'unit' | 'int' | 'e2e') =>
    options.stages.includes(stage) ? ofSuites(filterByPath(all[stage], options.paths, root), options.suites, root) : [];
  const [unit, int, allE2e] = [chosen('unit'), chosen('int'), chosen('e2e')];
  const isEngine = (spec: string): boolean => suiteOf(relative(root, spec)) === 'engine';
  const [e2e, engine] = [allE2e.filter((spec) => !isEngine(spec)), allE2e.filter(isEngine)];
  const name = options.name === undefined ? {} : { name: options.name };
  const runUnit = async (): Promise<readonly Outcome[]> => {
    const isShared = int.length + e2e.length > 0;
    const workers = unitWorkers({ cores: availableParallelism(), freeBytes: process.availableMemory(), isShared });
    return [await runJest({ ...run, title: 'unit', specs: unit, workers, isBackground: true, ...name })];
  };
  const outcomes = await allOrStop(run.stop, [
    options.stages.includes('static') ? checkFiles(run) : Promise.resolve([]),
    runUnit(),
    int.length + e2e.length ? runWithServers(run, int, e2e) : Promise.resolve([]),
  ]);
  if (engine.length && !run.signal.aborted) outcomes.push(await runWithServers(run, [], engine));
  const isNarrowed = options.paths.length > 0 || options.name !== undefined;
  if (!unit.length && options.stages.includes('unit') && options.suites.includes('plain') && !isNarrowed)
    outcomes.push([oneFailed('there is no unit test at all')]);
  const outcome = sum(outcomes.flat());
  const hasRun = outcome.passed + outcome.failed > 0 || outcome.notes.length > 0;
  return isNarrowed && !hasRun ? sum([outcome, oneFailed('no test matches')]) : outcome;
}

/** Resolves with all results. When one stage throws, the others are stopped and awaited before the error is passed on. */
async function allOrStop<T>(stop: () => void, stages: readonly Promise<T>[]): Promise<T[]> {
  for (const stage of stages) stage.catch(stop);
  await Promise.allSettled(stages);
  return Promise.all(stages);
}

/** How many suites with servers of their own run at once: they mostly wait, one after the other they would take longer than all others. */
const INDEPENDENT_AT_ONCE = 2;

/**
 * Starts the servers once. The suites that share them run one at a time, those of integration first; beside them, two at a time, the suites that
 * start servers of their own or need none.
 */
async function runWithServers(run: TestRun, int: readonly string[], e2e: readonly string[]): Promise<readonly Outcome[]> {
  const { root, options, progress, signal } = run;
  const starting = serversFor([...int, ...e2e], options, (wanted) =>
    startDevServers({ ...wanted, log: (line) => progress.print(`maw test: ${line}`) }),
  );
  let servers: Servers;
  try {
    servers = await unlessAborted(starting, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    // Servers may take minutes to start: an interrupted run does not wait for them.
    void starting.then((late) => late.close()).catch(() => undefined);
    return [];
  }
  const runStage = async (title: string, specs: readonly string[], workers: number): Promise<readonly Outcome[]> => {
    if (signal.aborted) return [];
    const { able, skipped } = servers.sort(specs, (path) => relative(root, path));
    const name = options.name === undefined ? {} : { name: options.name };
    return [...skipped, await runJest({ ...run, title, specs: able, workers, env: servers.env, ...name })];
  };
  const [sharing, independent] = [e2e.filter(servers.isShared), e2e.filter((spec) => !servers.isShared(spec))];
  try {
    const outcomes = await allOrStop(run.stop, [
      runStage('integration', int, 1).then(async (first) => [...first, ...(await runStage('end to end', sharing, 1))]),
      runStage('end to end on their own', independent, Math.min(INDEPENDENT_AT_ONCE, independent.length)),
    ]);
    return outcomes.flat();
  } finally {
    await servers.close();
  }
}

/** Runs the static checks one after the other: each keeps all cores busy. A check that was interrupted counts neither as passed nor as failed. */
async function checkFiles({ root, progress, signal }: TestRun): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const check of staticChecks) {
    const startedAt = Date.now();
    const problem = await check.check(root, signal).catch((error: Error) => error.message);
    if (signal.aborted) break;
    const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
    progress.print(`maw test: ${check.name}: ${problem === undefined ? 'passed' : `FAILED\n${problem}\n`} (${seconds} s)`);
    outcomes.push(problem === undefined ? onePassed : oneFailed(check.name));
  }
  return outcomes;
}
