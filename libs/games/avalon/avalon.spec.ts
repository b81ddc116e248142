import { describe, expect, it } from '@jest/globals';
import { type Played, tableOf } from '@maw/tests/equipment/fakes/table.ts';
import type { Eye } from '../kernel/question.ts';
import { avalon } from './avalon.ts';
import type { Role } from './state.ts';
import {
  type Options,
  SIX,
  SEVEN,
  TEN,
  seat,
  seats,
  of,
  ids,
  result,
  all,
  view,
  make,
  name,
  vote,
  play,
  quest,
  reject,
} from './avalon.suite.ts';

describe('Avalon: the talk', () => {
  const talking = (leader: number, options: Options = {}) => make(SIX, { talk: true, ...options }, leader);

  it('gives each seat one speech before a proposal, starting with the leader', () => {
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

  it('skips a silent seat after turnMs', () => {
    const table = talking(4, { turnMs: 700 });
    table.act(4, 'talk', 'I begin');
    table.pass(699);
    expect(table.refusal(0, 'talk', 'my turn')).toBe('not-your-turn');
    table.pass(1);
    expect(table.refusal(0, 'talk', 'my turn')).toBeUndefined();
    for (let i = 0; i < 5; i++) table.wait();
    expect(ids(table)).toEqual(['round-1/quest-1/proposal-1/team']);
  });

  it('is repeated after a rejected team, starting with the new leader', () => {
    const table = talking(5);
    for (let i = 0; i < 6; i++) table.wait();
    reject(table);
    expect(ids(table)).toEqual(['round-1/quest-1/proposal-2/talk']);
    expect(table.question('talk').of).toEqual([0, 1, 2, 3, 4, 5]);
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
  ])('has, with %i players, %j members', (players, sizes) => {
    const table = tableOf(avalon, { players, options: { talk: false, goodMayFail: true, twoFails: false } });
    for (const [i, size] of sizes.entries()) {
      expect(of(table.tape, 'led').at(-1)).toMatchObject({ quest: i + 1, proposal: 1, size });
      expect(table.question('team')).toMatchObject({ pick: size, options: seats(all(table)), self: true });
      expect(table.refusal(table.state.leader, 'team', ...seats(all(table).slice(0, size - 1)))).toBe('wrong-number-of-choices');
      const team = all(table).slice(0, size);
      quest(table, team, i % 2 ? { 0: 'fail' } : {}); // success, fail, success, fail: the fifth quest decides
    }
    expect(of(table.tape, 'quested').map(({ isSuccess }) => isSuccess)).toEqual([true, false, true, false, true]);
  });

  it('is named by the leader alone, from all seats, the leader optional', () => {
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

  it('keeps the first of too many names and counts repeated names once', () => {
    const team = (...names: number[]) => of(name(make(), ...names), 'proposed')[0]!['team'];
    expect(team(5, 1, 0)).toEqual([5, 1]);
    expect(team(5, 5, 1, 0)).toEqual([5, 1]);
    const table = make();
    expect(table.refusal(0, 'team', seat(9), seat(1), seat(2))).toBe('not-an-option');
    expect(table.refusal(0, 'team', seat(1), seat(1), seat(1))).toBe('wrong-number-of-choices');
    name(table, 5, 1, 0);
    expect(of(table.tape, 'answered').at(-1)).toMatchObject({ answer: { says: ['seat:5', 'seat:1'] } }); // normalised
  });

  it('is the silent leader and the next seats by default', () => {
    const table = make(SIX, {}, 4);
    expect(of(table.wait(), 'proposed')[0]).toMatchObject({ leader: 4, team: [4, 5] });
    const second = make(SIX, {}, 4);
    quest(second, [0, 2]);
    expect(of(second.wait(), 'proposed')[0]).toMatchObject({ leader: 5, team: [5, 0, 1] });
  });

  it('waits for an answer, at most teamMs', () => {
    expect(make(SIX, { teamMs: 1234 }).question('team').until).toBe(1234);
  });
});

describe('Avalon: the vote on a team', () => {
  it('is hidden until all have voted, then shown with every ballot', () => {
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

  it.each([
    ['majority', 2, false],
    ['majority', 3, false],
    ['majority', 4, true],
    ['half', 2, false],
    ['half', 3, true],
    ['half', 4, true],
  ])('with %s: %i of 6 approvals give %j', (approval, count, isApproved) => {
    const table = make(SIX, { approval });
    name(table, 0, 1);
    expect(of(vote(table, ...[5, 4, 3, 2].slice(0, count)), 'voted')[0]).toMatchObject({ isApproved });
    expect(ids(table)).toEqual([`round-1/quest-1/proposal-${isApproved ? '1/quest' : '2/team'}`]);
  });

  it.each(['majority', 'half'])('needs more than half of an odd number (%s)', (approval) => {
    for (const [count, isApproved] of [
      [3, false],
      [4, true],
    ] as const) {
      const table = make(SEVEN, { approval });
      name(table, 0, 1);
      expect(of(vote(table, ...all(table).slice(0, count)), 'voted')[0]).toMatchObject({ isApproved });
    }
  });

  it('counts a silent seat as approving after voteMs', () => {
    const table = make(SIX, { voteMs: 500 });
    name(table, 0, 1);
    table.act(0, 'approve', 'reject');
    table.act(1, 'approve', 'reject');
    expect(table.question('approve').until - table.now).toBe(500);
    expect(of(table.wait(), 'voted')[0]).toMatchObject({ approve: [2, 3, 4, 5], reject: [0, 1], isApproved: true });
  });

  it('passes the lead on after a rejection and counts the proposals', () => {
    const table = make(SIX, {}, 4);
    for (const [leader, proposal] of [
      [4, 1],
      [5, 2],
      [0, 3],
      [1, 4],
    ]) {
      expect(of(table.tape, 'led').at(-1)).toMatchObject({ quest: 1, leader, proposal });
      expect(table.state.team).toEqual([]); // no longer the rejected team
      reject(table);
    }
    expect(of(table.tape, 'led').at(-1)).toMatchObject({ quest: 1, leader: 2, proposal: 5 });
    quest(table, [0, 2]);
    expect(of(table.tape, 'led').at(-1)).toMatchObject({ quest: 2, leader: 3, proposal: 1 }); // after a quest too
  });

  it('gives evil the win on the fifth rejection in a quest, not the fourth', () => {
    const table = make();
    for (let i = 0; i < 4; i++) reject(table);
    expect(result(table)).toBeUndefined();
    reject(table);
    expect(result(table)).toMatchObject({ winner: 'evil', winners: [1, 3] });
    expect(of(table.tape, 'ended')[0]).toMatchObject({ because: 'five-rejected' });
  });

  it('counts rejections per quest', () => {
    const table = make();
    for (let i = 0; i < 4; i++) reject(table);
    quest(table, [0, 2]);
    for (let i = 0; i < 4; i++) reject(table);
    expect(result(table)).toBeUndefined();
  });

  it('is skipped for the fifth team with fifth: forced', () => {
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

  it('asks the team, as everybody can see', () => {
    const table = onQuest([0, 1]);
    expect(table.question('quest')).toMatchObject({ of: [0, 1], among: 'table', heard: 'never', options: ['success', 'fail'] });
    expect(table.refusal(2, 'quest', 'success')).toBe('not-asked');
    for (const eye of [2, 'audience'] as const)
      expect(of(view(table, eye), 'asked').at(-1)).toMatchObject({ question: { id: 'round-1/quest-1/proposal-1/quest', of: [0, 1] } });
  });

  it('lets good seats play success only, and evil seats either card', () => {
    const table = onQuest([0, 1]);
    const open = (n: number) => table.game.asked(table.standing, n).map((q) => q.options);
    expect(open(0)).toEqual([['success']]);
    expect(open(1)).toEqual([['success', 'fail']]);
    expect(table.refusal(0, 'quest', 'fail')).toBe('not-an-option');
    expect(table.refusal(1, 'quest', 'fail')).toBeUndefined();
    expect(table.refusal(1, 'quest', 'success')).toBeUndefined();
  });

  it('lets good seats play fail with goodMayFail', () => {
    const table = onQuest([0, 2], { goodMayFail: true });
    expect(table.game.asked(table.standing, 0)[0]!.options).toEqual(['success', 'fail']);
    expect(of(play(table, { 0: 'fail' }), 'quested')[0]).toMatchObject({ fails: 1, isSuccess: false });
  });

  it.each([
    [{}, 0, true],
    [{ 1: 'fail' }, 1, false],
    [{ 1: 'fail', 3: 'fail' }, 2, false],
  ])('with the cards %j has %i fails and success %j', (cards, fails, isSuccess) => {
    const table = onQuest([1, 3]);
    expect(of(play(table, cards), 'quested')).toEqual([{ type: 'quested', quest: 1, team: [1, 3], fails, isSuccess }]);
  });

  it('reveals only the counts of the cards, except to the narrator', () => {
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

  it('defaults silent good seats to success and silent evil seats to fail, secretly', () => {
    expect(of(onQuest([0, 2]).wait(), 'quested')[0]).toMatchObject({ fails: 0 });
    const table = onQuest([1, 0]);
    table.act(0, 'quest', 'success');
    expect(of(table.wait(), 'quested')[0]).toMatchObject({ fails: 1, isSuccess: false });
    const settled = (eye: Eye) => view(table, eye).findLast((e) => e.type === 'settled')!;
    expect(settled('narrator')['defaulted']).toEqual([{ by: 1, says: ['fail'] }]);
    expect(settled(1)['defaulted']).toEqual([{ by: 1, says: ['fail'] }]);
    for (const eye of [0, 2, 'audience'] as const) expect(Object.keys(settled(eye))).toEqual(['type', 'question', 'answers']);
  });

  it('defaults silent good seats to success even with goodMayFail', () => {
    expect(of(onQuest([0, 2], { goodMayFail: true }).wait(), 'quested')[0]).toMatchObject({ fails: 0 });
  });

  it('lasts at most questMs', () => {
    const table = onQuest([0, 1], { questMs: 321 });
    expect(table.question('quest').until - table.now).toBe(321);
  });

  /** Success, fail, success, then quest 4 with this many fails by the evil seats of SEVEN. */
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

  it('4 needs two fails with 7 or more players', () => {
    expect(fourth(1)).toMatchObject({ quest: 4, fails: 1, isSuccess: true });
    expect(fourth(2)).toMatchObject({ quest: 4, fails: 2, isSuccess: false });
    expect(fourth(1, {}, TEN)).toMatchObject({ isSuccess: true });
  });

  it('4 needs one fail with 6 players or with twoFails: false', () => {
    expect(fourth(1, {}, SIX)).toMatchObject({ quest: 4, fails: 1, isSuccess: false });
    expect(fourth(1, { twoFails: false })).toMatchObject({ fails: 1, isSuccess: false });
    expect(fourth(0, { twoFails: false })).toMatchObject({ fails: 0, isSuccess: true });
  });

  it('1, 2, 3 and 5 need one fail with 7 players', () => {
    const table = make(SEVEN);
    const cards = (fail: boolean) => (fail ? { 4: 'fail' } : {});
    for (const fail of [true, false, true, false, true]) {
      const team = [4, 5, 6, 0, 1].slice(0, table.question('team').pick);
      expect(of(quest(table, team, cards(fail)), 'quested')[0]).toMatchObject({ isSuccess: !fail });
    }
    expect(result(table)).toMatchObject({ winner: 'evil' });
  });
});
