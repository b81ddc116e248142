import { describe, expect, it } from '@jest/globals';
import { type Played, tableOf } from '@maw/tests/equipment/fakes/table.ts';
import type { Eye } from '../kernel/question.ts';
import { avalon } from './avalon.ts';
import { countsOf } from './dealt.suite.ts';
import type { Role } from './state.ts';
import { SEVEN, TEN, of, view, make } from './avalon.suite.ts';

describe('Avalon: the cast', () => {
  const five = ['merlin', 'percival', 'servant', 'morgana', 'assassin'];
  const seven = [...five, 'servant', 'minion'];
  const nine = [...five, 'servant', 'servant', 'servant', 'mordred'];
  it.each([
    [5, {}, five],
    [6, {}, [...five, 'servant']],
    [7, {}, seven],
    [7, { seventh: 'oberon' }, [...five, 'servant', 'oberon']],
    [7, { seventh: 'mordred' }, [...five, 'servant', 'mordred']],
    [7, { tenth: 'oberon' }, seven],
    [8, {}, [...seven, 'servant']],
    [8, { seventh: 'oberon' }, [...five, 'servant', 'servant', 'oberon']],
    [9, {}, nine],
    [9, { seventh: 'oberon' }, nine],
    [10, {}, [...nine, 'minion']],
    [10, { tenth: 'oberon' }, [...nine, 'oberon']],
    [10, { seventh: 'oberon' }, [...nine, 'minion']],
  ])('of %i with %j', (players, options, roles) => {
    expect((tableOf(avalon, { players, options }).state.roles as string[]).toSorted()).toEqual(roles.toSorted());
  });

  const own = (roles: readonly Role[], players = roles.length) => avalon.rules(players, { roles: countsOf(roles) });
  const with6 = (...rest: Role[]) => own(['merlin', 'assassin', ...rest]);

  it('may be chosen by an option', () => {
    const roles = { merlin: 1, servant: 3, assassin: 1, oberon: 1 };
    expect((tableOf(avalon, { players: 6, options: { roles } }).state.roles as string[]).toSorted()).toEqual(
      ['assassin', 'merlin', 'oberon', 'servant', 'servant', 'servant'].toSorted(),
    );
    expect(
      (tableOf(avalon, { players: 6, options: { roles: 'merlin=1,servant=3,assassin=1,minion=1' } }).state.roles as string[])[0],
    ).toBeDefined();
    expect(() => own(['merlin', 'servant', 'servant', 'servant', 'assassin', 'minion', 'minion'])).not.toThrow(); // there may be several minions
  });

  it.each([
    ['exactly one merlin, not 0', () => own(['servant', 'servant', 'servant', 'servant', 'assassin', 'minion'])],
    ['exactly one merlin, not 2', () => with6('merlin', 'servant', 'servant', 'minion')],
    ['exactly one assassin, not 0', () => own(['merlin', 'servant', 'servant', 'servant', 'morgana', 'minion'])],
    ['exactly one assassin, not 2', () => with6('servant', 'servant', 'servant', 'assassin')],
    ['at most one percival, not 2', () => with6('percival', 'percival', 'servant', 'minion')],
    ['at most one morgana, not 2', () => own(['merlin', 'servant', 'servant', 'servant', 'assassin', 'morgana', 'morgana'])],
    ['at most one mordred, not 2', () => own(['merlin', 'servant', 'servant', 'servant', 'assassin', 'mordred', 'mordred'])],
    ['at most one oberon, not 2', () => own(['merlin', 'servant', 'servant', 'servant', 'assassin', 'oberon', 'oberon'])],
    ['6 roles for 6 players, not 5', () => own(['merlin', 'servant', 'servant', 'assassin', 'minion'], 6)],
    ['2 evil of 6 players, not 1', () => with6('servant', 'servant', 'servant', 'servant')],
    ['2 evil of 6 players, not 3', () => with6('servant', 'servant', 'minion', 'minion')],
    ['3 evil of 7 players, not 2', () => with6('servant', 'servant', 'servant', 'servant', 'minion')],
    ['4 evil of 10 players, not 3', () => with6(...Array.from({ length: 6 }, () => 'servant' as const), 'minion', 'minion')],
  ])('is refused as an option unless there are %s', (says, dealing) => {
    expect(dealing).toThrow(says);
    expect(dealing).toThrow('bad-option');
  });

  it.each([
    [5, 2],
    [6, 2],
    [7, 3],
    [8, 3],
    [9, 3],
    [10, 4],
  ])('chosen by option for %i has %i evil', (players, evil) => {
    const cast = (minions: number): Role[] => [
      'merlin',
      'assassin',
      ...Array.from({ length: minions }, () => 'minion' as const),
      ...Array.from({ length: players - minions - 2 }, () => 'servant' as const),
    ];
    expect(() => own(cast(evil - 1))).not.toThrow();
    expect(() => own(cast(evil))).toThrow(`${evil} evil of ${players} players, not ${evil + 1}`);
    expect(() => own(cast(evil - 2))).toThrow('bad-option');
  });

  it('is dealt from the seed, as is the first leader', () => {
    const deals = (seed: string) => JSON.stringify([tableOf(avalon, { seed }).state.roles, tableOf(avalon, { seed }).state.leader]);
    expect(deals('a')).toBe(deals('a'));
    const seeds = Array.from({ length: 60 }, (_, i) => tableOf(avalon, { seed: `s${i}` }).state);
    expect(new Set(seeds.map(({ leader }) => leader as number))).toEqual(new Set([0, 1, 2, 3, 4, 5]));
    expect(new Set(seeds.map(({ roles }) => (roles as string[]).indexOf('merlin')))).toEqual(new Set([0, 1, 2, 3, 4, 5]));
    expect(avalon.record).toMatchObject({ deal: { roles: expect.any(String), leader: expect.any(String) }, draws: {} });
  });
});

describe('Avalon: the knowledge', () => {
  const saw = (table: Played, eye: Eye) => of(view(table, eye), 'saw').map(({ type: _, ...rest }) => rest);
  const dealtTo = (table: Played, eye: Eye) => of(view(table, eye), 'dealt')[0]!['roles'];

  it('of one’s role is limited to one’s own', () => {
    const table = make(TEN);
    for (const [n, role] of TEN.entries()) expect(dealtTo(table, n)).toEqual(TEN.map((_, at) => (at === n ? role : 'hidden')));
    expect(dealtTo(table, 'audience')).toEqual(TEN.map(() => 'hidden'));
    expect(dealtTo(table, 'narrator')).toEqual(TEN);
  });

  it('of each role among ten is exactly this', () => {
    const table = make(TEN);
    expect(saw(table, 3)).toEqual([{ seat: 3, of: [0, 1, 4], as: 'evil' }]); // Merlin: all but Mordred, Oberon too
    expect(saw(table, 5)).toEqual([{ seat: 5, of: [1, 3], as: 'merlin-or-morgana' }]); // Percival
    expect(saw(table, 1)).toEqual([{ seat: 1, of: [4, 7], as: 'evil' }]); // Morgana: not Oberon
    expect(saw(table, 4)).toEqual([{ seat: 4, of: [1, 7], as: 'evil' }]); // Assassin
    expect(saw(table, 7)).toEqual([{ seat: 7, of: [1, 4], as: 'evil' }]); // Mordred
    for (const n of [0, 2, 6, 8, 9]) expect(saw(table, n)).toEqual([]); // Oberon sees nobody, nor do the Servants
    expect(saw(table, 'audience')).toEqual([]);
  });

  it('of a Minion is the other evil seats, and Merlin sees the Minion', () => {
    const table = make(SEVEN);
    expect(saw(table, 6)).toEqual([{ seat: 6, of: [4, 5], as: 'evil' }]);
    expect(saw(table, 0)).toEqual([{ seat: 0, of: [4, 5, 6], as: 'evil' }]);
  });

  it('of Percival lists the two in seat order', () => {
    const roles = (a: Role, b: Role) => ['percival', 'servant', a, 'servant', b, 'assassin'] as const;
    for (const pair of [roles('merlin', 'morgana'), roles('morgana', 'merlin')]) {
      expect(saw(make(pair), 0)).toEqual([{ seat: 0, of: [2, 4], as: 'merlin-or-morgana' }]);
    }
  });

  it('of Percival without Morgana is Merlin; the Assassin does not know Oberon', () => {
    const roles = ['percival', 'servant', 'servant', 'oberon', 'merlin', 'assassin'] as const;
    const table = make(roles, { roles: countsOf(roles) });
    expect(saw(table, 0)).toEqual([{ seat: 0, of: [4], as: 'merlin' }]);
    expect(saw(table, 5)).toEqual([{ seat: 5, of: [], as: 'evil' }]);
    expect(saw(table, 4)).toEqual([{ seat: 4, of: [3, 5], as: 'evil' }]);
  });
});
