import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { memoryBus } from '@maw/bus/memory/memory-bus.ts';
import type { SeatPlan } from '@maw/games/match/state.ts';
import { modelCapacity } from './capacity.ts';
import type { Replica } from '../replica.suite.ts';
import { reasonOf, type Rig, rig } from '../rig.suite.ts';

const seat = (kind: 'mind' | 'person', recipe?: string): SeatPlan => ({ kind, ...(recipe === undefined ? {} : { recipe }) }) as SeatPlan;
const thinking = [seat('mind', 'algorithm-1'), seat('mind', 'rules'), seat('person')];
const busy = { utilisation: 0.834, active: 6, more: 0 };

/** Why a table with these seats may not be opened; undefined when it may. */
const objection = (capacity: ReturnType<typeof modelCapacity>, at = 0, seats: readonly SeatPlan[] = thinking): string | undefined => {
  try {
    capacity.take(seats, at);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('model capacity', () => {
  it('is not asked for by seats without a recipe where the usual one needs no model', () => {
    const full = { utilisation: 1, active: 9, more: 0 };
    const [usual, rules] = [modelCapacity(), modelCapacity(undefined, 'rules')];
    for (const capacity of [usual, rules]) capacity.hear(full, 0);
    const seats: readonly SeatPlan[] = [{ kind: 'mind' }];
    expect([objection(usual, 0, seats), objection(rules, 0, seats)]).toEqual([expect.any(String), undefined]);
    expect(objection(rules, 0, [{ kind: 'mind', recipe: 'react' }])).toBeDefined();
  });

  it('is unlimited without a report from the last 30 s', () => {
    const capacity = modelCapacity();
    expect(objection(capacity)).toBeUndefined();
    capacity.hear(busy, 1_000);
    expect(objection(capacity, 31_000)).toBeDefined();
    expect(objection(capacity, 31_001)).toBeUndefined();
  });

  it('is reduced by tables opened since the report', () => {
    const capacity = modelCapacity();
    capacity.hear({ utilisation: 0.2, active: 1, more: 2 }, 0);
    expect([objection(capacity), objection(capacity)]).toEqual([undefined, undefined]);
    expect(objection(capacity)).toContain('20 % of their time is asked for by one game, and 2 more were just opened');
    capacity.hear({ utilisation: 0.5, active: 3, more: 1 }, 5_000);
    expect(objection(capacity, 5_000)).toBeUndefined();
    expect(objection(capacity, 5_000)).toContain('50 % of their time is asked for by 3 games, and one more was just opened');
  });

  it('stays reserved for a table without requests for one minute', () => {
    const capacity = modelCapacity();
    const free = { utilisation: 0, active: 0, more: 2 };
    capacity.hear(free, 0);
    expect([objection(capacity, 0), objection(capacity, 1_000)]).toEqual([undefined, undefined]);
    for (const at of [5_000, 30_000, 60_000]) {
      capacity.hear(free, at);
      expect(objection(capacity, at)).toContain('2 more were just opened');
    }
    // One of them is heard of, and two more would fit: one for the other, one for another.
    capacity.hear({ utilisation: 0.3, active: 1, more: 2 }, 60_000);
    expect([objection(capacity, 60_000), objection(capacity, 60_000)]).toEqual([undefined, expect.any(String)]);
    // Nobody hears of the second one.
    capacity.hear({ utilisation: 0.3, active: 1, more: 2 }, 61_000);
    expect(objection(capacity, 61_000)).toBeDefined();
    expect([objection(capacity, 61_001), objection(capacity, 61_001)]).toEqual([undefined, expect.any(String)]);
  });

  it('is released once when a table was not opened', () => {
    const capacity = modelCapacity();
    capacity.hear({ utilisation: 0.2, active: 1, more: 1 }, 0);
    const giveBack = capacity.take(thinking, 0);
    giveBack();
    giveBack();
    const late = capacity.take(thinking, 0);
    expect(objection(capacity)).toBeDefined();
    capacity.hear({ utilisation: 0.3, active: 2, more: 1 }, 0);
    capacity.take(thinking, 0);
    late();
    expect(objection(capacity)).toBeDefined();
  });

  it('is reserved only for minds that need a model', () => {
    const capacity = modelCapacity();
    capacity.hear(busy, 0);
    for (const seats of [[seat('mind', 'algorithm-1')], [seat('mind')], [seat('mind', 'rules'), seat('mind', 'algorithm-1')]])
      expect(objection(capacity, 0, seats)).toBeDefined();
    for (const seats of [[seat('mind', 'rules'), seat('mind', 'random')], [seat('person')], [seat('person', 'algorithm-1')]])
      expect(objection(capacity, 0, seats)).toBeUndefined();
  });

  it('is refused with the cause and the way out', () => {
    const capacity = modelCapacity();
    capacity.hear(busy, 0);
    expect(objection(capacity)).toBe(
      'limited: the models have no room for another table: 83 % of their time is asked for by 6 games; try again in a minute, or open one whose minds need no model (recipe random, rules, or tactician)',
    );
    capacity.hear({ utilisation: 0, active: 0, more: 0 }, 0);
    expect(objection(capacity)).toContain('no model server is up that could take one; try again');
  });
});

describe('a gamemaster that receives capacity reports', () => {
  let here: Rig;
  beforeEach(() => {
    here = rig();
  });
  afterEach(() => here.close());

  const seats = (recipe: string) => ({ rules: 'maw', seats: [0, 1, 2].map(() => ({ kind: 'mind' as const, recipe })) });
  /** Resolves once everybody has heard it who listens where the gamemaster does, which was there first. */
  const told = async (at: Replica, said: typeof busy): Promise<void> => {
    const heard = Promise.withResolvers<void>();
    const bystander = memoryBus({ service: 'bystander', hub: at.hub });
    await bystander.subscribe(['llm.capacity'], async () => heard.resolve());
    await at.tell('llm.capacity', said, { table: 'pool', source: 'llm-gateway' });
    await heard.promise;
    await bystander.close();
  };
  let n = 0;
  const tryIt = async (at: Replica, recipe = 'algorithm-1', table = `fresh-${n++}`) =>
    reasonOf(await at.ask('table.open', seats(recipe), { table }));

  it('refuses tables that need a model, and opens others', async () => {
    const at = await here.replica();
    expect(await tryIt(at, 'algorithm-1', 'before')).toBeUndefined();
    await told(at, busy);
    const refused = await at.ask('table.open', seats('algorithm-1'), { table: 'refused' });
    expect(refused).toMatchObject({ performative: 'refuse', data: { reason: 'limited', waitMs: 60_000 } });
    expect(await here.tapeOf('refused')).toEqual([]);
    expect(at.of('seat.invited').some(({ subject }) => subject === 'refused')).toBe(false);
    expect(await tryIt(at, 'rules', 'opened')).toBeUndefined();
    here.clock.now += 30_001;
    expect(await tryIt(at, 'algorithm-1', 'later')).toBeUndefined();
  });

  it('opens a repeated request again, and refuses a refused one again', async () => {
    const at = await here.replica();
    await at.get('table.open', seats('algorithm-1'), { id: 'o' });
    await told(at, busy);
    expect(await at.get('table.open', seats('algorithm-1'), { id: 'o' })).toEqual({ table: 't1' });
    expect(await tryIt(at, 'algorithm-1', 't1')).toBe('already-begun');
  });

  it('releases the capacity of a failed append', async () => {
    let fails = 0;
    const append: typeof here.store.tapes.append = async (table, ...given) => {
      if (table === 'stubborn' && fails++ === 0) throw new Error('the connection is lost');
      return here.store.tapes.append(table, ...given);
    };
    const at = await here.replica({ tapes: { ...here.store.tapes, append } });
    await told(at, { ...busy, more: 1 });
    expect(await tryIt(at, 'algorithm-1', 'stubborn')).toBeUndefined();
    expect(fails).toBe(2);
    expect(await tryIt(at)).toBe('limited');
  });

  it('counts a burst, but no table refused for another reason', async () => {
    const at = await here.replica();
    await told(at, { ...busy, more: 2 });
    const bad = { ...seats('algorithm-1'), seats: [0, 1, 2].map(() => ({ kind: 'mind' as const, name: 'Bo' })) };
    for (let i = 0; i < 3; i++) expect(reasonOf(await at.ask('table.open', bad, { table: `bad-${i}` }))).toBe('name-taken');
    const burst = await Promise.all(Array.from({ length: 5 }, () => tryIt(at)));
    expect(burst).toEqual([undefined, undefined, 'limited', 'limited', 'limited']);
  });

  it('opens tables when the check is off', async () => {
    const at = await here.replica({ obeyCapacity: false });
    await told(at, busy);
    for (let i = 0; i < 5; i++) expect(await tryIt(at)).toBeUndefined();
  });
});
