import type { Choice } from './choice.ts';
import type { Found } from './exhaustive-search.ts';
import type { Planter } from './planted-faults.ts';
import type { Scenario } from './scenarios.ts';
import { begunBy, simulate } from './simulation.ts';

/** How a schedule is drawn. */
export interface Chances {
  readonly seed: number;
  /** The approximate number of steps, over which the faults are spread. */
  readonly steps: number;
  /** How often the running thread drops to the lowest priority. */
  readonly switches: number;
  /** The number of faults: deaths, duplicates, calls that fail or seem to. */
  readonly faults: number;
}

export interface Drawn {
  readonly found: Found | undefined;
  readonly steps: readonly string[];
  /** Whether the table was played to its end. */
  readonly isOver: boolean;
}

/** Random integers in [0, n), the same for the same seed (xorshift: Marsaglia, 2003). */
function numbers(seed: number): (below: number) => number {
  let x = (seed ^ 0x9e3779b9) | 0 || 1;
  const next = (): number => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return x >>> 0;
  };
  for (let i = 0; i < 8; i++) next();
  return (below) => next() % below;
}

/**
 * Runs one random schedule (PCT: Burckhardt, Kothari, Musuvathi and Nagarakatte, ASPLOS 2010). Every thread and every possible start gets a
 * random priority; the highest runs, and drops to the lowest at a few random steps. Faults happen at some other steps. A bug that needs d
 * such steps is found with a probability of at least 1/(n k^(d-1)).
 */
export async function runRandomSchedule(scenario: Scenario, { seed, steps, switches, faults }: Chances, planted?: Planter): Promise<Drawn> {
  const world = await simulate(scenario, await begunBy(scenario), planted);
  const below = numbers(seed);
  const points = (count: number): number[] => Array.from({ length: count }, () => below(steps)).toSorted((a, b) => a - b);
  const [changes, wrongs] = [points(switches), points(faults)];
  const priorities = new Map<string, number>();
  let lowest = 0;
  const priorityOf = ({ kind, thread, label }: Choice): number => {
    const who = kind === undefined ? `${label} ${label === 'time passes' ? done.length : ''}` : (thread ?? '');
    if (!priorities.has(who)) priorities.set(who, 1 + below(1_000_000));
    return priorities.get(who)!;
  };
  const done: string[] = [];
  for (;;) {
    const choices = world.choices();
    const free = choices.filter(({ fault }) => !fault);
    if (!free.length) break;
    const bad = choices.filter(({ fault }) => fault);
    let choice = free.reduce((best, one) => (priorityOf(one) > priorityOf(best) ? one : best));
    if (wrongs.length && done.length >= wrongs[0]! && bad.length) {
      wrongs.shift();
      choice = bad[below(bad.length)]!;
    } else if (changes.length && done.length >= changes[0]!) {
      changes.shift();
      if (choice.kind !== undefined) priorities.set(choice.thread ?? '', --lowest);
      choice = free.reduce((best, one) => (priorityOf(one) > priorityOf(best) ? one : best));
    }
    done.push(choice.label);
    await world.take(choice);
    if (world.violation) break;
  }
  await world.close();
  const { game, standing } = world.oracle.tableState ?? {};
  const isOver = standing !== undefined && game!.isOver(standing);
  return { found: world.violation ? { steps: done, why: world.violation } : undefined, steps: done, isOver };
}
