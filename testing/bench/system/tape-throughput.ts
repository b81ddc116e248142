import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pgliteStore } from '@maw/store/pglite.ts';
import { postgresStore } from '@maw/store/postgres.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import type { Store } from '@maw/store/store.ts';
import { startDevServers } from '@maw/cli/dev-servers/dev-servers.ts';
import type { Figure } from '../figures.ts';
import type { BenchOptions } from '../main.ts';

/** Events of a load; they are about as long as those of a game. */
const EVENTS = 8_000;
const event: RecordedEvent['event'] = {
  type: 'answered',
  question: 'round-1/day-1/talk',
  answer: { by: 3, says: ['x'.repeat(160)], at: 1_700_000_000_000 },
};

/** What is written: at so many tables at once, so many events together. */
const LOADS = [
  { what: 'one table, an event at a time', tables: 1, together: 1 },
  { what: 'one table, four events at a time', tables: 1, together: 4 },
  { what: '64 tables at once, an event at a time', tables: 64, together: 1 },
  { what: '64 tables at once, four events at a time', tables: 64, together: 4 },
] as const;

/** Events a second into the tape, linked by hashes, as the gamemaster appends them; on PostgreSQL and on PGlite in a folder. */
export async function tape({ runs, signal, say }: BenchOptions): Promise<readonly Figure[]> {
  const rates = new Map<string, number[]>();
  const folder = await mkdtemp(join(tmpdir(), 'maw-bench-tape-'));
  const lane = await startDevServers({ broker: false });
  const closing: Store[] = [];
  try {
    if (lane.databaseUrl === undefined) throw new Error(lane.missing.join('\n'));
    const stores = [
      { name: 'PostgreSQL', store: await postgresStore({ url: lane.databaseUrl, service: 'bench' }) },
      { name: 'PGlite', store: await pgliteStore({ folder: join(folder, 'tables'), service: 'bench' }) },
    ];
    closing.push(...stores.map(({ store }) => store));
    for (let run = 0; run < runs && !signal.aborted; run++) {
      for (const { name, store } of stores)
        for (const load of LOADS) {
          const key = `${name}: ${load.what}`;
          rates.set(key, [...(rates.get(key) ?? []), await rate(store, `${process.pid}-${run}-${load.tables}-${load.together}`, load)]);
        }
      say(`run ${run + 1} of ${runs} is done`);
    }
    return [...rates].map(([what, each]) => ({ what, unit: 'events/s', runs: each }));
  } finally {
    await Promise.all(closing.map((store) => store.close()));
    await lane.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Events a second, from the first append to the last that has come back. */
async function rate({ tapes }: Store, prefix: string, { tables, together }: (typeof LOADS)[number]): Promise<number> {
  const each = Math.floor(EVENTS / tables / together);
  const events = Array.from({ length: together }, () => event);
  const summary = { rules: 'maw', stage: 'round' };
  const write = async (table: string): Promise<void> => {
    for (let n = 0; n < each; n++)
      await tapes.append(table, n * together, events, { at: 1_700_000_000_000 + n, cause: `${table}/${n}`, wake: undefined, summary });
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: tables }, (_, n) => write(`bench-${prefix}-${n}`)));
  return (each * together * tables * 1000) / (performance.now() - start);
}
