import type { Choice } from './choice.ts';
import type { Planter } from './planted-faults.ts';
import type { Scenario } from './scenarios.ts';
import { begunBy, simulate } from './simulation.ts';

/** The maximum cost of a schedule. */
export interface Bounds {
  /** Context switches away from a thread that could continue. */
  readonly switches: number;
  readonly deaths: number;
  /** Duplicated messages. */
  readonly twice: number;
  /** Store calls that fail, or seem to. */
  readonly mishaps: number;
  /** The total of all these. */
  readonly all: number;
}

/** A schedule that ends in a violation. */
export interface Found {
  readonly steps: readonly string[];
  readonly why: string;
}

export interface Explored {
  readonly found: Found | undefined;
  /** The number of schedules run, and of steps in total. */
  readonly schedules: number;
  readonly steps: number;
  /** Whether these were all schedules within the bounds. */
  readonly isAll: boolean;
}

/** The cost of a schedule so far. */
type Spent = Omit<Bounds, 'all'>;
const NOTHING: Spent = { switches: 0, deaths: 0, twice: 0, mishaps: 0 };
const KEYS = ['switches', 'deaths', 'twice', 'mishaps'] as const;
const sumOf = (spent: Spent): number => KEYS.reduce((sum, key) => sum + spent[key], 0);
const isAtMost = (a: Spent, b: Spent): boolean => KEYS.every((key) => a[key] <= b[key]);

const isWithin = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => a.size <= b.size && [...a].every((each) => b.has(each));

/** A schedule with a known prefix; free choices follow. */
interface Begun {
  readonly labels: readonly string[];
  readonly spent: Spent;
}
/** A possible next step, and the cost of the schedule with it. */
interface Step {
  readonly label: string;
  readonly spent: Spent;
}
interface Reached {
  readonly spent: Spent;
  readonly sent: ReadonlySet<string>;
}

/**
 * Runs every schedule of a scenario within bounds from the start, the cheapest first, and stops at the first violation. A thread runs until
 * it waits, unless a switch is spent (iterative context bounding: Musuvathi and Qadeer, PLDI 2007). Of one thread's concurrent calls the
 * first goes first, unless a switch is spent (delay bounding: Emmi, Qadeer and Rakamaric, POPL 2011).
 * A state reached before with as much left to spend and nothing more sent is not explored again: with less sent, more remains to be sent.
 * @param most the maximum number of schedules
 */
export async function explore(scenario: Scenario, bounds: Bounds, planted?: Planter, most = Infinity): Promise<Explored> {
  const begun = await begunBy(scenario);
  const seen = new Map<string, Reached[]>();
  const queues: Begun[][] = [[{ labels: [], spent: NOTHING }]];
  let [schedules, steps] = [0, 0];

  function isKnown(key: string, spent: Spent, sent: ReadonlySet<string>): boolean {
    const known = seen.get(key) ?? [];
    if (known.some((one) => isAtMost(one.spent, spent) && isWithin(one.sent, sent))) return true;
    seen.set(key, [...known, { spent, sent: new Set(sent) }]);
    return false;
  }

  async function run({ labels, spent: before }: Begun): Promise<Found | undefined> {
    const world = await simulate(scenario, begun, planted);
    let last: Choice | undefined;
    const done: string[] = [];
    for (;;) {
      const choices = world.choices();
      let label = labels[done.length];
      if (label === undefined) {
        if (isKnown(`${world.key()} ${place(choices, last)}`, before, world.oracle.sent)) return undefined;
        const [first, ...others] = optionsOf(choices, last, before, bounds);
        if (!first) break;
        for (const { label: other, spent } of others) (queues[sumOf(spent)] ??= []).push({ labels: [...done, other], spent });
        ({ label } = first);
      }
      const choice = choices.find((one) => one.label === label);
      if (!choice) throw new Error(`${scenario.name} does not go the same way twice: after ${done.join('; ')} there is no ${label}`);
      done.push(label);
      last = choice.fault === 'death' ? undefined : choice;
      await world.take(choice);
      steps++;
      if (world.violation) return { steps: done, why: world.violation };
    }
    await world.close();
    return world.violation ? { steps: done, why: world.violation } : undefined;
  }

  for (const queue of queues) {
    for (const next of queue ?? []) {
      if (schedules >= most) return { found: undefined, schedules, steps, isAll: false };
      schedules++;
      const found = await run(next);
      if (found) return { found, schedules, steps, isAll: false };
    }
  }
  return { found: undefined, schedules, steps, isAll: true };
}

/** The thread that continues from the last step. */
const goingOn = (choices: readonly Choice[], last: Choice | undefined): readonly Choice[] =>
  last ? choices.filter(({ kind, thread }) => kind !== undefined && thread === last.thread) : [];

/** A canonical text: without replica names, but with the last step where it determines the next. */
const place = (choices: readonly Choice[], last: Choice | undefined): string =>
  [
    last?.kind === 'send' || last?.kind === 'read' ? last.kind : '',
    ...goingOn(choices, last).map(({ label }) => label.replace(/^\S+ /, '')),
  ].join(';');

/** The next steps within bounds, free ones first. */
function optionsOf(choices: readonly Choice[], last: Choice | undefined, spent: Spent, bounds: Bounds): readonly Step[] {
  const own = goingOn(choices, last);
  const next = own.find(({ fault }) => !fault);
  const free: Step[] = [];
  const others: Step[] = [];
  for (const choice of choices) {
    const cost = costOf(choice, { own, next, last });
    if (cost === 'free') free.push({ label: choice.label, spent });
    else if (cost && spent[cost] < bounds[cost] && sumOf(spent) < bounds.all)
      others.push({ label: choice.label, spent: { ...spent, [cost]: spent[cost] + 1 } });
  }
  return [...free, ...others];
}

interface Going {
  readonly own: readonly Choice[];
  readonly next: Choice | undefined;
  readonly last: Choice | undefined;
}

/**
 * Undefined: pruned as equivalent to another schedule. A process dies only while it runs and before its reads or sends; a fault comes next;
 * the order of sends, and what others do in between, makes no difference.
 */
function costOf(choice: Choice, { own, next, last }: Going): keyof Spent | 'free' | undefined {
  switch (choice.fault) {
    case 'death':
      return own.includes(choice) && last?.kind !== 'read' && last?.kind !== 'send' ? 'deaths' : undefined;
    case 'mishap':
      return next && own.includes(choice) && choice.label.startsWith(next.label) ? 'mishaps' : undefined;
    case 'twice':
      return 'twice';
    case undefined:
      if (!next || choice === next) return 'free';
      if (next.kind === 'send' && (last?.kind === 'send' || (choice.kind === 'send' && own.includes(choice)))) return undefined;
      return 'switches';
  }
}
