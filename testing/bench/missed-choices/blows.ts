import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Fault } from '../../chaos/faults.ts';
import type { Stage } from '../../chaos/stage.ts';
import type { Blow } from './tally.ts';

/** How long players are away, and tapes cannot be appended to, in milliseconds. */
export interface BlowLengths {
  readonly absenceMs: number;
  readonly fullMs: number;
}

const AWAY_MS = 4_000;

/** One process of each service runs, so a blow to `player-1` leaves no player. Undefined: the disk of the database is full. */
const FAULTS: Readonly<Record<string, (lengths: BlowLengths) => Fault | undefined>> = {
  'broker restarted': () => ({ kind: 'broker', how: 'asked', at: 0, ms: 0 }),
  'broker killed': () => ({ kind: 'broker', how: 'killed', at: 0, ms: 0 }),
  'PostgreSQL killed': () => ({ kind: 'database', how: 'killed', at: 0, ms: 0 }),
  'PostgreSQL away for 4 s': () => ({ kind: 'database', how: 'asked', at: 0, ms: AWAY_MS }),
  'disk full': () => undefined,
  'gamemaster killed': () => ({ kind: 'kill', process: 'gamemaster-1', at: 0, ms: 0 }),
  'player killed': () => ({ kind: 'kill', process: 'player-1', at: 0, ms: 0 }),
  'player suspended': ({ absenceMs }) => ({ kind: 'stop', process: 'player-1', at: 0, ms: absenceMs }),
  'player cut off': ({ absenceMs }) => ({ kind: 'players', at: 0, ms: absenceMs }),
};

export const KINDS: readonly string[] = Object.keys(FAULTS);

/** Injects a blow and resolves at its end. */
export async function strike(stage: Stage, kind: string, lengths: BlowLengths, signal: AbortSignal): Promise<Blow> {
  const from = Date.now();
  const fault = FAULTS[kind]!(lengths);
  if (fault) await stage.faultLog.inject([fault], signal);
  else await fillDisk(stage.database.url(), lengths.fullMs, signal);
  return { kind, from, to: Date.now() };
}

/** Refuses every new row of a tape, as a full disk does; rows that exist can be overwritten. */
async function fillDisk(url: string, ms: number, signal: AbortSignal): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`create function disk_full() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`);
    await client.query('create trigger disk_full before insert on tape execute function disk_full()');
    await sleep(ms, undefined, { signal });
    await client.query('drop function disk_full cascade');
  } finally {
    await client.end();
  }
}
