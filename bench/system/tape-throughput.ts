import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pgliteStore } from '@maw/store/pglite.ts';
import { postgresStore } from '@maw/store/postgres.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import type { Store } from '@maw/store/store.ts';
import { figuresBenchmark } from '../benchmark.ts';
import { withServers } from '../system-under-test.ts';

/** Events in one measurement; about as long as those of a game. */
const EVENTS = 8_000;
const event: RecordedEvent['event'] = {
  type: 'answered',
  question: 'round-1/day-1/talk',
  answer: { by: 3, says: ['x'.repeat(160)], at: 1_700_000_000_000 },
};

/** `tables`: tables written to at once. `together`: events in one append. */
const LOADS = [
  { what: 'one table, an event at a time', tables: 1, together: 1 },
  { what: 'one table, four events at a time', tables: 1, together: 4 },
  { what: '64 tables at once, an event at a time', tables: 64, together: 1 },
  { what: '64 tables at once, four events at a time', tables: 64, together: 4 },
] as const;

/** Events linked by hashes, appended as the gamemaster appends them, to PostgreSQL and to PGlite in a folder. */
export const tapeThroughput = figuresBenchmark(
  'tape',
  'events a second appended to tapes, on PostgreSQL and on PGlite',
  ({ runs }, { signal, say }) =>
    withServers(
      async ({ databaseUrl }) => {
        const rates = new Map<string, number[]>();
        const folder = await mkdtemp(join(tmpdir(), 'maw-bench-tape-'));
        const stores: { readonly name: string; readonly store: Store }[] = [];
        try {
          stores.push({ name: 'PostgreSQL', store: await postgresStore({ url: databaseUrl, service: 'bench' }) });
          stores.push({ name: 'PGlite', store: await pgliteStore({ folder: join(folder, 'tables'), service: 'bench' }) });
          for (let run = 0; run < runs && !signal.aborted; run++) {
            for (const { name, store } of stores)
              for (const load of LOADS) {
                if (signal.aborted) break;
                const key = `${name}: ${load.what}`;
                rates.set(key, [
                  ...(rates.get(key) ?? []),
                  await rate(store, `${process.pid}-${run}-${load.tables}-${load.together}`, load),
                ]);
              }
            say(`run ${run + 1} of ${runs} is done`);
          }
          return [...rates].map(([what, each]) => ({ what, unit: 'events/s', runs: each }));
        } finally {
          await Promise.all(stores.map(({ store }) => store.close()));
          await rm(folder, { recursive: true, force: true });
        }
      },
      { broker: false },
    ),
);

/** Events a second, from the first append to the end of the last. */
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
