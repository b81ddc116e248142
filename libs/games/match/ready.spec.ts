import { describe, expect, it } from '@jest/globals';
import { type Played, tableOf } from '@maw/tests/equipment/fakes/table.ts';
import { maw } from '../maw/maw.ts';
import { Refusal } from '../kernel/refusal.ts';

// "I am ready": where all who must say so have, and minds have voted, a public vote ends after its countdown.

const VOTE = 'round-1/day-1/vote';
const SEATS = [0, 1, 2, 3, 4, 5];
const PEOPLE = { dayMs: 300_000, graceSeconds: 20, shortestDaySeconds: 90 };
const seat = (n: number) => `seat:${n}`;
const of = (events: readonly { readonly type: string }[], type: string) => events.filter((e) => e.type === type);

/** A table by day, at which minds play these seats. */
function day(minds: readonly number[] = [], options: object = PEOPLE): Played {
  const table = tableOf(maw, { options: options as { readonly [name: string]: unknown } });
  for (const one of minds) table.add(table.rules.hand(table.standing.game, one, 'mind'));
  return table;
}

const ready = (table: Played, one: number, id = VOTE) => table.add(table.game.ready(table.standing, id, one, table.now, 'seed'));
const whyNot = (table: Played, one: number, id = VOTE): string | undefined => {
  try {
    table.game.ready(table.standing, id, one, table.now, 'seed');
  } catch (error) {
    if (error instanceof Refusal) return error.reason;
    throw error;
  }
  return undefined;
};

describe('a public vote of people who are all ready', () => {
  it('ends after its countdown without a majority, and the most voted is executed', () => {
    const table = day();
    table.act(0, 'vote', seat(1));
    table.act(1, 'vote', seat(2));
    table.pass(100_000);
    for (const one of SEATS.slice(1)) expect(of(ready(table, one), 'hastened')).toEqual([]);
    const until = table.now + 20_000;
    expect(of(ready(table, 0), 'hastened')).toEqual([{ type: 'hastened', question: VOTE, at: table.now, until }]);
    table.pass(10_000);
    expect(of(table.act(3, 'vote', seat(2)), 'hastened')).toEqual([]); // votes may change, and lengthen nothing
    expect(of(table.wait(), 'executed')).toEqual([{ type: 'executed', seat: 2 }]);
    expect(table.now).toBe(until);
  });

  it('lasts as long as any day must', () => {
    const table = day();
    table.pass(10_000);
    const said = SEATS.flatMap((one) => [...ready(table, one)]);
    expect(of(said, 'hastened')).toMatchObject([{ at: 10_000, until: 90_000 }]);
  });

  it('ends later by the time that is given back', () => {
    const table = day();
    table.pass(100_000);
    for (const one of SEATS) ready(table, one);
    table.add([{ type: 'delayed', ms: 7_000, at: table.now } as { readonly type: string }]);
    expect(table.question('vote').until).toBe(127_000);
  });

  it('ends with a majority that would end it sooner', () => {
    const table = day();
    table.pass(100_000);
    for (const one of SEATS.slice(1)) ready(table, one);
    for (const one of [2, 3, 4, 5]) table.act(one, 'vote', seat(1));
    const { majorityUntil } = table.question('vote');
    table.pass(5_000);
    expect(of(ready(table, 0), 'hastened')).toEqual([]);
    expect(table.game.wake(table.standing)).toBe(majorityUntil);
  });

  it('folds from its tape to the same end', () => {
    const table = day([3]);
    table.act(3, 'vote', seat(0));
    for (const one of SEATS.filter((each) => each !== 3)) ready(table, one);
    expect(table.game.fold(table.tape)).toEqual(table.standing);
  });
});

describe('minds at a public vote', () => {
  it('are ready once they have voted, and not before', () => {
    const table = day([1, 2, 3, 4]);
    table.pass(100_000);
    ready(table, 0);
    ready(table, 5);
    for (const mind of [1, 2, 3]) expect(of(table.act(mind, 'vote', seat(mind + 1)), 'hastened')).toEqual([]);
    expect(of(table.act(4, 'vote', seat(0)), 'hastened')).toHaveLength(1);
  });

  it('are waited for no more once a person has left a seat that has voted', () => {
    const table = day([1, 2, 3, 4]);
    table.pass(100_000);
    for (const one of [1, 2, 3, 4, 5]) table.act(one, 'vote', seat(one - 1));
    ready(table, 0);
    table.add(table.rules.hand(table.standing.game, 5, 'mind'));
    expect(table.game.hasten(table.standing, table.now)).toHaveLength(1);
  });

  it('look to everybody else like people who say that they are ready as they vote', () => {
    const play = (minds: readonly number[]): Played => {
      const table = day(minds);
      table.pass(95_000);
      ready(table, 0);
      for (const one of SEATS.slice(1)) {
        table.act(one, 'vote', seat(one - 1));
        if (!minds.includes(one)) ready(table, one);
        table.pass(100);
      }
      table.wait();
      return table;
    };
    const seen = (table: Played, eye: number | 'audience') =>
      table.game.view(table.tape, eye).filter((e) => e.type !== 'handed' && !(e.type === 'ready' && eye !== 0));
    const [all, some] = [play([1, 2, 3, 4, 5]), play([2])];
    expect(of(all.tape, 'hastened')).toHaveLength(1);
    for (const eye of [0, 'audience'] as const) expect(seen(some, eye)).toEqual(seen(all, eye));
    expect(some.game.view(some.tape, 'audience').filter(({ type }) => type === 'ready')).toEqual([]);
    // Shown to all, it would tell them apart.
    const shown = (table: Played) => table.tape.filter(({ type }) => type !== 'handed');
    expect(shown(some)).not.toEqual(shown(all));
  });
});

describe('to say "I am ready"', () => {
  it('is seen by the own seat and the narrator alone', () => {
    const table = day();
    ready(table, 2);
    const sees = (eye: number | 'audience' | 'narrator') => of(table.game.view(table.tape, eye), 'ready').length;
    expect([...SEATS, 'audience' as const, 'narrator' as const].map(sees)).toEqual([0, 0, 1, 0, 0, 0, 0, 1]);
  });

  it.each([
    ['where a majority ends the vote at once', {}],
    ['where votes are secret', { ...PEOPLE, votes: 'silent' }],
    ['where the day ends when all have voted', { ...PEOPLE, hurry: true }],
  ])('is refused %s', (_, options) => {
    expect(whyNot(day([], options), 0)).toBe('nothing-said');
  });

  it('is refused twice, by night, and to the dead', () => {
    const table = day();
    ready(table, 0);
    expect(whyNot(table, 0)).toBe('already-answered');
    for (const one of [0, 2, 3, 4, 5]) table.act(one, 'vote', seat(1));
    table.wait();
    const wolf = (table.state.roles as string[]).findIndex((role, at) => role === 'wolf' && at !== 1);
    expect(whyNot(table, wolf, 'round-1/night-1/hunt')).toBe('nothing-said');
    expect(whyNot(table, 1, 'round-1/night-1/hunt')).toBe('dead');
    expect(whyNot(table, 0)).toBe('phase-over');
  });
});
