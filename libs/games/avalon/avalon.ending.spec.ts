import { describe, expect, it } from '@jest/globals';
import { type Played, tableOf } from '@maw/tests/equipment/fakes/table.ts';
import { avalonDealt } from './dealt.suite.ts';
import {
  type Options,
  SIX,
  TEN,
  seat,
  seats,
  of,
  ids,
  result,
  view,
  make,
  name,
  vote,
  play,
  quest,
  reject,
  first,
} from './avalon.suite.ts';

/** Teams of the good seats of SIX, and teams with the evil seat 1, by quest. */
const GOOD_TEAMS = ['02', '024', '0245'].map((team) => [...team].map(Number));
const TEAMS_OF_ONE = ['01', '012', '0124'].map((team) => [...team].map(Number));

/** Three successful quests by the good seats of SIX. */
const three = (table: Played) => GOOD_TEAMS.map((team) => quest(table, team)).at(-1)!;

describe('Avalon: the end', () => {
  it('is a win for evil after the third failed quest', () => {
    const table = make();
    quest(table, [0, 1], { 1: 'fail' });
    quest(table, [0, 1, 2], { 1: 'fail' });
    expect(result(table)).toBeUndefined();
    quest(table, [0, 1, 2, 3], { 1: 'fail', 3: 'fail' });
    expect(result(table)).toEqual({ winner: 'evil', winners: [1, 3], roles: SIX, points: [0, 1, 0, 1, 0, 0] });
    expect(of(table.tape, 'ended')).toEqual([{ type: 'ended', winner: 'evil', because: 'quests-failed', roles: SIX }]);
    expect(of(table.tape, 'sought')).toEqual([]);
  });

  it('does not need three failures in a row', () => {
    const table = make();
    quest(table, [0, 2]);
    quest(table, [0, 1, 2], { 1: 'fail' });
    quest(table, [0, 2, 4, 5]);
    quest(table, [0, 1, 2], { 1: 'fail' });
    expect(of(table.tape, 'ended')).toEqual([]);
    quest(table, [0, 2, 4, 5]);
    expect(ids(table)).toEqual(['round-1/end/assassinate']);
  });

  it('asks only the Assassin after the third successful quest', () => {
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
    expect(table.question('assassinate').options).toEqual(seats([0, 2, 4, 5])); // neither himself nor the evil seats he knows
    for (const eye of [0, 1, 2, 4, 5, 'audience'] as const) {
      expect(JSON.stringify(view(table, eye))).not.toMatch(/assassinate/);
      expect(view(table, eye).at(-1)).toEqual({ type: 'sought' });
    }
    for (const n of [0, 1, 4]) expect(table.refusal(n, 'assassinate', seat(2))).toBe('phase-over');
    expect(table.refusal(3, 'assassinate', 'nobody')).toBe('not-an-option');
  });

  it('is a win for evil when the Assassin names Merlin', () => {
    const table = make();
    three(table);
    const events = table.act(3, 'assassinate', seat(4));
    expect(of(events, 'shot')).toEqual([{ type: 'shot', by: 3, seat: 4, isMerlin: true }]);
    expect(of(events, 'ended')).toEqual([{ type: 'ended', winner: 'evil', because: 'merlin-named', roles: SIX }]);
    expect(result(table)).toEqual({ winner: 'evil', winners: [1, 3], roles: SIX, points: [0, 1, 0, 1, 0, 0] });
  });

  it('is a win for good when the Assassin names anybody else, even Percival', () => {
    const table = make();
    three(table);
    expect(of(table.act(3, 'assassinate', seat(2)), 'shot')).toEqual([{ type: 'shot', by: 3, seat: 2, isMerlin: false }]);
    expect(result(table)).toEqual({ winner: 'good', winners: [0, 2, 4, 5], roles: SIX, points: [1, 0, 1, 0, 1, 1] });
    expect(of(table.tape, 'ended')[0]).toMatchObject({ because: 'quests-succeeded' });
  });

  it('is a win for good when the Assassin is silent for assassinMs', () => {
    const table = make(SIX, { assassinMs: 777 });
    three(table);
    expect(table.question('assassinate').until - table.now).toBe(777);
    const events = table.wait();
    expect(of(events, 'shot')).toEqual([]);
    expect(result(table)).toMatchObject({ winner: 'good' });
  });

  it('lets the Assassin name Oberon, whom he does not know', () => {
    const table = make(TEN);
    quest(table, [2, 3, 5]);
    quest(table, [2, 3, 5, 6]);
    quest(table, [2, 3, 5, 6]);
    expect(table.question('assassinate').options).toEqual(seats([0, 2, 3, 5, 6, 8, 9]));
    table.act(4, 'assassinate', seat(0));
    expect(result(table)).toMatchObject({ winner: 'good', winners: [2, 3, 5, 6, 8, 9], points: [0, 0, 1, 1, 0, 1, 1, 0, 1, 1] });
  });

  it('reveals all roles to everybody', () => {
    const table = make();
    three(table);
    table.wait();
    for (const eye of [0, 'audience'] as const) expect(of(view(table, eye), 'ended')[0]!['roles']).toEqual(SIX);
  });

  it('comes after at most five proposals for each of five quests', () => {
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

  it('comes when nobody ever acts, by the default votes and cards', () => {
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

describe('Avalon: the Assassin with assassination: any-quest', () => {
  const any = (options: Options = {}) => make(SIX, { assassination: 'any-quest', ...options });

  it('is asked after each quest and may pass', () => {
    const table = any();
    expect(of(quest(table, [0, 2]), 'sought')).toHaveLength(1);
    expect(table.question('assassinate')).toMatchObject({ id: 'round-1/quest-1/assassinate', of: [3], among: [3], heard: 'never' });
    expect(table.question('assassinate').options).toEqual(['nobody', ...seats([0, 2, 4, 5])]);
    table.act(3, 'assassinate', 'nobody');
    table.wait();
    quest(table, [0, 1, 2], { 1: 'fail' });
    expect(ids(table)).toEqual(['round-1/quest-2/assassinate']); // also after a failed quest
    table.wait();
    expect(of(table.tape, 'shot')).toEqual([]);
    expect(of(table.tape, 'led').at(-1)).toMatchObject({ quest: 3, leader: 2, proposal: 1 });
  });

  it('is asked only after the third success without the option', () => {
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

  it('has one shot: a miss reveals him and the game goes on', () => {
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

  it('may save the shot for the third success', () => {
    const table = any();
    for (const team of GOOD_TEAMS) {
      quest(table, team);
      if (team.length < 4) table.wait();
    }
    expect(table.question('assassinate').options).toEqual(seats([0, 2, 4, 5]));
    table.act(3, 'assassinate', seat(4));
    expect(result(table)).toMatchObject({ winner: 'evil' });
  });

  describe('after the third failed quest', () => {
    const thirdFailed = (options: Options = {}) => {
      const table = any({ hurry: true, ...options });
      for (const team of TEAMS_OF_ONE) {
        quest(table, team, { 1: 'fail' });
        if (team.length < 4) table.act(3, 'assassinate', 'nobody');
      }
      return table;
    };
    const because = (table: ReturnType<typeof any>) => of(table.tape, 'ended').map((e) => e['because']);

    it('is asked once more, and evil has won whatever is answered', () => {
      for (const [answer, why] of [
        [seat(4), 'merlin-named'],
        [seat(0), 'quests-failed'],
        ['nobody', 'quests-failed'],
      ] as const) {
        const table = thirdFailed();
        expect(ids(table)).toEqual(['round-1/quest-3/assassinate']);
        expect(table.question('assassinate').options).toContain('nobody');
        table.act(3, 'assassinate', answer);
        expect(result(table)).toMatchObject({ winner: 'evil', winners: [1, 3] });
        expect(because(table)).toEqual([why]);
        expect(of(table.tape, 'sought')).toHaveLength(3);
      }
    });

    it('is not asked again after the one shot', () => {
      const table = any({ hurry: true });
      quest(table, [0, 1], { 1: 'fail' });
      table.act(3, 'assassinate', seat(0));
      quest(table, [0, 1, 2], { 1: 'fail' });
      quest(table, [0, 1, 2, 4], { 1: 'fail' });
      expect(because(table)).toEqual(['quests-failed']);
    });
  });

  it('gets the same time whatever is answered, unless hurry is set', () => {
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
});
