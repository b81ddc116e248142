import { describe, expect, it } from '@jest/globals';
import type { Played } from '@maw/tests/equipment/fakes/table.ts';
import { avalon } from './avalon.ts';
import { countsOf } from './dealt.suite.ts';
import type { Role } from './state.ts';
import {
  all,
  type Event,
  ids,
  make,
  name,
  of,
  type Options,
  play,
  quest,
  reject,
  result,
  seat,
  seats,
  SIX,
  TEN,
  view,
  vote,
} from './avalon.suite.ts';

const NAMES = ['Ann', 'Bob', 'Cid', 'Dot', 'Eve', 'Fay', 'Gus', 'Hal', 'Ida', 'Jo'];
const teamOf = (table: Played) => [0, 2, 4, 5, 1, 3].slice(0, table.question('team').pick);
const win = (table: Played) => quest(table, teamOf(table));
const lose = (table: Played) => quest(table, [1, 0, 2, 4].slice(0, table.question('team').pick), { 1: 'fail' });
const briefIn = (table: Played, n: number) => table.rules.brief(table.game.fold(view(table, n)).game, n, NAMES);
const becauseOf = (table: Played) => of(table.tape, 'ended').map((e) => e['because']);

describe('Avalon: the Lady of the Lake', () => {
  const lady = (options: Options = {}, leader = 0, roles: readonly Role[] = SIX) => make(roles, { lady: true, ...options }, leader);
  const holders = (table: Played) => of(table.tape, 'lady').map(({ holder }) => holder);
  /** Two quests are over, and the holder is asked. */
  const asked = (options: Options = {}, leader = 0) => {
    const table = lady(options, leader);
    win(table);
    lose(table);
    return table;
  };

  it('is in no game unless it is chosen', () => {
    const table = make();
    for (const go of [win, lose, win, lose, win]) go(table);
    expect(ids(table)).toEqual(['round-1/end/assassinate']);
    expect(of(table.tape, 'lady')).toEqual([]);
    expect(table.state).not.toHaveProperty('holders');
  });

  it.each([
    [0, 5],
    [3, 2],
    [5, 4],
  ])('is first with the seat before the first leader: led by %i it is %i', (leader, holder) => {
    const table = lady({}, leader);
    expect(holders(table)).toEqual([holder]);
    for (const eye of [...all(table), 'audience'] as const) expect(of(view(table, eye), 'lady')).toEqual([{ type: 'lady', holder }]);
    expect(all(table).filter((n) => avalon.marks!(table.state, n).includes('lady'))).toEqual([holder]);
  });

  it('may be chosen with any number of players', () => {
    for (let players = 5; players <= 10; players++) expect(() => avalon.rules(players, { lady: true })).not.toThrow();
  });

  it('is used after quests 2, 3 and 4, at most three times, and then the next leader leads', () => {
    const table = lady();
    win(table);
    expect(ids(table)).toEqual(['round-1/quest-2/proposal-1/team']);
    for (const [go, at] of [
      [lose, 2],
      [win, 3],
      [lose, 4],
    ] as const) {
      go(table);
      expect(ids(table)).toEqual([`round-1/quest-${at}/lady`]);
      table.act(table.question('lady').of[0]!, 'lady', table.question('lady').options[0]!);
      expect(of(table.tape, 'led').at(-1)).toMatchObject({ quest: at + 1, leader: at, proposal: 1 });
    }
    win(table);
    expect(ids(table)).toEqual(['round-1/end/assassinate']);
    expect(holders(table)).toHaveLength(4);
  });

  it('is not used once three quests have failed or succeeded, nor after a fifth rejection', () => {
    for (const go of [win, lose]) {
      const table = lady();
      go(table);
      go(table);
      table.act(5, 'lady', seat(0));
      go(table);
      expect(ids(table).filter((id) => id.endsWith('/lady'))).toEqual([]);
      expect(of(table.tape, 'lady')).toHaveLength(2);
    }
    const table = lady();
    win(table);
    for (let n = 0; n < 5; n++) reject(table);
    expect(becauseOf(table)).toEqual(['five-rejected']);
    expect(of(table.tape, 'lady')).toHaveLength(1);
  });

  it('is used after the question of the Assassin, where that comes after every quest', () => {
    const table = lady({ assassination: 'any-quest' });
    win(table);
    table.wait();
    lose(table);
    expect(ids(table)).toEqual(['round-1/quest-2/assassinate']);
    table.wait();
    expect(ids(table)).toEqual(['round-1/quest-2/lady']);
    const shot = lady({ assassination: 'any-quest', hurry: true });
    win(shot);
    shot.act(3, 'assassinate', 'nobody');
    lose(shot);
    shot.act(3, 'assassinate', seat(4));
    expect(becauseOf(shot)).toEqual(['merlin-named']);
  });

  it('asks the holder alone, in front of all, for one who has not held her, and takes nobody else', () => {
    const table = asked();
    expect(table.question('lady')).toMatchObject({ of: [5], options: seats([0, 1, 2, 3, 4]), pick: 1, final: true, among: 'table' });
    expect(table.refusal(5, 'lady', seat(5))).toBe('not-an-option');
    expect(table.refusal(5, 'lady', 'nobody')).toBe('not-an-option');
    expect(table.refusal(0, 'lady', seat(1))).toBe('not-asked');
    table.act(5, 'lady', seat(2));
    lose(table);
    expect(table.question('lady')).toMatchObject({ of: [2], options: seats([3, 4, 0, 1]) });
    for (const n of [5, 2]) expect(table.refusal(2, 'lady', seat(n))).toBe('not-an-option');
  });

  it('shows the holder alone the side, never the role, and all who named whom', () => {
    for (const [n, found] of [
      [1, 'evil'],
      [3, 'evil'],
      [4, 'good'],
      [2, 'good'],
    ] as const) {
      const table = asked();
      const events = table.act(5, 'lady', seat(n));
      expect(of(events, 'inspected')).toEqual([{ type: 'inspected', by: 5, seat: n, found }]);
      expect(of(view(table, 5), 'inspected')).toEqual([{ type: 'inspected', by: 5, seat: n, found }]);
      for (const eye of [0, 1, 2, 3, 4, 'audience'] as const) {
        expect(of(view(table, eye), 'inspected')).toEqual([]);
        expect(of(view(table, eye), 'lady').at(-1)).toEqual({ type: 'lady', holder: n, by: 5 });
        expect(JSON.stringify(table.game.fold(view(table, eye)).game)).not.toMatch(/"looks"/);
      }
    }
  });

  it('shows Mordred and Oberon as evil', () => {
    for (const n of [0, 7]) {
      const table = lady({}, 4, TEN); // Merlin, seat 3, holds her
      for (let quests = 0; quests < 2; quests++) quest(table, [2, 3, 5, 6].slice(0, table.question('team').pick));
      table.act(3, 'lady', seat(n));
      expect(of(view(table, 3), 'inspected')).toEqual([{ type: 'inspected', by: 3, seat: n, found: 'evil' }]);
    }
  });

  it('goes on to the named, who is asked next', () => {
    const table = asked();
    table.act(5, 'lady', seat(3));
    expect(holders(table)).toEqual([5, 3]);
    expect(all(table).filter((n) => avalon.marks!(table.state, n).includes('lady'))).toEqual([3]);
    lose(table);
    expect(table.question('lady').of).toEqual([3]);
  });

  it('takes the next seat from the holder on for silence, after teamMs', () => {
    const table = asked({ teamMs: 4_000 }, 5); // seat 4 holds her
    expect(table.question('lady').until - table.now).toBe(4_000);
    table.wait();
    expect(of(table.tape, 'lady').at(-1)).toEqual({ type: 'lady', holder: 5, by: 4 });
    win(table);
    table.wait();
    expect(of(table.tape, 'lady').at(-1)).toEqual({ type: 'lady', holder: 0, by: 5 });
  });

  it('leaves the talk after it free: there is nothing to show', () => {
    const table = lady({ talk: true });
    const talk = () => { for (let n = 0; n < 6; n++) table.wait(); }; // prettier-ignore
    talk();
    win(table);
    talk();
    lose(table);
    table.act(5, 'lady', seat(1));
    expect(table.question('talk')).toMatchObject({ of: [2, 3, 4, 5, 0, 1], room: 'Table' });
  });

  it('is told of in these words', () => {
    const table = asked();
    const tell = (e: Event, question?: object) =>
      table.rules.tell(e as never, { names: NAMES, ...(question ? { question } : {}) } as never);
    expect(tell({ type: 'lady', holder: 5 })).toBe('Fay holds the Lady of the Lake.');
    expect(tell({ type: 'lady', holder: 1, by: 5 })).toBe('The Lady of the Lake shows Fay the side of Bob, who holds her now.');
    expect(tell({ type: 'inspected', by: 5, seat: 1, found: 'evil' })).toBe('Fay sees that Bob is evil.');
    const answer = { type: 'answered', question: 'q/lady', answer: { by: 5, says: [seat(1)] } };
    expect(tell(answer, { id: 'q/lady', verb: 'choose' })).toBe('Fay lets the Lady of the Lake show the side of Bob.');
    expect(table.rules.announce({ type: 'lady' } as never)).toEqual(['Table']);
    expect(table.rules.announce({ type: 'inspected' } as never)).toEqual([]);
    expect(briefIn(table, 5)).toMatch(/ You hold the Lady of the Lake\.$/);
    table.act(5, 'lady', seat(1));
    expect(briefIn(table, 5)).toMatch(/ The Lady of the Lake has shown you that Bob is evil\.$/);
    expect(briefIn(table, 1)).toMatch(/ You hold the Lady of the Lake\.$/);
    expect(briefIn(table, 0)).not.toMatch(/Lady/);
  });

  it('is in the rules as it is enforced', () => {
    expect(avalon.text(7, {})).not.toMatch(/Lady/);
    expect(avalon.text(7, { lady: true, teamMs: 90_000 })).toContain(
      '\nWhoever would lead last holds the Lady of the Lake first, as all see. After quests 2, 3 and 4, unless the game is over, the holder names a player within 90 seconds who has not held her; silence names the next in the order of seats. The holder alone learns whether that player is good or evil, never the role; all learn who was named, and that player holds her from then on.\n',
    );
  });
});

describe('Avalon: Tristan and Isolde', () => {
  const SEVEN = ['merlin', 'percival', 'tristan', 'isolde', 'morgana', 'assassin', 'oberon'] as const;
  const lovers = (options: Options = {}, roles: readonly Role[] = SEVEN) => make(roles, { roles: countsOf(roles), ...options });
  const three = (table: Played) => {
    for (let n = 0; n < 3; n++) quest(table, [0, 1, 2, 3].slice(0, table.question('team').pick));
    return table;
  };

  it.each([
    ['tristan and isolde, or neither of them', { tristan: 1, servant: 2 }],
    ['tristan and isolde, or neither of them', { isolde: 1, servant: 2 }],
    ['at most one tristan, not 2', { tristan: 2, isolde: 1 }],
    ['at most one isolde, not 2', { tristan: 1, isolde: 2 }],
    ['exactly one merlin, not 0', { merlin: 0, tristan: 1, isolde: 1, servant: 2 }],
    ['2 evil of 6 players, not 1', { tristan: 1, isolde: 1, servant: 2, morgana: 0 }],
  ])('are refused unless there are %s', (says, counts) => {
    const roles = { merlin: 1, assassin: 1, morgana: 1, ...counts };
    expect(() => avalon.rules(6, { roles })).toThrow(says);
    expect(() => avalon.rules(6, { roles })).toThrow('bad-option');
  });

  it('are good, in no cast by number, and may be in the smallest', () => {
    for (let players = 5; players <= 10; players++) expect(avalon.text(players, {})).not.toMatch(/Tristan|Isolde|lovers/);
    expect(avalon.sides!['good']).toEqual(expect.arrayContaining(['tristan', 'isolde']));
    const table = lovers({}, ['tristan', 'merlin', 'isolde', 'morgana', 'assassin']);
    const team = () => [0, 1, 2].slice(0, table.question('team').pick);
    for (let n = 0; n < 3; n++) quest(table, team());
    table.wait();
    expect(result(table)).toMatchObject({ winner: 'good', winners: [0, 1, 2] });
  });

  it('see each other by role at the deal, and nobody sees more than before', () => {
    const table = lovers();
    const saw = (n: number) => of(view(table, n), 'saw').map(({ type: _, ...rest }) => rest);
    expect([2, 3].map(saw)).toEqual([[{ seat: 2, of: [3], as: 'isolde' }], [{ seat: 3, of: [2], as: 'tristan' }]]);
    expect(saw(0)).toEqual([{ seat: 0, of: [4, 5, 6], as: 'evil' }]);
    expect(saw(1)).toEqual([{ seat: 1, of: [0, 4], as: 'merlin-or-morgana' }]);
    expect([4, 5, 6].map(saw)).toEqual([[{ seat: 4, of: [5], as: 'evil' }], [{ seat: 5, of: [4], as: 'evil' }], []]);
    expect(briefIn(table, 2)).toBe('Your role: Tristan, good. You see that Dot is Isolde.');
    expect(briefIn(table, 3)).toBe('Your role: Isolde, good. You see that Cid is Tristan.');
  });

  it('let the Assassin name one as Merlin or two as the lovers, of those it does not know to be evil', () => {
    const table = three(lovers());
    expect(table.question('assassinate').options).toEqual([
      ...seats([0, 1, 2, 3, 6]),
      ...['0+1', '0+2', '0+3', '0+6', '1+2', '1+3', '1+6', '2+3', '2+6', '3+6'].map((pair) => `seat:${pair}`),
    ]);
    expect(table.question('assassinate')).toMatchObject({ pick: 1, of: [5], among: [5] });
    for (const answer of ['seat:3+2', 'seat:2+5', 'seat:2+2', 'seat:2+3+6', 'nobody'])
      expect(table.refusal(5, 'assassinate', answer)).toBe('not-an-option');
    expect(table.refusal(5, 'assassinate', 'seat:2', 'seat:3')).toBe('wrong-number-of-choices');
    for (const eye of [0, 2, 'audience'] as const) expect(view(table, eye).at(-1)).toEqual({ type: 'sought', lovers: true });
    const usual = make();
    for (const team of [
      [0, 2],
      [0, 2, 4],
      [0, 2, 4, 5],
    ])
      quest(usual, team);
    expect(usual.question('assassinate').options).toEqual(seats([0, 2, 4, 5]));
  });

  it.each([
    ['seat:0', 'evil', 'merlin-named'],
    ['seat:2+3', 'evil', 'lovers-named'],
    ['seat:2', 'good', 'quests-succeeded'], // one lover alone
    ['seat:0+2', 'good', 'quests-succeeded'], // Merlin in a pair
    ['seat:1+2', 'good', 'quests-succeeded'],
    ['seat:2+6', 'good', 'quests-succeeded'],
  ])('named as %s: %s wins, %s', (answer, winner, because) => {
    const table = three(lovers());
    table.act(5, 'assassinate', answer);
    expect(result(table)).toMatchObject({ winner, winners: winner === 'evil' ? [4, 5, 6] : [0, 1, 2, 3] });
    expect(becauseOf(table)).toEqual([because]);
  });

  it('are found in any order of their seats', () => {
    const table = three(lovers({}, ['merlin', 'percival', 'isolde', 'tristan', 'morgana', 'assassin', 'oberon']));
    table.act(5, 'assassinate', 'seat:2+3');
    expect(becauseOf(table)).toEqual(['lovers-named']);
  });

  it('are missed at the price of the one shot, which reveals the Assassin and the names', () => {
    const table = lovers({ assassination: 'any-quest', hurry: true });
    const go = () => quest(table, [0, 1, 2, 3].slice(0, table.question('team').pick));
    go();
    expect(table.question('assassinate').options.slice(0, 2)).toEqual(['nobody', seat(0)]);
    table.act(5, 'assassinate', 'seat:0+2');
    const shot = { type: 'shot', by: 5, seat: 0, isMerlin: false, other: 2, areLovers: false };
    for (const eye of [0, 'audience'] as const) expect(of(view(table, eye), 'shot')).toEqual([shot]);
    expect(briefIn(table, 5)).toMatch(/ You have named the lovers once and may not do so again\.$/);
    go();
    go();
    expect(becauseOf(table)).toEqual(['quests-succeeded']);
    expect(of(table.tape, 'sought')).toHaveLength(1);
  });

  it('may be named after any quest, also the third failed one', () => {
    const table = lovers({ assassination: 'any-quest', hurry: true });
    for (let n = 0; n < 3; n++) {
      quest(table, [4, 0, 1, 2].slice(0, table.question('team').pick), { 4: 'fail' });
      table.act(5, 'assassinate', n < 2 ? 'nobody' : 'seat:2+3');
    }
    expect(becauseOf(table)).toEqual(['lovers-named']);
  });

  it('are told of in these words', () => {
    const table = lovers();
    const tell = (e: Event, question?: object) =>
      table.rules.tell(e as never, { names: NAMES, ...(question ? { question } : {}) } as never);
    expect(tell({ type: 'saw', seat: 2, of: [3], as: 'isolde' })).toBe('Cid sees that Dot is Isolde.');
    expect(tell({ type: 'sought', lovers: true })).toBe('The Assassin may name Merlin, or Tristan and Isolde, now.');
    const shot = { type: 'shot', by: 5, seat: 2, other: 3, isMerlin: false };
    expect(tell({ ...shot, areLovers: true })).toBe('Fay is the Assassin and names Cid and Dot as Tristan and Isolde: right.');
    expect(tell({ ...shot, areLovers: false })).toBe('Fay is the Assassin and names Cid and Dot as Tristan and Isolde: wrong.');
    expect(tell({ type: 'ended', because: 'lovers-named', roles: ['tristan'] })).toBe(
      'Tristan and Isolde are found. Evil wins. Ann: Tristan.',
    );
    const answer = { type: 'answered', question: 'q/assassinate', answer: { by: 5, says: ['seat:2+3'] } };
    expect(tell(answer, { id: 'q/assassinate', verb: 'choose' })).toBe('Fay names Cid and Dot as Tristan and Isolde.');
  });

  it('are in the rules as they are enforced', () => {
    const text = avalon.text(7, { roles: countsOf(SEVEN) });
    expect(text).toMatch(/Good: Merlin, Percival, Tristan and Isolde\./);
    expect(text).toContain('\nTristan and Isolde see each other.\n');
    expect(text).toMatch(/good wins, unless the Assassin names Merlin, or Tristan and Isolde together\.\n/);
    expect(text).toContain(
      '\nThe Assassin names either one player as Merlin or two as Tristan and Isolde; one of the lovers is not enough.\n',
    );
    expect(avalon.text(7, { roles: countsOf(SEVEN), assassination: 'any-quest' })).toMatch(/If that is right, evil wins at once;/);
  });

  it('are played beside the Lady of the Lake', () => {
    const table = lovers({ lady: true });
    name(table, 0, 1);
    vote(table, ...all(table));
    play(table);
    quest(table, [0, 1, 2]);
    table.act(6, 'lady', seat(2));
    expect(of(view(table, 6), 'inspected')).toEqual([{ type: 'inspected', by: 6, seat: 2, found: 'good' }]);
  });
});
