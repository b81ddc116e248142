import { join, relative } from 'node:path';
import { runJest } from './jest.ts';
import { BadOption, type Options, readOptions, usage } from './options.ts';
import { type Servers, serversFor } from './servers.ts';
import { filterByPath, findSpecs } from './specs.ts';
import { staticChecks } from './static.ts';
import { oneFailed, onePassed, lastLine, type Outcome, sum } from './tally.ts';

/** `maw test`: checks the files, then runs the suites. Returns the exit code: 0 when nothing failed, 2 for a wrong option, 130 when interrupted. */
export async function runTests(args: readonly string[], root = join(import.meta.dirname, '../..')): Promise<number> {
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
  try {
    const outcome = await runStages(root, options, interrupt.signal);
    if (interrupt.signal.aborted) {
      process.stderr.write('maw test: interrupted\n');
      return 130;
    }
    process.stdout.write(`\n${[...outcome.notes, lastLine(outcome)].join('\n')}\n`);
    return outcome.failed ? 1 : 0;
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
  }
}

async function runStages(root: string, options: Options, signal: AbortSignal): Promise<Outcome> {
  const all = findSpecs(root);
  const chosen = (stage: 'unit' | 'int' | 'e2e') => (options.stages.includes(stage) ? filterByPath(all[stage], options.paths, root) : []);
  const [unit, int, e2e] = [chosen('unit'), chosen('int'), chosen('e2e')];
  const narrowed = options.paths.length > 0 || options.name !== undefined;
  const name = options.name === undefined ? {} : { name: options.name };
  const outcomes: Outcome[] = [];
  if (options.stages.includes('static')) outcomes.push(...(await checkFiles(root, signal)));

  if (unit.length) {
    say(`unit: ${unit.length} suites`);
    outcomes.push(await runJest({ root, specs: unit, workers: 2, signal, ...name }));
  } else if (options.stages.includes('unit') && !narrowed) outcomes.push(oneFailed('there is no unit test at all'));

  const served = [...int, ...e2e];
  const servers = served.length ? await unlessInterrupted(serversFor(served, options), signal) : undefined;
  try {
    for (const [title, specs] of [
      ['integration', int],
      ['end to end', e2e],
    ] as const) {
      if (!servers || !specs.length || signal.aborted) continue;
      const { able, skipped } = servers.sort(specs, (path) => relative(root, path));
      say(`${title}: ${able.length} suites${skipped.length ? `, ${skipped.length} cannot run here` : ''}`);
      outcomes.push(...skipped, await runJest({ root, specs: able, workers: 1, env: servers.env, signal, ...name }));
    }
  } finally {
    await servers?.close();
  }
  const outcome = sum(outcomes);
  return narrowed && outcome.passed + outcome.failed === 0 && !outcome.notes.length
    ? sum([outcome, oneFailed('no test matches')])
    : outcome;
}

/** Servers may take minutes to come; who interrupts does not wait for them, and whatever still comes is let go. */
function unlessInterrupted(opening: Promise<Servers>, signal: AbortSignal): Promise<Servers | undefined> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      resolve(undefined);
      void opening.then((servers) => servers.close());
    };
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    opening.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}

/** All checks at once. What was interrupted has neither held nor failed. */
async function checkFiles(root: string, signal: AbortSignal): Promise<readonly Outcome[]> {
  if (signal.aborted) return [];
  const outcomes = await Promise.all(
    staticChecks.map(async (gate): Promise<readonly Outcome[]> => {
      const began = Date.now();
      const complaint = await gate.check(root, signal).catch((error: Error) => error.message);
      if (signal.aborted) return [];
      if (complaint !== undefined) process.stderr.write(`${complaint}\n`);
      say(`${gate.name}: ${complaint === undefined ? 'good' : 'FAILED'} (${((Date.now() - began) / 1_000).toFixed(1)} s)`);
      return [complaint === undefined ? onePassed : oneFailed(gate.name)];
    }),
  );
  return outcomes.flat();
}

function say(line: string): void {
  process.stderr.write(`maw test: ${line}\n`);
}
