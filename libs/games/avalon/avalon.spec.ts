import { describe, expect, it } from '@jest/globals';
import { type Played, tableOf } from '@maw/testing/fakes/table.ts';
import type { Eye } from '../kernel/question.ts';
import { avalon } from './avalon.ts';
import { avalonDealt, countsOf } from './dealt.suite.ts';
import { avalonOptions } from './options.ts';
import type { Role } from './state.ts';

type Event = { readonly type: string; readonly [field: string]: unknown };
type Options = { readonly [name: string]: unknown };
type Cards = { readonly [seat: number]: string };

const SIX = ['servant', 'morgana', 'percival', 'assassin', 'merlin', 'servant'] as const; // evil: 1 and 3, Merlin: 4
const SEVEN = ['merlin', 'percival', 'servant', 'servant', 'morgana', 'assassin', 'minion'] as const; // evil: 4, 5, 6
const TEN = ['oberon', 'morgana', 'servant', 'merlin', 'assassin', 'percival', 'servant', 'mordred', 'servant', 'servant'] as const;

const seat = (n: number) => `seat:${n}`;
const seats = (of: readonly number[]) => of.map(seat);
const of = (events: readonly { readonly type: string }[], type: string) => events.filter((e) => e.type === type) as Event[];
const ids = (table: Played) => table.standing.open.map((q) => q.id);
const result = (table: Played) => table.standing.game.results[0];
const all = (table: Played) => table.standing.game.names.map((_, n) => n);
const view = (table: Played, eye: Eye) => table.game.view(table.tape, eye) as Event[];

/** A table without talk, dealt as given; `leader` leads first. */
function make(roles: readonly Role[] = SIX, options: Options = {}, leader = 0): Played {
  const own = roles === TEN ? { tenth: 'oberon' } : {};
  return tableOf(avalonDealt(roles, leader), { players: roles.length, options: { talk: false, ...own, ...options } });
}
/** The leader names a team. */
const name = (table: Played, ...team: number[]) => table.act(table.state.leader, 'team', ...seats(team));
/** `approving` approve, all others reject. */
const vote = (table: Played, ...approving: number[]) =>
  all(table).flatMap((n) => table.act(n, 'approve', approving.includes(n) ? 'approve' : 'reject'));
/** The team plays its cards: success, or what is given. */
const play = (table: Played, cards: Cards = {}) => table.question('quest').of.flatMap((n) => table.act(n, 'quest', cards[n] ?? 'success'));
/** One quest from its first proposal: named, approved by all, played. */
function quest(table: Played, team: readonly number[], cards: Cards = {}) {
  name(table, ...team);
  vote(table, ...all(table));
  return play(table, cards);
}
const reject = (table: Played) => {
  table.wait(); // the silent leader's team
  return vote(table);
};
/** The first of all seats, as many as the quest wants. */
const first = (table: Played) => all(table).slice(0, table.question('team').pick);
/** Three successes by the good of SIX. */
const three = (table: Played) => {
  quest(table, [0, 2]);
  quest(table, [0, 2, 4]);
  return quest(table, [0, 2, 4, 5]);
};

describe('Avalon: the cast', () => {
  it('is for 5 to 10, usually 6', () => {
    expect(avalon.players).toEqual({ least: 5, most: 10, usual: 6 });
    for (const players of [4, 11]) expect(() => avalon.rules(players, {})).toThrow('bad-option');
    for (const players of [5, 6, 7, 8, 9, 10]) expect(() => avalon.rules(players, {})).not.toThrow();
  });

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

  it('of one’s own is dealt as it is given', () => {
    const roles = { merlin: 1, servant: 3, assassin: 1, oberon: 1 };
    expect((tableOf(avalon, { players: 6, options: { roles } }).state.roles as string[]).toSorted()).toEqual(
      ['assassin', 'merlin', 'oberon', 'servant', 'servant', 'servant'].toSorted(),
    );
    expect(
      (tableOf(avalon, { players: 6, options: { roles: 'merlin=1,servant=3,assassin=1,minion=1' } }).state.roles as string[])[0],
    ).toBeDefined();
    expect(() => own(['merlin', 'servant', 'servant', 'servant', 'assassin', 'minion', 'minion'])).not.toThrow(); // minions may be many
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
  ])('of one’s own is refused unless there are %s', (says, dealing) => {
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
  ])('of one’s own with %i has %i evil', (players, evil) => {
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

  it('is dealt from the seed, and so is the first leader', () => {
    const deals = (seed: string) => JSON.stringify([tableOf(avalon, { seed }).state.roles, tableOf(avalon, { seed }).state.leader]);
    expect(deals('a')).toBe(deals('a'));
    const seeds = Array.from({ length: 60 }, (_, i) => tableOf(avalon, { seed: `s${i}` }).state);
    expect(new Set(seeds.map(({ leader }) => leader as number))).toEqual(new Set([0, 1, 2, 3, 4, 5]));
    expect(new Set(seeds.map(({ roles }) => (roles as string[]).indexOf('merlin')))).toEqual(new Set([0, 1, 2, 3, 4, 5]));
    expect(avalon.record).toMatchObject({ deal: { roles: expect.any(String), leader: expect.any(String) }, draws: {} });
  });
});

describe('Avalon: what is seen', () => {
  const saw = (table: Played, eye: Eye) => of(view(table, eye), 'saw').map(({ type: _, ...rest }) => rest);
  const dealtTo = (table: Played, eye: Eye) => of(view(table, eye), 'dealt')[0]!['roles'];

  it('is one’s own role and no other', () => {
    const table = make(TEN);
    for (const [n, role] of TEN.entries()) expect(dealtTo(table, n)).toEqual(TEN.map((_, at) => (at === n ? role : 'hidden')));
    expect(dealtTo(table, 'audience')).toEqual(TEN.map(() => 'hidden'));
    expect(dealtTo(table, 'narrator')).toEqual(TEN);
  });

  it('by each role of ten is this, and by nobody else', () => {
    const table = make(TEN);
    expect(saw(table, 3)).toEqual([{ seat: 3, of: [0, 1, 4], as: 'evil' }]); // Merlin: all but Mordred, Oberon too
    expect(saw(table, 5)).toEqual([{ seat: 5, of: [1, 3], as: 'merlin-or-morgana' }]); // Percival
    expect(saw(table, 1)).toEqual([{ seat: 1, of: [4, 7], as: 'evil' }]); // Morgana: not Oberon
    expect(saw(table, 4)).toEqual([{ seat: 4, of: [1, 7], as: 'evil' }]); // Assassin
    expect(saw(table, 7)).toEqual([{ seat: 7, of: [1, 4], as: 'evil' }]); // Mordred
    for (const n of [0, 2, 6, 8, 9]) expect(saw(table, n)).toEqual([]); // Oberon sees nobody, nor do the Servants
    expect(saw(table, 'audience')).toEqual([]);
  });

  it('by a Minion is the other evil, and Merlin sees the Minion', () => {
    const table = make(SEVEN);
    expect(saw(table, 6)).toEqual([{ seat: 6, of: [4, 5], as: 'evil' }]);
    expect(saw(table, 0)).toEqual([{ seat: 0, of: [4, 5, 6], as: 'evil' }]);
  });

  it('by Percival is in the order of seats, whoever of the two sits first', () => {
    const roles = (a: Role, b: Role) => ['percival', 'servant', a, 'servant', b, 'assassin'] as const;
    for (const pair of [roles('merlin', 'morgana'), roles('morgana', 'merlin')]) {
      expect(saw(make(pair), 0)).toEqual([{ seat: 0, of: [2, 4], as: 'merlin-or-morgana' }]);
    }
  });

  it('by Percival without Morgana is who Merlin is; by an Assassin alone with Oberon, nobody', () => {
    const roles = ['percival', 'servant', 'servant', 'oberon', 'merlin', 'assassin'] as const;
    const table = make(roles, { roles: countsOf(roles) });
    expect(saw(table, 0)).toEqual([{ seat: 0, of: [4], as: 'merlin' }]);
    expect(saw(table, 5)).toEqual([{ seat: 5, of: [], as: 'evil' }]);
    expect(saw(table, 4)).toEqual([{ seat: 4, of: [3, 5], as: 'evil' }]);
  });
});

describe('Avalon: the talk', () => {
  const talking = (leader: number, options: Options = {}) => make(SIX, { talk: true, ...options }, leader);

  it('is before each proposal: everybody once, the leader first, then in the order of seats, at the Table', () => {
    const table = talking(4);
    expect(ids(table)).toEqual(['round-1/quest-1/proposal-1/talk']);
    expect(table.question('talk')).toMatchObject({
      of: [4, 5, 0, 1, 2, 3],
      inTurn: true,
      room: 'Table',
      among: 'table',
      heard: 'at-once',
      maxChars: 500,
    });
    expect(table.refusal(5, 'talk', 'me first')).toBe('not-your-turn');
    for (const n of [4, 5, 0, 1, 2]) table.act(n, 'talk', `I am ${n}`);
    expect(table.refusal(4, 'talk', 'once more')).toBe('already-answered');
    expect(ids(table)).toEqual(['round-1/quest-1/proposal-1/talk']);
    table.act(3, 'talk', 'the last');
    expect(ids(table)).toEqual(['round-1/quest-1/proposal-1/team']);
    expect(JSON.stringify(view(table, 'audience'))).toMatch(/the last/);
  });

  it('goes on when somebody is silent, after turnMs', () => {
    const table = talking(4, { turnMs: 700 });
    table.act(4, 'talk', 'I begin');
    table.pass(699);
    expect(table.refusal(0, 'talk', 'my turn')).toBe('not-your-turn');
    table.pass(1);
    expect(table.refusal(0, 'talk', 'my turn')).toBeUndefined();
    for (let i = 0; i < 5; i++) table.wait();
    expect(ids(table)).toEqual(['round-1/quest-1/proposal-1/team']);
  });

  it('is held again after a rejected team, the new leader first', () => {
    const table = talking(5);
    for (let i = 0; i < 6; i++) table.wait();
    reject(table);
    expect(ids(table)).toEqual(['round-1/quest-1/proposal-2/talk']);
    expect(table.question('talk').of).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('has at most maxChars characters', () => {
    const table = talking(0, { maxChars: 20 });
    expect(table.refusal(0, 'talk', 'x'.repeat(21))).toBe('too-long');
    expect(table.refusal(0, 'talk', 'x'.repeat(20))).toBeUndefined();
  });

  it('is left out with talk: false', () => {
    expect(ids(make())).toEqual(['round-1/quest-1/proposal-1/team']);
  });
});

describe('Avalon: the team', () => {
  it.each([
    [5, [2, 3, 2, 3, 3]],
    [6, [2, 3, 4, 3, 4]],
    [7, [2, 3, 3, 4, 4]],
    [8, [3, 4, 4, 5, 5]],
    [9, [3, 4, 4, 5, 5]],
    [10, [3, 4, 4, 5, 5]],
  ])('of %i players has %j members', (players, sizes) => {
    const table = tableOf(avalon, { players, options: { talk: false, goodMayFail: true, twoFails: false } });
    for (const [i, size] of sizes.entries()) {
      expect(of(table.tape, 'led').at(-1)).toMatchObject({ quest: i + 1, proposal: 1, size });
      expect(table.question('team')).toMatchObject({ pick: size, options: seats(all(table)), self: true });
      expect(table.refusal(table.state.leader, 'team', ...seats(all(table).slice(0, size - 1)))).toBe('wrong-number-of-choices');
      const team = all(table).slice(0, size);
      quest(table, team, i % 2 ? { 0: 'fail' } : {}); // success, fail, success, fail, and the fifth decides
    }
    expect(of(table.tape, 'quested').map(({ isSuccess }) => isSuccess)).toEqual([true, false, true, false, true]);
  });

  it('is named by the leader alone, who may name anybody and need not go', () => {
    const table = make(SIX, {}, 2);
    expect(table.question('team').of).toEqual([2]);
    expect(table.refusal(0, 'team', seat(0), seat(1))).toBe('not-asked');
    expect(table.refusal(2, 'team', seat(0), seat(9))).toBe('not-an-option');
    expect(table.refusal(2, 'team', seat(0), seat(0))).toBe('wrong-number-of-choices');
    expect(of(name(table, 5, 0), 'proposed')).toEqual([
      { type: 'proposed', quest: 1, proposal: 1, leader: 2, team: [5, 0], isForced: false },
    ]);
    expect(ids(table)).toEqual(['round-1/quest-1/proposal-1/approve']);
  });

  it('of too many names is the first ones; a name said twice is one', () => {
    const team = (...names: number[]) => of(name(make(), ...names), 'proposed')[0]!['team'];
    expect(team(5, 1, 0)).toEqual([5, 1]);
    expect(team(5, 5, 1, 0)).toEqual([5, 1]);
    const table = make();
    expect(table.refusal(0, 'team', seat(9), seat(1), seat(2))).toBe('not-an-option');
    expect(table.refusal(0, 'team', seat(1), seat(1), seat(1))).toBe('wrong-number-of-choices');
    name(table, 5, 1, 0);
    expect(of(table.tape, 'answered').at(-1)).toMatchObject({ answer: { says: ['seat:5', 'seat:1'] } }); // as it was meant
  });

  it('of a silent leader is the leader and the next in the order of seats', () => {
    const table = make(SIX, {}, 4);
    expect(of(table.wait(), 'proposed')[0]).toMatchObject({ leader: 4, team: [4, 5] });
    const second = make(SIX, {}, 4);
    quest(second, [0, 2]);
    expect(of(second.wait(), 'proposed')[0]).toMatchObject({ leader: 5, team: [5, 0, 1] });
  });

  it('waits for teamMs, and not longer than the answer', () => {
    expect(make(SIX, { teamMs: 1234 }).question('team').until).toBe(1234);
  });
});

describe('Avalon: the vote on a team', () => {
  it('is shown to nobody until all have voted, and then to all, with who voted what', () => {
    const table = make();
    name(table, 0, 1);
    expect(table.question('approve')).toMatchObject({ of: [0, 1, 2, 3, 4, 5], options: ['approve', 'reject'], final: true });
    for (const n of [0, 1, 2, 3, 4]) table.act(n, 'approve', n < 3 ? 'approve' : 'reject');
    for (const eye of [5, 'audience'] as const) expect(JSON.stringify(view(table, eye))).not.toMatch(/"answered","question":"[^"]*approve/);
    expect(of(view(table, 0), 'answered').filter((e) => String(e['question']).endsWith('approve'))).toHaveLength(1); // one’s own
    table.act(5, 'approve', 'approve');
    const voted = {
      type: 'voted',
      quest: 1,
      proposal: 1,
      leader: 0,
      team: [0, 1],
      approve: [0, 1, 2, 5],
      reject: [3, 4],
      isApproved: true,
    };
    for (const eye of [5, 'audience', 'narrator'] as const) expect(of(view(table, eye), 'voted')).toEqual([voted]);
    expect(table.refusal(0, 'approve', 'reject')).toBe('phase-over');
  });

  it('cannot be changed', () => {
    const table = make();
    name(table, 0, 1);
    table.act(0, 'approve', 'approve');
    expect(table.refusal(0, 'approve', 'reject')).toBe('already-answered');
  });

  it.each([
    ['majority', 2, false],
    ['majority', 3, false],
    ['majority', 4, true],
    ['half', 2, false],
    ['half', 3, true],
    ['half', 4, true],
  ])('by %s: %i of 6 approve: %j', (approval, count, isApproved) => {
    const table = make(SIX, { approval });
    name(table, 0, 1);
    expect(of(vote(table, ...[5, 4, 3, 2].slice(0, count)), 'voted')[0]).toMatchObject({ isApproved });
    expect(ids(table)).toEqual([`round-1/quest-1/proposal-${isApproved ? '1/quest' : '2/team'}`]);
  });

  it.each(['majority', 'half'])('of an odd number needs more than half anyway (%s)', (approval) => {
    for (const [count, isApproved] of [
      [3, false],
      [4, true],
    ] as const) {
      const table = make(SEVEN, { approval });
      name(table, 0, 1);
      expect(of(vote(table, ...all(table).slice(0, count)), 'voted')[0]).toMatchObject({ isApproved });
    }
  });

  it('counts the silent as approving, after voteMs', () => {
    const table = make(SIX, { voteMs: 500 });
    name(table, 0, 1);
    table.act(0, 'approve', 'reject');
    table.act(1, 'approve', 'reject');
    expect(table.question('approve').until - table.now).toBe(500);
    expect(of(table.wait(), 'voted')[0]).toMatchObject({ approve: [2, 3, 4, 5], reject: [0, 1], isApproved: true });
  });

  it('passes the lead on when it rejects, and counts the proposals of the quest', () => {
    const table = make(SIX, {}, 4);
    for (const [leader, proposal] of [
      [4, 1],
      [5, 2],
      [0, 3],
      [1, 4],
    ]) {
      expect(of(table.tape, 'led').at(-1)).toMatchObject({ quest: 1, leader, proposal });
      expect(table.state.team).toEqual([]); // no longer the one that was rejected
      reject(table);
    }
    expect(of(table.tape, 'led').at(-1)).toMatchObject({ quest: 1, leader: 2, proposal: 5 });
    quest(table, [0, 2]);
    expect(of(table.tape, 'led').at(-1)).toMatchObject({ quest: 2, leader: 3, proposal: 1 }); // after a quest too
  });

  it('makes evil win when it rejects the fifth team of a quest, not the fourth', () => {
    const table = make();
    for (let i = 0; i < 4; i++) reject(table);
    expect(result(table)).toBeUndefined();
    reject(table);
    expect(result(table)).toMatchObject({ winner: 'evil', winners: [1, 3] });
    expect(of(table.tape, 'ended')[0]).toMatchObject({ because: 'five-rejected' });
  });

  it('does not add rejections of different quests', () => {
    const table = make();
    for (let i = 0; i < 4; i++) reject(table);
    quest(table, [0, 2]);
    for (let i = 0; i < 4; i++) reject(table);
    expect(result(table)).toBeUndefined();
  });

  it('is not held on the fifth team with fifth: forced', () => {
    const table = make(SIX, { fifth: 'forced' });
    for (let i = 0; i < 3; i++) reject(table);
    table.wait();
    expect(ids(table)).toEqual(['round-1/quest-1/proposal-4/approve']);
    vote(table);
    const events = name(table, 1, 3);
    expect(of(events, 'proposed')[0]).toMatchObject({ proposal: 5, isForced: true, team: [1, 3] });
    expect(ids(table)).toEqual(['round-1/quest-1/proposal-5/quest']);
    expect(table.question('quest').of).toEqual([1, 3]);
    play(table, { 1: 'fail' });
    expect(of(table.tape, 'led').at(-1)).toMatchObject({ quest: 2, proposal: 1, leader: 5 });
  });
});

describe('Avalon: the quest', () => {
  const onQuest = (team: readonly number[], options: Options = {}) => {
    const table = make(SIX, options);
    name(table, ...team);
    vote(table, ...all(table));
    return table;
  };

  it('asks the team, and everybody knows', () => {
    const table = onQuest([0, 1]);
    expect(table.question('quest')).toMatchObject({ of: [0, 1], among: 'table', heard: 'never', options: ['success', 'fail'] });
    expect(table.refusal(2, 'quest', 'success')).toBe('not-asked');
    for (const eye of [2, 'audience'] as const)
      expect(of(view(table, eye), 'asked').at(-1)).toMatchObject({ question: { id: 'round-1/quest-1/proposal-1/quest', of: [0, 1] } });
  });

  it('lets the good play success only, and the evil what they like', () => {
    const table = onQuest([0, 1]);
    const open = (n: number) => table.game.asked(table.standing, n).map((q) => q.options);
    expect(open(0)).toEqual([['success']]);
    expect(open(1)).toEqual([['success', 'fail']]);
    expect(table.refusal(0, 'quest', 'fail')).toBe('not-an-option');
    expect(table.refusal(1, 'quest', 'fail')).toBeUndefined();
    expect(table.refusal(1, 'quest', 'success')).toBeUndefined();
  });

  it('lets the good fail with goodMayFail', () => {
    const table = onQuest([0, 2], { goodMayFail: true });
    expect(table.game.asked(table.standing, 0)[0]!.options).toEqual(['success', 'fail']);
    expect(of(play(table, { 0: 'fail' }), 'quested')[0]).toMatchObject({ fails: 1, isSuccess: false });
  });

  it.each([
    [{}, 0, true],
    [{ 1: 'fail' }, 1, false],
    [{ 1: 'fail', 3: 'fail' }, 2, false],
  ])('with the cards %j has %i fails: success %j', (cards, fails, isSuccess) => {
    const table = onQuest([1, 3]);
    expect(of(play(table, cards), 'quested')).toEqual([{ type: 'quested', quest: 1, team: [1, 3], fails, isSuccess }]);
  });

  it('shows the cards as counts only: who played what nobody learns but the narrator', () => {
    const tables = [1, 3].map((n) => {
      const table = onQuest([1, 3]);
      play(table, { [n]: 'fail' });
      return table;
    }) as [Played, Played];
    for (const eye of [0, 2, 4, 5, 'audience'] as const) expect(view(tables[0], eye)).toEqual(view(tables[1], eye));
    expect(of(view(tables[0], 'narrator'), 'answered').slice(-2)).toMatchObject([
      { answer: { by: 1, says: ['fail'] } },
      { answer: { by: 3, says: ['success'] } },
    ]);
    expect(of(view(tables[0], 3), 'answered').slice(-1)).toMatchObject([{ answer: { by: 3, says: ['success'] } }]);
  });

  it('counts success for the silent good, fail for the silent evil, and does not say for whom', () => {
    expect(of(onQuest([0, 2]).wait(), 'quested')[0]).toMatchObject({ fails: 0 });
    const table = onQuest([1, 0]);
    table.act(0, 'quest', 'success');
    expect(of(table.wait(), 'quested')[0]).toMatchObject({ fails: 1, isSuccess: false });
    const settled = (eye: Eye) => view(table, eye).findLast((e) => e.type === 'settled')!;
    expect(settled('narrator')['defaulted']).toEqual([{ by: 1, says: ['fail'] }]);
    expect(settled(1)['defaulted']).toEqual([{ by: 1, says: ['fail'] }]);
    for (const eye of [0, 2, 'audience'] as const) expect(Object.keys(settled(eye))).toEqual(['type', 'question', 'answers']);
  });

  it('counts success for the silent good with goodMayFail too', () => {
    expect(of(onQuest([0, 2], { goodMayFail: true }).wait(), 'quested')[0]).toMatchObject({ fails: 0 });
  });

  it('lasts questMs at most', () => {
    const table = onQuest([0, 1], { questMs: 321 });
    expect(table.question('quest').until - table.now).toBe(321);
  });

  /** Success, fail, success, and then quest 4 with so many fails of the evil of SEVEN. */
  const fourth = (fails: number, options: Options = {}, roles: readonly Role[] = SEVEN) => {
    const evil = roles.flatMap((role, n) => (['morgana', 'assassin', 'minion'].includes(role) ? [n] : []));
    const table = make(roles, options);
    const good = all(table).filter((n) => !evil.includes(n));
    const team = (size: number) => [...evil, ...good].slice(0, size);
    quest(table, team(table.question('team').pick));
    quest(table, team(table.question('team').pick), { [evil[0]!]: 'fail' });
    quest(table, team(table.question('team').pick));
    const cards = Object.fromEntries(evil.slice(0, fails).map((n) => [n, 'fail']));
    return of(quest(table, team(table.question('team').pick), cards), 'quested')[0]!;
  };

  it('4 with 7 or more players needs two fails', () => {
    expect(fourth(1)).toMatchObject({ quest: 4, fails: 1, isSuccess: true });
    expect(fourth(2)).toMatchObject({ quest: 4, fails: 2, isSuccess: false });
    expect(fourth(1, {}, TEN)).toMatchObject({ isSuccess: true });
  });

  it('4 with 6 players, or with twoFails: false, needs one', () => {
    expect(fourth(1, {}, SIX)).toMatchObject({ quest: 4, fails: 1, isSuccess: false });
    expect(fourth(1, { twoFails: false })).toMatchObject({ fails: 1, isSuccess: false });
    expect(fourth(0, { twoFails: false })).toMatchObject({ fails: 0, isSuccess: true });
  });

  it('1, 2, 3 and 5 need one with 7 players too', () => {
    const table = make(SEVEN);
    const cards = (fail: boolean) => (fail ? { 4: 'fail' } : {});
    for (const fail of [true, false, true, false, true]) {
      const team = [4, 5, 6, 0, 1].slice(0, table.question('team').pick);
      expect(of(quest(table, team, cards(fail)), 'quested')[0]).toMatchObject({ isSuccess: !fail });
    }
    expect(result(table)).toMatchObject({ winner: 'evil' });
  });
});

describe('Avalon: the end', () => {
  it('comes with the third fail: evil wins', () => {
    const table = make();
    quest(table, [0, 1], { 1: 'fail' });
    quest(table, [0, 1, 2], { 1: 'fail' });
    expect(result(table)).toBeUndefined();
    quest(table, [0, 1, 2, 3], { 1: 'fail', 3: 'fail' });
    expect(result(table)).toEqual({ winner: 'evil', winners: [1, 3], roles: SIX, points: [0, 1, 0, 1, 0, 0] });
    expect(of(table.tape, 'ended')).toEqual([{ type: 'ended', winner: 'evil', because: 'quests-failed', roles: SIX }]);
    expect(of(table.tape, 'sought')).toEqual([]);
  });

  it('needs no three in a row', () => {
    const table = make();
    quest(table, [0, 2]);
    quest(table, [0, 1, 2], { 1: 'fail' });
    quest(table, [0, 2, 4, 5]);
    quest(table, [0, 1, 2], { 1: 'fail' });
    expect(of(table.tape, 'ended')).toEqual([]);
    quest(table, [0, 2, 4, 5]);
    expect(ids(table)).toEqual(['round-1/end/assassinate']);
  });

  it('with the third success is for the Assassin to decide, who alone is asked', () => {
    const table = make();
    three(table);
    expect(result(table)).toBeUndefined();
    expect(table.question('assassinate')).toMatchObject({
      id: 'round-1/end/assassinate',
      of: [3],
      among: [3],
      heard: 'never',
      final: true,
    });
    expect(table.question('assassinate').options).toEqual(seats([0, 2, 4, 5])); // neither oneself nor who is known to be evil
    for (const eye of [0, 1, 2, 4, 5, 'audience'] as const) {
      expect(JSON.stringify(view(table, eye))).not.toMatch(/assassinate/);
      expect(view(table, eye).at(-1)).toEqual({ type: 'sought' });
    }
    for (const n of [0, 1, 4]) expect(table.refusal(n, 'assassinate', seat(2))).toBe('phase-over');
    expect(table.refusal(3, 'assassinate', 'nobody')).toBe('not-an-option');
  });

  it('is evil’s when the Assassin names Merlin', () => {
    const table = make();
    three(table);
    const events = table.act(3, 'assassinate', seat(4));
    expect(of(events, 'shot')).toEqual([{ type: 'shot', by: 3, seat: 4, isMerlin: true }]);
    expect(of(events, 'ended')).toEqual([{ type: 'ended', winner: 'evil', because: 'merlin-named', roles: SIX }]);
    expect(result(table)).toEqual({ winner: 'evil', winners: [1, 3], roles: SIX, points: [0, 1, 0, 1, 0, 0] });
  });

  it('is good’s when the Assassin names another, Percival too', () => {
    const table = make();
    three(table);
    expect(of(table.act(3, 'assassinate', seat(2)), 'shot')).toEqual([{ type: 'shot', by: 3, seat: 2, isMerlin: false }]);
    expect(result(table)).toEqual({ winner: 'good', winners: [0, 2, 4, 5], roles: SIX, points: [1, 0, 1, 0, 1, 1] });
    expect(of(table.tape, 'ended')[0]).toMatchObject({ because: 'quests-succeeded' });
  });

  it('is good’s when the Assassin is silent for assassinMs', () => {
    const table = make(SIX, { assassinMs: 777 });
    three(table);
    expect(table.question('assassinate').until - table.now).toBe(777);
    const events = table.wait();
    expect(of(events, 'shot')).toEqual([]);
    expect(result(table)).toMatchObject({ winner: 'good' });
  });

  it('leaves Oberon among those the Assassin may name, for he is not known', () => {
    const table = make(TEN);
    quest(table, [2, 3, 5]);
    quest(table, [2, 3, 5, 6]);
    quest(table, [2, 3, 5, 6]);
    expect(table.question('assassinate').options).toEqual(seats([0, 2, 3, 5, 6, 8, 9]));
    table.act(4, 'assassinate', seat(0));
    expect(result(table)).toMatchObject({ winner: 'good', winners: [2, 3, 5, 6, 8, 9], points: [0, 0, 1, 1, 0, 1, 1, 0, 1, 1] });
  });

  it('shows all roles to all', () => {
    const table = make();
    three(table);
    table.wait();
    for (const eye of [0, 'audience'] as const) expect(of(view(table, eye), 'ended')[0]!['roles']).toEqual(SIX);
  });

  it('comes in every game: five proposals of five quests are the most there can be', () => {
    for (const fifth of ['forced', 'evil-wins']) {
      const table = make(SIX, { fifth, assassination: 'any-quest', goodMayFail: true });
      for (let n = 1; n <= 5; n++) {
        for (let proposal = 1; proposal < 5; proposal++) reject(table);
        name(table, ...first(table));
        if (fifth === 'evil-wins') vote(table, 0, 1, 2, 3);
        play(table, n % 2 ? {} : { 0: 'fail' });
        if (n < 5) table.wait(); // the Assassin is silent
      }
      expect(ids(table)).toEqual(['round-1/end/assassinate']);
      table.wait();
      expect(result(table)).toMatchObject({ winner: 'good' });
      expect(of(table.tape, 'led')).toHaveLength(25);
    }
  });

  it('comes when nobody ever does anything, and is evil’s when evil is on three of the teams', () => {
    const table = tableOf(avalonDealt(SIX, 0), { players: 6 });
    let alarms = 0;
    while (!table.game.isOver(table.standing)) {
      table.wait();
      alarms++;
    }
    expect(of(table.tape, 'quested').map(({ isSuccess }) => isSuccess)).toEqual([false, false, false]);
    expect(result(table)).toMatchObject({ winner: 'evil' });
    expect(alarms).toBeLessThanOrEqual(25 * (6 + 3) + 6);
  });
});

describe('Avalon: the Assassin after any quest', () => {
  const any = (options: Options = {}) => make(SIX, { assassination: 'any-quest', ...options });

  it('is asked after each quest, and may name nobody', () => {
    const table = any();
    expect(of(quest(table, [0, 2]), 'sought')).toHaveLength(1);
    expect(table.question('assassinate')).toMatchObject({ id: 'round-1/quest-1/assassinate', of: [3], among: [3], heard: 'never' });
    expect(table.question('assassinate').options).toEqual(['nobody', ...seats([0, 2, 4, 5])]);
    table.act(3, 'assassinate', 'nobody');
    table.wait();
    quest(table, [0, 1, 2], { 1: 'fail' });
    expect(ids(table)).toEqual(['round-1/quest-2/assassinate']); // after a failed one too
    table.wait();
    expect(of(table.tape, 'shot')).toEqual([]);
    expect(of(table.tape, 'led').at(-1)).toMatchObject({ quest: 3, leader: 2, proposal: 1 });
  });

  it('is not asked before the third success otherwise', () => {
    const table = make();
    quest(table, [0, 2]);
    expect(ids(table)).toEqual(['round-1/quest-2/proposal-1/team']);
  });

  it('wins at once by naming Merlin', () => {
    const table = any({ hurry: true });
    quest(table, [0, 2]);
    table.act(3, 'assassinate', seat(4));
    expect(result(table)).toMatchObject({ winner: 'evil', winners: [1, 3] });
    expect(of(table.tape, 'ended')[0]).toMatchObject({ because: 'merlin-named' });
  });

  it('has one shot: after a wrong one everybody knows him, the game goes on, and he is never asked again', () => {
    const table = any({ hurry: true });
    quest(table, [0, 2]);
    table.act(3, 'assassinate', seat(2));
    for (const eye of [0, 'audience'] as const)
      expect(of(view(table, eye), 'shot')).toEqual([{ type: 'shot', by: 3, seat: 2, isMerlin: false }]);
    expect(ids(table)).toEqual(['round-1/quest-2/proposal-1/team']);
    quest(table, [0, 2, 4]);
    expect(ids(table)).toEqual(['round-1/quest-3/proposal-1/team']);
    quest(table, [0, 2, 4, 5]);
    expect(result(table)).toMatchObject({ winner: 'good' });
    expect(of(table.tape, 'sought')).toHaveLength(1);
  });

  it('keeps the shot for the third success, when the answer ends the game at once', () => {
    const table = any();
    for (const team of [
      [0, 2],
      [0, 2, 4],
      [0, 2, 4, 5],
    ]) {
      quest(table, team);
      if (team.length < 4) table.wait();
    }
    expect(table.question('assassinate').options).toEqual(seats([0, 2, 4, 5]));
    table.act(3, 'assassinate', seat(4));
    expect(result(table)).toMatchObject({ winner: 'evil' });
  });

  it('is not asked when evil has won already', () => {
    const table = any({ hurry: true });
    for (const team of [
      [0, 1],
      [0, 1, 2],
      [0, 1, 2, 4],
    ]) {
      quest(table, team, { 1: 'fail' });
      if (team.length < 4) table.act(3, 'assassinate', 'nobody');
    }
    expect(result(table)).toMatchObject({ winner: 'evil' });
    expect(of(table.tape, 'sought')).toHaveLength(2);
  });

  it('lets as much time pass whether there is an answer, and which; with hurry it does not', () => {
    const after = (answer: string | undefined, hurry: boolean) => {
      const table = any({ hurry, assassinMs: 5000 });
      quest(table, [0, 2]);
      table.pass(10);
      if (answer) table.act(3, 'assassinate', answer);
      const isOpen = ids(table).some((id) => id.endsWith('assassinate'));
      if (isOpen) table.wait();
      return { isOpen, at: table.now };
    };
    for (const answer of [undefined, 'nobody', seat(2), seat(4)]) expect(after(answer, false)).toEqual({ isOpen: true, at: 5000 });
    for (const answer of ['nobody', seat(2), seat(4)]) expect(after(answer, true)).toEqual({ isOpen: false, at: 10 });
    expect(after(undefined, true)).toEqual({ isOpen: true, at: 5000 });
  });

  it('cannot take back an answer', () => {
    const table = any();
    quest(table, [0, 2]);
    table.act(3, 'assassinate', 'nobody');
    expect(table.refusal(3, 'assassinate', seat(4))).toBe('already-answered');
  });
});

describe('Avalon: the words', () => {
  const names = ['Ann', 'Bob', 'Cid', 'Dot', 'Eve', 'Fay'];
  const table = make();
  const tell = (e: Event, question?: object) => table.rules.tell(e as never, { names, ...(question ? { question } : {}) } as never);

  it.each([
    [{ type: 'dealt', roles: [] }, 'The roles are dealt.'],
    [{ type: 'saw', seat: 0, of: [1, 3], as: 'evil' }, 'Ann sees that Bob and Dot are evil.'],
    [{ type: 'saw', seat: 0, of: [1], as: 'evil' }, 'Ann sees that Bob is evil.'],
    [{ type: 'saw', seat: 0, of: [], as: 'evil' }, 'Ann sees nobody else who is evil.'],
    [{ type: 'saw', seat: 0, of: [1, 3], as: 'merlin-or-morgana' }, 'Ann sees Bob and Dot: one of them is Merlin, the other Morgana.'],
    [{ type: 'saw', seat: 0, of: [1], as: 'merlin' }, 'Ann sees that Bob is Merlin.'],
    [{ type: 'led', quest: 2, proposal: 3, leader: 4, size: 3 }, 'Quest 2, proposal 3: Eve leads and will name a team of 3.'],
    [{ type: 'proposed', quest: 2, leader: 4, team: [0, 1, 2], isForced: false }, 'Eve names Ann, Bob and Cid for quest 2.'],
    [{ type: 'proposed', quest: 2, leader: 4, team: [0, 1], isForced: true }, 'Eve names Ann and Bob for quest 2; they go without a vote.'],
    [
      { type: 'voted', team: [0, 1], approve: [2, 3, 4, 5], reject: [0, 1], isApproved: true },
      'The team of Ann and Bob is approved: Cid, Dot, Eve and Fay for it, Ann and Bob against.',
    ],
    [
      { type: 'voted', team: [0, 1], approve: [], reject: [0], isApproved: false },
      'The team of Ann and Bob is rejected: nobody for it, Ann against.',
    ],
    [{ type: 'quested', quest: 1, team: [0, 1], fails: 0, isSuccess: true }, 'Quest 1 of Ann and Bob succeeds: no fail cards.'],
    [{ type: 'quested', quest: 1, team: [0, 1], fails: 1, isSuccess: false }, 'Quest 1 of Ann and Bob fails: 1 fail card.'],
    [{ type: 'quested', quest: 1, team: [0, 1], fails: 2, isSuccess: false }, 'Quest 1 of Ann and Bob fails: 2 fail cards.'],
    [{ type: 'sought' }, 'The Assassin may name Merlin now.'],
    [{ type: 'shot', by: 0, seat: 1, isMerlin: true }, 'Ann is the Assassin and names Bob as Merlin: right.'],
    [{ type: 'shot', by: 0, seat: 1, isMerlin: false }, 'Ann is the Assassin and names Bob as Merlin: wrong.'],
    [
      { type: 'ended', because: 'merlin-named', roles: SIX },
      'Merlin is found. Evil wins. Ann: Loyal Servant, Bob: Morgana, Cid: Percival, Dot: Assassin, Eve: Merlin, Fay: Loyal Servant.',
    ],
  ])('tell %j', (event, words) => {
    expect(tell(event)).toBe(words);
  });

  it.each([
    ['q/talk', 'say', ['hello'], 'hello'],
    ['q/team', 'choose', ['seat:1', 'seat:2'], 'Ann names Bob and Cid.'],
    ['q/approve', 'choose', ['approve'], 'Ann approves.'],
    ['q/approve', 'choose', ['reject'], 'Ann rejects.'],
    ['q/quest', 'choose', ['fail'], 'Ann plays fail.'],
    ['q/assassinate', 'choose', ['seat:1'], 'Ann names Bob as Merlin.'],
    ['q/assassinate', 'choose', ['nobody'], 'Ann names nobody as Merlin.'],
  ])('tell an answer to %s', (id, verb, says, words) => {
    expect(tell({ type: 'answered', question: id, answer: { by: 0, says } }, { id, verb })).toBe(words);
  });

  it('are written at the Table, but for what is not everybody’s', () => {
    const rooms = (type: string) => table.rules.announce({ type } as never);
    for (const type of ['led', 'proposed', 'voted', 'quested', 'shot', 'ended']) expect(rooms(type)).toEqual(['Table']);
    for (const type of ['dealt', 'saw', 'sought']) expect(rooms(type)).toEqual([]);
    const talking = make(SIX, { talk: true });
    const types = talking.types();
    expect(types.lastIndexOf('led')).toBeGreaterThan(types.lastIndexOf('asked')); // the room is open before it is written in
  });

  const briefs = (roles: readonly Role[], options: Options = {}) => {
    const played = make(roles, options);
    return (n: number) => played.rules.brief(played.game.fold(view(played, n)).game, n, ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J']);
  };

  it('brief each role on what it knows, from its own view', () => {
    const brief = briefs(TEN);
    expect(brief(0)).toBe('Your role: Oberon, evil. You do not know the other evil players, nor do they know you.');
    expect(brief(1)).toBe('Your role: Morgana, evil. You see that E and H are evil. Oberon is evil too, and you do not see who.');
    expect(brief(2)).toBe('Your role: Loyal Servant, good. You see nothing.');
    expect(brief(3)).toBe('Your role: Merlin, good. You see that A, B and E are evil. Mordred is evil too, and you do not see who.');
    expect(brief(5)).toBe('Your role: Percival, good. You see B and D: one of them is Merlin, the other Morgana.');
    expect(brief(7)).toBe(
      'Your role: Mordred, evil. You see that B and E are evil. Oberon is evil too, and you do not see who. Merlin does not see you.',
    );
    expect(briefs(SEVEN)(6)).toBe('Your role: Minion of Mordred, evil. You see that E and F are evil.');
    expect(briefs(SIX)(3)).toBe('Your role: Assassin, evil. You see that B is evil.');
    expect(briefs(SIX)(4)).toBe('Your role: Merlin, good. You see that B and D are evil.');
  });

  it('brief on how the quests stand, and the Assassin on the shot', () => {
    const played = make(SIX, { assassination: 'any-quest', hurry: true });
    quest(played, [0, 2]);
    played.act(3, 'assassinate', seat(2));
    const brief = (n: number) => played.rules.brief(played.game.fold(view(played, n)).game, n, names);
    expect(brief(3)).toBe(
      'Your role: Assassin, evil. You see that Bob is evil. Quests so far: 1 succeeded, 0 failed. You have named Merlin once and may not do so again.',
    );
    expect(brief(0)).toBe('Your role: Loyal Servant, good. You see nothing. Quests so far: 1 succeeded, 0 failed.');
  });

  it('of the rules say what is enforced: every option changes them', () => {
    const changed: {
      readonly [option in keyof typeof avalonOptions]: readonly [players: number, base: Options, other: unknown, says: RegExp];
    } = {
      seventh: [7, {}, 'oberon', /Evil: Morgana, Assassin and Oberon\..*but for Oberon/s],
      tenth: [10, {}, 'oberon', /Evil: Morgana, Assassin, Mordred and Oberon\./],
      roles: [
        6,
        {},
        { merlin: 1, servant: 3, assassin: 1, minion: 1 },
        /Good: Merlin and 3 Loyal Servants\. Evil: Assassin and Minion of Mordred\./,
      ],
      approval: [6, {}, 'half', /approved by half of the votes or more/],
      fifth: [6, {}, 'forced', /fifth proposal of a quest goes without a vote/],
      twoFails: [7, {}, false, /One fail card fails a quest\. /],
      goodMayFail: [6, {}, true, /secret card within 30 seconds: success or fail/],
      assassination: [6, {}, 'any-quest', /once in the game, after any quest.*pass whether there is an answer or not/],
      hurry: [6, { assassination: 'any-quest' }, true, /or answers sooner/],
      talk: [6, {}, false, /There is no talk/],
      maxChars: [6, {}, 77, /at most 77 characters/],
      turnMs: [6, {}, 90_000, /characters in 90 seconds/],
      teamMs: [6, {}, 90_000, /exactly the size within 90 seconds/],
      voteMs: [6, {}, 90_000, /vote at once, within 90 seconds/],
      questMs: [6, {}, 90_000, /secret card within 90 seconds/],
      assassinMs: [6, {}, 90_000, /The Assassin has 90 seconds/],
    };
    expect(Object.keys(changed)).toEqual(Object.keys(avalonOptions));
    for (const [option, [players, base, other, says]] of Object.entries(changed)) {
      expect(avalon.text(players, base)).not.toMatch(says);
      expect(avalon.text(players, { ...base, [option]: other })).toMatch(says);
    }
  });

  it('of the rules tell the cast and the sizes of the number of players', () => {
    expect(avalon.text(6, {})).toMatch(/^6 players\. Good: Merlin, Percival and 2 Loyal Servants\. Evil: Morgana and Assassin\.\n/);
    expect(avalon.text(6, {})).toMatch(/at most five quests, of 2, 3, 4, 3 and 4 players/);
    expect(avalon.text(6, {})).not.toMatch(/needs two|Mordred|Oberon/);
    expect(avalon.text(7, {})).toMatch(/quest 4 needs two/);
    expect(avalon.text(9, {})).toMatch(/Merlin sees who is evil, but for Mordred\./);
    const lone = { merlin: 1, percival: 1, servant: 2, assassin: 1, minion: 1 };
    expect(avalon.text(6, { roles: lone })).toMatch(/Percival sees who Merlin is\./);
  });
});
