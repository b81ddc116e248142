import type { Fault } from '@maw/tests/equipment/chaos/faults.ts';
import type { Stage } from '@maw/tests/equipment/chaos/stage.ts';
import type { Blow } from './tally.ts';

/** How long players are away, and the disk is full, in milliseconds. */
export interface BlowLengths {
  readonly absenceMs: number;
  readonly fullMs: number;
}

const AWAY_MS = 4_000;

/** One process of each service runs, so a blow to `player-1` leaves no player. */
const FAULTS: Readonly<Record<string, (lengths: BlowLengths) => Fault>> = {
  'broker restarted': () => ({ kind: 'broker', how: 'asked', at: 0, ms: 0 }),
  'broker killed': () => ({ kind: 'broker', how: 'killed', at: 0, ms: 0 }),
  'PostgreSQL killed': () => ({ kind: 'database', how: 'killed', at: 0, ms: 0 }),
  'PostgreSQL away for 4 s': () => ({ kind: 'database', how: 'asked', at: 0, ms: AWAY_MS }),
  'disk full': ({ fullMs }) => ({ kind: 'disk', at: 0, ms: fullMs }),
  'gamemaster killed': () => ({ kind: 'kill', process: 'gamemaster-1', at: 0, ms: 0 }),
  'player killed': () => ({ kind: 'kill', process: 'player-1', at: 0, ms: 0 }),
  'player suspended': ({ absenceMs }) => ({ kind: 'stop', process: 'player-1', at: 0, ms: absenceMs }),
  'player cut off': ({ absenceMs }) => ({ kind: 'players', at: 0, ms: absenceMs }),
};

export const KINDS: readonly string[] = Object.keys(FAULTS);

/** Injects a blow and resolves at its end. */
export async function strike(stage: Stage, kind: string, lengths: BlowLengths, signal: AbortSignal): Promise<Blow> {
  const from = Date.now();
  await stage.faultLog.inject([FAULTS[kind]!(lengths)], signal);
  return { kind, from, to: Date.now() };
}
