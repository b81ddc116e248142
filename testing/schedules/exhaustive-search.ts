import type { Choice } from './choice.ts';
import type { Planter } from './planted-faults.ts';
import type { Scenario } from './scenarios.ts';
import { begunBy, simulate } from './simulation.ts';

/** What a schedule may cost at most. */
export interface Bounds {
  /** How often something else goes on although what goes on could. */
  readonly switches: number;
  readonly deaths: number;
  /** How many messages come twice. */
  readonly twice: number;
  /** How many calls of the store fail, or seem to. */
  readonly mishaps: number;
  /** How much of all that together. */
  readonly all: number;
}

/** A schedule at whose end something is not as it must be. */
export interface Found {
  readonly steps: readonly string[];
  readonly why: string;
}

export interface Explored {
  readonly found: Found | undefined;
  /** How many schedules were run, and how many steps in all. */
  readonly schedules: number;
  readonly steps: number;
  /** Whether that was all there are within the bounds. */
  readonly isAll: boolean;
}

/** What a schedule has cost so far. */
type Spent = Omit<Bounds, 'all'>;
const NOTHING: Spent = { switches: 0, deaths: 0, twice: 0, mishaps: 0 };
const KEYS = ['switches', 'deaths', 'twice', 'mishaps'] as const;
const sumOf = (spent: Spent): number => KEYS.reduce((sum, key) => sum + spent[key], 0);
const isAtMost = (a: Spent, b: Spent): boolean => KEYS.every((key) => a[key] <= b[key]);

const isWithin = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => a.size <= b.size && [...a].every((each) => b.has(each));

/** A schedule whose beginning is known: after it, what costs nothing comes next. */
interface Begun {
  readonly labels: readonly string[];
  readonly spent: Spent;
}
/** What may come next, and what a schedule has cost with it. */
interface Step {
  readonly label: string;
  readonly spent: Spent;
}
interface Reached {
  readonly spent: Spent;
  readonly sent: ReadonlySet<string>;
}

/**
 * Runs every schedule of a scenario within bounds, each from the beginning, the cheapest first, and stops at the first that is wrong. What
 * goes on goes on until it waits for something, unless a switch is spent (iterative context bounding: Musuvathi and Qadeer, PLDI 2007); of
 * calls of one thread that wait side by side the first goes first, unless one is spent (delay bounding: Emmi, Qadeer and Rakamaric, POPL 2011).
 * A state that was reached before, with as much left to spend and with nothing more sent, is not explored again: who has sent less has more
 * to make good.
 * @param most how many schedules are run at most
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
        if (isKnown(`${world.key()} ${place(choices, last)}`, before, world.truth.sent)) return undefined;
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
      if (world.broken) return { steps: done, why: world.broken };
    }
    await world.close();
    return world.broken ? { steps: done, why: world.broken } : undefined;
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

/** What goes on where the last step has left off. */
const goingOn = (choices: readonly Choice[], last: Choice | undefined): readonly Choice[] =>
  last ? choices.filter(({ kind, thread }) => kind !== undefined && thread === last.thread) : [];

/** The same as text: names of replicas do not count, but what came last does where it says what may come next. */
const place = (choices: readonly Choice[], last: Choice | undefined): string =>
  [
    last?.kind === 'send' || last?.kind === 'read' ? last.kind : '',
    ...goingOn(choices, last).map(({ label }) => label.replace(/^\S+ /, '')),
  ].join(';');

/** What may come next within bounds: first what costs nothing. */
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
 * Undefined: not here, because it comes to the same elsewhere. Who dies, dies while it is going on, and before what it has read or sent; what
 * mishaps is what comes next; and among things that are sent it makes no difference which is first, or what others do between them.
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
