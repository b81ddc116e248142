import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';

/** What can be done to one process. */
const TO_PROCESSES = ['kill', 'kill', 'kill', 'stop', 'end'] as const;
/** What can be done to the connections between a service and what it needs. */
const TO_WAYS = ['cut', 'cut-all', 'slow', 'half-close', 'stall'] as const;

/** One thing that goes wrong. `at` and `ms` are milliseconds: from the beginning of the storm, and how long it lasts. */
export type Fault =
  | { readonly kind: (typeof TO_PROCESSES)[number]; readonly at: number; readonly ms: number; readonly process: string }
  | { readonly kind: (typeof TO_WAYS)[number]; readonly at: number; readonly ms: number; readonly proxy: string; readonly roll: number }
  | { readonly kind: 'broker' | 'database'; readonly at: number; readonly ms: number; readonly how: 'asked' | 'killed' }
  | { readonly kind: 'models'; readonly at: number; readonly ms: number };

export interface Plan {
  /** How long things go wrong, in milliseconds. */
  readonly ms: number;
  /** About how often something small does, in milliseconds. */
  readonly everyMs: number;
  /** How often the broker and the database are restarted, and all model servers lost. */
  readonly brokers: number;
  readonly databases: number;
  readonly losses: number;
  /** How long the model servers are gone each time, in milliseconds. */
  readonly lossMs: number;
  readonly processes: readonly [string, ...string[]];
  readonly proxies: readonly [string, ...string[]];
}

/** The longest that something small lasts, in milliseconds. */
const MOST_MS = 6_000;
/** The part of small faults that strike processes; the others strike connections. */
const PROCESSES_IN_TEN = 7;

/** Everything that goes wrong in a storm, by its time: the same seed and plan give the same. */
export function scheduleOf(seed: string, plan: Plan): readonly Fault[] {
  const dice = diceOf(seed, 'faults');
  const small = Array.from({ length: Math.floor(plan.ms / plan.everyMs) }, (_, i) =>
    smallFault(dice, plan, Math.floor((i + dice.below(1_000) / 1_000) * plan.everyMs)),
  );
  return [...small, ...largeFaults(dice, plan)].toSorted((a, b) => a.at - b.at);
}

function smallFault(dice: Dice, { processes, proxies }: Plan, at: number): Fault {
  const ms = 500 + dice.below(MOST_MS - 500);
  if (dice.below(10) < PROCESSES_IN_TEN) return { kind: dice.pick(TO_PROCESSES), at, ms, process: dice.pick(processes) };
  return { kind: dice.pick(TO_WAYS), at, ms, proxy: dice.pick(proxies), roll: dice.below(1_000) };
}

/** The large ones have each a share of the storm to themselves, in an order that is rolled. */
function largeFaults(dice: Dice, { ms, brokers, databases, losses, lossMs }: Plan): readonly Fault[] {
  const kinds = dice.shuffle([
    ...Array.from({ length: brokers }, () => 'broker' as const),
    ...Array.from({ length: databases }, () => 'database' as const),
    ...Array.from({ length: losses }, () => 'models' as const),
  ]);
  const share = ms / Math.max(1, kinds.length);
  return kinds.map((kind, i): Fault => {
    const at = Math.floor((i + 0.1 + dice.below(400) / 1_000) * share);
    if (kind === 'models') return { kind, at, ms: lossMs };
    return { kind, at, ms: dice.below(2_000), how: dice.pick(['asked', 'killed'] as const) };
  });
}

/** A fault in words, for those who watch. */
export function faultText(fault: Fault): string {
  const lasts = `${(fault.ms / 1_000).toFixed(1)} s`;
  switch (fault.kind) {
    case 'kill':
      return `${fault.process} is killed`;
    case 'end':
      return `${fault.process} is asked to end`;
    case 'stop':
      return `${fault.process} stands still for ${lasts}`;
    case 'cut':
      return `a connection of ${fault.proxy} is cut`;
    case 'cut-all':
      return `all connections of ${fault.proxy} are cut, for ${lasts}`;
    case 'slow':
      return `${fault.proxy} is slow for ${lasts}`;
    case 'half-close':
      return `a connection of ${fault.proxy} is half closed for ${lasts}`;
    case 'stall':
      return `a connection of ${fault.proxy} is silent for ${lasts}`;
    case 'broker':
    case 'database':
      return `the ${fault.kind} is ${fault.how === 'killed' ? 'killed' : 'asked to end'}, and started ${lasts} later`;
    case 'models':
      return `all model servers are gone for ${lasts}`;
  }
}
