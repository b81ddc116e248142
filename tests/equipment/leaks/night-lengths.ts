import { contracts, type Message } from '@maw/contracts/contracts.ts';
import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { gamemaster } from '@maw/gamemaster/service.ts';
import type { Opening } from '@maw/games/match/state.ts';
import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { logger } from '@maw/telemetry/log.ts';
import { memoryStore } from '../memory-store/memory-store.ts';

/** What a table is dealt from, and the options that everybody at it sees. */
export interface OpenTable {
  readonly seed: string;
  readonly options: Opening['options'];
}

/** Opens tables of these seeds, at the pace of people, as a gamemaster does. */
export async function openTables(rules: string, seeds: readonly string[]): Promise<readonly OpenTable[]> {
  const hub = memoryHub();
  const store = memoryStore();
  const [bus, web] = [memoryBus({ service: 'gamemaster', hub }), memoryBus({ service: 'web', hub })];
  const options = { alarmEveryMs: 0, shareEveryMs: 0, metricsEveryMs: 0, obeyBacklog: false };
  const master = await gamemaster({ bus, tapes: store.tapes, now: Date.now, log: logger('nights', { level: 'silent' }), options });
  try {
    const tables: OpenTable[] = [];
    for (const [n, seed] of seeds.entries()) {
      const seats = Array.from({ length: ruleSetNamed(rules).players.usual }, () => ({ kind: 'person' as const }));
      const about = { id: `open ${n}`, source: 'web', subject: `t${n}`, at: Date.now(), replyBy: Date.now() + 60_000 };
      const request = contracts.write('table.open', { rules, seats, seed, options: { pace: 'people' } }, about);
      await web.request(request as Message<'table.open'>);
      const [{ event }] = (await store.tapes.read(`t${n}`)) as unknown as [{ readonly event: { readonly opening: Opening } }];
      tables.push({ seed, options: event.opening.options });
    }
    return tables;
  } finally {
    await master.close();
    for (const part of [bus, web, store]) await part.close();
  }
}

/**
 * What the options of tables tell of the seeds that these were dealt from: with one seed the same options each time, though others have others.
 * Whoever knew a length could then look for the seed, and deal the roles again. Undefined: nothing.
 */
export function tellingOf(tables: readonly OpenTable[]): string | undefined {
  const lengths = Map.groupBy(tables, ({ seed }) => seed);
  const each = [...lengths.values()].map((same) => new Set(same.map(({ options }) => JSON.stringify(options))));
  const all = new Set(each.flatMap((set) => [...set]));
  return all.size > 1 && each.every(({ size }) => size === 1)
    ? `the options of ${tables.length} tables follow from their seeds`
    : undefined;
}
