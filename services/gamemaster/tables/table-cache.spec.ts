import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { catalogue } from '@maw/games/catalogue.ts';
import { gamemasterAndChatroom } from '@maw/tests/verify/played-tables.ts';
import { type Rig, rig } from '../rig.suite.ts';
import { tableCache as tablesOf } from './table-cache.ts';

let here: Rig;
beforeEach(() => {
  here = rig();
});
afterEach(() => here.close());

/** A table of six in its first day: the weight of a tape of people who have just sat down. */
const seat = async (...tables: readonly string[]): Promise<void> => {
  const at = await here.replica();
  for (const table of tables) await here.seated(at, { table });
};
const ALL = { tables: 100, events: 1_000_000 };
const cache = (room: Partial<typeof ALL>) => tablesOf(here.store.tapes, { ...ALL, ...room }, catalogue, []);

describe('tables in memory', () => {
  it('weigh their events and each again for each eye that saw it', async () => {
    await seat('a');
    const tables = cache({});
    const { state: ledger } = await tables.load('a');
    const seen = [...ledger.views.values()].reduce((sum, sight) => sum + sight.seen.length, 0);
    expect(seen).toBeGreaterThan(ledger.tape.length);
    expect(tables.inside()).toEqual({ running: 1, over: 0, events: ledger.tape.length + seen });
    await tables.load('a');
    await tables.fresh('a');
    expect(tables.inside().events).toBe(ledger.tape.length + seen);
    tables.forget('a');
    tables.forget('a');
    expect(tables.inside()).toEqual({ running: 0, over: 0, events: 0 });
  });

  it('derive the messages of a cause again, without the phase', async () => {
    await seat('a');
    const tables = cache({});
    const { cause } = (await tables.load('a')).state.tape.findLast(({ event }) => event.type === 'asked')!;
    const again = await tables.again('a', cause);
    expect(again.notices.map(({ type }) => type)).toContain('table.moved');
    expect(again).not.toHaveProperty('newPhase');
  });

  it('read first where another replica has written, and not for what this one wrote during a read', async () => {
    await seat('a');
    let reads = 0;
    let isHeld = Promise.resolve();
    const read: typeof here.store.tapes.read = async (...args) => {
      reads++;
      const tape = await here.store.tapes.read(...args);
      await isHeld;
      return tape;
    };
    const tables = tablesOf({ ...here.store.tapes, read }, ALL, catalogue, []);
    const readsOf = async (decisions: number) => {
      const before = reads;
      for (let n = 0; n < decisions; n++) await tables.current('a');
      return reads - before;
    };
    const loaded = await tables.load('a');
    expect(await readsOf(2)).toBe(0);
    const at = await here.replica();
    const otherWrites = async () => {
      here.clock.now += 86_400_000;
      await at.tell('table.tick', { alarm: 0 }, { table: 'a', source: 'gamemaster' });
      await at.get('table.view', { eye: 'audience' }, { table: 'a' }); // once the tick was taken
    };
    await otherWrites();
    const held = Promise.withResolvers<void>();
    isHeld = held.promise;
    const viewed = tables.fresh('a');
    const written = await here.store.tapes.read('a', loaded.state.tape.length);
    tables.grow(loaded, written);
    held.resolve();
    await viewed;
    expect(written.length).toBeGreaterThan(0);
    expect(await readsOf(2)).toBe(0);
    await otherWrites();
    await tables.fresh('a');
    expect(await readsOf(6)).toBe(4);
  });

  it('gain weight with each append', async () => {
    await seat('a');
    const tables = cache({});
    await tables.load('a');
    const before = tables.inside().events;
    const at = await here.replica();
    await at.tell('table.tick', { alarm: 0 }, { table: 'a', source: 'gamemaster' });
    here.clock.now += 86_400_000;
    await at.tell('table.tick', { alarm: 0 }, { table: 'a', source: 'gamemaster' });
    await at.get('table.view', { eye: 'audience' }, { table: 'a' });
    const { state: ledger } = await tables.fresh('a');
    const weight = ledger.tape.length + [...ledger.views.values()].reduce((sum, { seen }) => sum + seen.length, 0);
    expect(weight).toBeGreaterThan(before);
    expect(tables.inside().events).toBe(weight);
  });

  it('are evicted by weight, least recently used first, and read back the same', async () => {
    await seat('a', 'b', 'c');
    const alone = cache({});
    const { state: ledger } = await alone.load('a');
    const weight = alone.inside().events;
    const [two, less] = [cache({ events: 2 * weight }), cache({ events: 2 * weight - 1 })];
    for (const tables of [two, less]) for (const table of ['a', 'b', 'a', 'c']) await tables.load(table);
    expect(two.inside()).toEqual({ running: 2, over: 0, events: 2 * weight });
    expect(less.inside()).toEqual({ running: 1, over: 0, events: weight });
    const [kept, again] = [await two.load('a'), await two.load('b')];
    expect([kept.state.tape.length, again.state.tape.length]).toEqual([ledger.tape.length, ledger.tape.length]);
    expect(await two.load('b')).toBe(again); // the last is kept
  });

  it('are not evicted while in use', async () => {
    await seat('a');
    const tables = cache({ events: 1 });
    const one = await tables.load('a');
    expect(await tables.load('a')).toBe(one);
    expect(tables.inside().running).toBe(1);
  });

  it('are evicted by number', async () => {
    await seat('a', 'b', 'c');
    const tables = cache({ tables: 2 });
    for (const table of ['a', 'b', 'c']) await tables.load(table);
    expect(tables.inside().running).toBe(2);
  });
});

describe('tables that are over', () => {
  /** A game that was played, on as many tapes. */
  async function played(...names: readonly string[]): Promise<void> {
    const playing = await gamemasterAndChatroom(here.store);
    try {
      await playing.play({ table: 'played', rules: 'onuw', players: 3 });
      expect(playing.inside()).toMatchObject({ running: 0, over: 1 }); // who has played it knows that it is over
    } finally {
      await playing.close();
    }
    const tape = await here.store.tapes.read('played');
    const { summary } = (await here.store.tapes.list({ limit: 1, isOver: true }))[0] as unknown as {
      readonly summary: { readonly stage: string };
    };
    const events = tape.map(({ event }) => event);
    for (const name of names) await here.store.tapes.append(name, 0, events, { at: tape[0]!.at, cause: name, wake: undefined, summary });
  }

  it('are evicted before running ones', async () => {
    await played('over-0', 'over-1');
    await seat('a');
    const both = cache({});
    for (const name of ['a', 'over-0']) await both.load(name);
    const tables = cache({ events: both.inside().events });
    for (const name of ['a', 'over-0', 'over-1']) await tables.load(name);
    expect(tables.inside()).toEqual({ running: 1, over: 1, events: both.inside().events });
  });

  it('are evicted but for the last fifty', async () => {
    const names = Array.from({ length: 55 }, (_, i) => `over-${i}`);
    await played(...names);
    const tables = cache({});
    for (const name of names.slice(0, 50)) await tables.load(name);
    const { events } = tables.inside();
    for (const name of names.slice(50)) await tables.load(name);
    expect(tables.inside()).toEqual({ running: 0, over: 50, events });
  });
});
