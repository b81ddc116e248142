import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import { CLOCK_ERRORS_MS, CONNECTION_FAULTS, type Fault, PROCESS_FAULTS } from './faults.ts';

export interface Plan {
  /** How long things go wrong, in milliseconds. */
  readonly ms: number;
  /** About how often something small does, in milliseconds. */
  readonly everyMs: number;
  /** How often the broker and the database are restarted, the disk of the database is full, and all model servers are lost. */
  readonly brokers: number;
  readonly databases: number;
  readonly disks: number;
  readonly losses: number;
  /** How long the model servers are gone each time, in milliseconds. */
  readonly lossMs: number;
  readonly processes: readonly [string, ...string[]];
  /** The processes whose clocks are set. */
  readonly clocks: readonly [string, ...string[]];
  readonly proxies: readonly [string, ...string[]];
}

/** The longest that something small lasts, in milliseconds. */
const MAX_MS = 6_000;
/** How long the disk is full, in milliseconds: long enough to be an outage even if nothing is written in the first three seconds. */
const FULL_MS = 4_000;
/** The parts of small faults that strike processes, and clocks; the others strike connections. */
const PROCESSES_IN_TEN = 6;
const CLOCKS_IN_TEN = 1;

/** Everything that goes wrong in a storm, by its time: the same seed and plan give the same. */
export function scheduleOf(seed: string, plan: Plan): readonly Fault[] {
  const dice = diceOf(seed, 'faults');
  const small = Array.from({ length: Math.floor(plan.ms / plan.everyMs) }, (_, i) =>
    smallFault(dice, plan, Math.floor((i + dice.below(1_000) / 1_000) * plan.everyMs)),
  );
  return [...small, ...largeFaults(dice, plan)].toSorted((a, b) => a.at - b.at);
}

function smallFault(dice: Dice, { processes, clocks, proxies }: Plan, at: number): Fault {
  const ms = 500 + dice.below(MAX_MS - 500);
  const roll = dice.below(10);
  if (roll < CLOCKS_IN_TEN) return { kind: 'clock', at, ms, process: dice.pick(clocks), aheadMs: dice.pick(CLOCK_ERRORS_MS) };
  if (roll < CLOCKS_IN_TEN + PROCESSES_IN_TEN) return { kind: dice.pick(PROCESS_FAULTS), at, ms, process: dice.pick(processes) };
  return { kind: dice.pick(CONNECTION_FAULTS), at, ms, proxy: dice.pick(proxies), roll: dice.below(1_000) };
}

/** The large ones have each a share of the storm to themselves, in an order that is rolled. */
function largeFaults(dice: Dice, { ms, brokers, databases, disks, losses, lossMs }: Plan): readonly Fault[] {
  const kinds = dice.shuffle([
    ...Array.from({ length: brokers }, () => 'broker' as const),
    ...Array.from({ length: databases }, () => 'database' as const),
    ...Array.from({ length: disks }, () => 'disk' as const),
    ...Array.from({ length: losses }, () => 'models' as const),
  ]);
  const share = ms / Math.max(1, kinds.length);
  return kinds.map((kind, i): Fault => {
    const at = Math.floor((i + 0.1 + dice.below(400) / 1_000) * share);
    if (kind === 'models') return { kind, at, ms: lossMs };
    if (kind === 'disk') return { kind, at, ms: FULL_MS };
    return { kind, at, ms: dice.below(2_000), how: dice.pick(['asked', 'killed'] as const) };
  });
}
