import { randomUUID } from 'node:crypto';
import type { Store } from '@maw/store/store.ts';

/** How many are written at once: they are committed together. */
const AT_ONCE = 50;

/**
 * Writes copies of the tables that are over until the given number is added, each with its tape, its result and its chain.
 * Returns how many events they have.
 * @throws Error when no table is over
 */
export async function copyTables(store: Pick<Store, 'tapes'>, count: number, signal: AbortSignal): Promise<number> {
  const over = await store.tapes.list({ limit: 100, isOver: true });
  if (!over.length) throw new Error('no table is over that could be copied');
  const whole = await Promise.all(
    over.map(async ({ table, summary }) => ({
      tape: await store.tapes.read(table),
      result: await store.tapes.result(table),
      summary: summary as { readonly stage: string },
    })),
  );
  let events = 0;
  for (let from = 0; from < count && !signal.aborted; from += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - from) }, async (_, i) => {
      const { tape, result, summary } = whole[(from + i) % whole.length]!;
      const table = randomUUID();
      const at = tape[0]!.at - 1_000 - from - i; // opened before those that are played
      const about = { at, cause: table, wake: undefined, summary: { ...summary, table, opened: at }, ...(result ? { result } : {}) };
      events += tape.length;
      await store.tapes.append(
        table,
        0,
        tape.map(({ event }) => event),
        about,
      );
    });
    await Promise.all(some);
  }
  return events;
}
