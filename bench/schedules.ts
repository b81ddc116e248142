import { explore } from '@maw/tests/equipment/schedules/exhaustive-search.ts';
import { runRandomSchedule } from '@maw/tests/equipment/schedules/random-search.ts';
import { late, LARGE, rooms, type Scenario, SCENARIOS, SMALL } from '@maw/tests/equipment/schedules/scenarios.ts';
import { printed, readSchedule, replay } from '@maw/tests/equipment/schedules/schedule.ts';
import { type BenchmarkContext, benchmark } from './benchmark.ts';
import { decimal, integer, text, UsageError } from './options.ts';

/** Priority changes and faults in a random schedule. */
const CHANCES = { switches: 4, faults: 4 };
const FIRST_LENGTH = 150;
const PROGRESS_MS = 15_000;

interface Row {
  readonly name: string;
  readonly how: string;
  schedules: number;
  steps: number;
  ms: number;
}

export const schedules = benchmark({
  name: 'schedules',
  description: 'runs every schedule of two replicas at a small table, and random ones of whole games, until one is wrong',
  options: {
    minutes: decimal('how long random schedules are run', { fallback: 5, min: 0, max: 100_000 }),
    seed: integer('the first random schedule; each has the next number', { fallback: 1, min: 0, max: 2 ** 31 - 1 }),
    bound: integer('before that, every schedule of the small scenarios with up to N of each fault; 2 takes minutes', {
      fallback: 1,
      min: 0,
    }),
    scenario: text('only this scenario', undefined, 'NAME'),
    replay: text('run this one schedule, as a failure prints it', undefined, 'SCHEDULE'),
  },
  async measure({ minutes, seed, bound, scenario: only, replay: schedule }, context) {
    if (schedule !== undefined) return replayOne(schedule);
    const isChosen = ({ name }: Scenario): boolean => only === undefined || name === only;
    if (!SCENARIOS.some(isChosen))
      throw new UsageError(`there is no scenario ${only}; there are ${SCENARIOS.map(({ name }) => name).join(', ')}`);
    const rows: Row[] = [];
    const failure =
      (await runAll(SMALL.filter(isChosen), bound, rows, context)) ??
      (await runRandom([late, rooms, ...LARGE].filter(isChosen), { seed, forMs: minutes * 60_000 }, rows, context));
    return {
      text: [tableOf(rows), ...(failure === undefined ? [] : [failure])].join('\n\n'),
      json: rows,
      hasFailed: failure !== undefined,
    };
  },
});

async function replayOne(schedule: string) {
  let why: string | undefined;
  try {
    why = await replay(readSchedule(schedule));
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
  return { text: why ?? 'correct', json: [{ why }], hasFailed: why !== undefined };
}

const failureText = (scenario: Scenario, { steps, why }: { readonly steps: readonly string[]; readonly why: string }): string =>
  `WRONG in ${scenario.name}, ${scenario.says}: ${why}\nagain: ./maw bench schedules --replay '${printed({ scenario: scenario.name, steps }).replaceAll("'", String.raw`'\''`)}'`;

/** Returns the first failure. */
async function runAll(
  scenarios: readonly Scenario[],
  bound: number,
  rows: Row[],
  { signal, say }: BenchmarkContext,
): Promise<string | undefined> {
  const bounds = { switches: bound, deaths: bound, twice: bound, mishaps: bound, all: bound };
  for (const scenario of scenarios) {
    if (signal.aborted) return undefined;
    const start = performance.now();
    const { found, schedules: count, steps } = await explore(scenario, bounds);
    rows.push({ name: scenario.name, how: `all, ${bound} faults`, schedules: count, steps, ms: performance.now() - start });
    say(`${scenario.name}: all ${count} schedules with ${bound} faults`);
    if (found) return failureText(scenario, found);
  }
  return undefined;
}

/** Returns the first failure. */
async function runRandom(
  scenarios: readonly Scenario[],
  { seed, forMs }: { readonly seed: number; readonly forMs: number },
  rows: Row[],
  { signal, say }: BenchmarkContext,
): Promise<string | undefined> {
  const runs = scenarios.map((scenario) => ({
    scenario,
    length: FIRST_LENGTH,
    row: { name: scenario.name, how: 'random', schedules: 0, steps: 0, ms: 0 },
  }));
  rows.push(...runs.map(({ row }) => row));
  const start = performance.now();
  let reportedAt = start;
  for (let n = seed; runs.length && !signal.aborted && performance.now() - start < forMs; n++) {
    for (const run of runs) {
      const began = performance.now();
      const { found, steps } = await runRandomSchedule(run.scenario, { ...CHANCES, seed: n, steps: run.length });
      run.length = steps.length;
      run.row.schedules++;
      run.row.steps += steps.length;
      run.row.ms += performance.now() - began;
      if (found) return failureText(run.scenario, found);
    }
    if (performance.now() - reportedAt > PROGRESS_MS) {
      reportedAt = performance.now();
      say(`random: seed ${n}, ${runs.map(({ row }) => `${row.name} ${row.schedules}`).join(', ')}`);
    }
  }
  return undefined;
}

function tableOf(rows: readonly Row[]): string {
  const whole = (n: number): string => Math.round(n).toLocaleString('en');
  return [
    '| scenario | schedules | how many | steps | schedules/s |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map(
      ({ name, how, schedules: count, steps, ms }) =>
        `| ${name} | ${how} | ${whole(count)} | ${whole(steps)} | ${(count / (ms / 1000)).toFixed(1)} |`,
    ),
  ].join('\n');
}
