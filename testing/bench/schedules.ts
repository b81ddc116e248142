import { parseArgs } from 'node:util';
import { runRandomSchedule } from '../schedules/random-search.ts';
import { explore } from '../schedules/exhaustive-search.ts';
import { LARGE, late, rooms, type Scenario, SMALL } from '../schedules/scenarios.ts';
import { printed, readSchedule, replay } from '../schedules/schedule.ts';
import { machine } from './figures.ts';

const USAGE = `maw bench schedules [--seed N] [--minutes N] [--bound N] [--replay SCHEDULE]

  --minutes N      schedules by chance for so long (5)
  --seed N         the first of them; each has the next number (1)
  --bound N        before that, every schedule of the small scenarios with so much going wrong (1); 2 takes minutes; 0 none but the plain ones
  --replay TEXT    one schedule, as a failure prints it
`;

/** How a schedule by chance is drawn. */
const CHANCES = { switches: 4, faults: 4 };

const say = (line: string): void => void process.stderr.write(`bench: ${line}\n`);

interface Tried {
  readonly name: string;
  readonly how: string;
  schedules: number;
  steps: number;
  ms: number;
}

/**
 * `maw bench schedules`: tries the schedules of testing/schedules, more of them than the specs do. Ends with the first that is wrong, and prints
 * it. Returns the exit code: 1 when one is wrong.
 */
export async function runSchedules(args: readonly string[], signal: AbortSignal): Promise<number> {
  const asked = readAsked(args);
  if (typeof asked === 'string') {
    process.stderr.write(`${asked}\n${USAGE}`);
    return 2;
  }
  if (asked.replay !== undefined) return runReplay(asked.replay);
  const { bound, seed, minutes } = asked;
  say(machine());
  const tried: Tried[] = [];
  const wrong = (await everySchedule(bound, tried, signal)) ?? (await byChance(seed, minutes * 60_000, tried, signal));
  process.stdout.write(`\n### schedules\n\n${machine()}\n\n${tableOf(tried)}\n`);
  if (wrong !== undefined) process.stdout.write(`\n${wrong}\n`);
  if (wrong !== undefined) return 1;
  return signal.aborted ? 130 : 0;
}

/** What is wrong, as it is printed; undefined when nothing is. */
const told = (scenario: Scenario, { steps, why }: { readonly steps: readonly string[]; readonly why: string }): string =>
  `WRONG in ${scenario.name}, ${scenario.says}: ${why}\nagain: ./maw bench schedules --replay '${printed({ scenario: scenario.name, steps }).replaceAll("'", String.raw`'\''`)}'`;

async function everySchedule(bound: number, tried: Tried[], signal: AbortSignal): Promise<string | undefined> {
  for (const scenario of SMALL) {
    if (signal.aborted) return undefined;
    const start = performance.now();
    const { found, schedules, steps } = await explore(scenario, {
      switches: bound,
      deaths: bound,
      twice: bound,
      mishaps: bound,
      all: bound,
    });
    const ms = performance.now() - start;
    tried.push({ name: scenario.name, how: `all, ${bound} wrong`, schedules, steps, ms });
    say(`${scenario.name}: all ${schedules} schedules with ${bound} going wrong`);
    if (found) return told(scenario, found);
  }
  return undefined;
}

async function byChance(seed: number, forMs: number, tried: Tried[], signal: AbortSignal): Promise<string | undefined> {
  const each = [late, rooms, ...LARGE].map((scenario) => ({
    scenario,
    length: 150,
    count: { name: scenario.name, how: 'by chance', schedules: 0, steps: 0, ms: 0 },
  }));
  tried.push(...each.map(({ count }) => count));
  const start = performance.now();
  let reported = start;
  for (let n = seed; !signal.aborted && performance.now() - start < forMs; n++) {
    for (const one of each) {
      const began = performance.now();
      const { found, steps } = await runRandomSchedule(one.scenario, { ...CHANCES, seed: n, steps: one.length });
      one.length = steps.length;
      one.count.schedules++;
      one.count.steps += steps.length;
      one.count.ms += performance.now() - began;
      if (found) return told(one.scenario, found);
    }
    if (performance.now() - reported > 15_000) {
      reported = performance.now();
      say(`by chance: seed ${n}, ${each.map(({ count }) => `${count.name} ${count.schedules}`).join(', ')}`);
    }
  }
  return undefined;
}

async function runReplay(text: string): Promise<number> {
  try {
    const why = await replay(readSchedule(text));
    process.stdout.write(`${why ?? 'all is as it must be'}\n`);
    return why === undefined ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return 2;
  }
}

interface Asked {
  readonly seed: number;
  readonly minutes: number;
  readonly bound: number;
  readonly replay: string | undefined;
}

/** What is to be tried; a sentence when that cannot be. */
export function readAsked(args: readonly string[]): Asked | string {
  const text = { type: 'string' } as const;
  let given;
  try {
    given = parseArgs({ args: [...args], options: { seed: text, minutes: text, bound: text, replay: text } }).values;
  } catch (error) {
    return (error as Error).message;
  }
  const [seed, minutes, bound] = [Number(given.seed ?? 1), Number(given.minutes ?? 5), Number(given.bound ?? 1)];
  if (!Number.isSafeInteger(seed) || seed < 0 || seed >= 2 ** 31) return '--seed is a whole number from 0 to 2147483647.';
  if (!Number.isSafeInteger(bound) || bound < 0) return '--bound is a whole number.';
  if (!(minutes >= 0 && minutes <= 100_000)) return '--minutes is a number.';
  return { seed, minutes, bound, replay: given.replay };
}

function tableOf(tried: readonly Tried[]): string {
  const whole = (n: number): string => Math.round(n).toLocaleString('en');
  return [
    '| scenario | schedules | how many | steps | schedules/s |',
    '| --- | --- | --- | --- | --- |',
    ...tried.map(
      ({ name, how, schedules, steps, ms }) =>
        `| ${name} | ${how} | ${whole(schedules)} | ${whole(steps)} | ${(schedules / (ms / 1000)).toFixed(1)} |`,
    ),
  ].join('\n');
}
