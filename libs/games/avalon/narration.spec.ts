import { describe, expect, it } from '@jest/globals';
import { avalon } from './avalon.ts';
import { avalonOptions } from './options.ts';
import type { Role } from './state.ts';
import { type Event, type Options, SIX, SEVEN, TEN, seat, view, make, quest } from './avalon.suite.ts';

describe('Avalon: the texts', () => {
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
  ])('narrate %j', (event, words) => {
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
  ])('narrate an answer to %s', (id, verb, says, words) => {
    expect(tell({ type: 'answered', question: id, answer: { by: 0, says } }, { id, verb })).toBe(words);
  });

  it('appear at the Table, except for private events', () => {
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
    expect(brief(2)).toBe('Your role: Loyal Servant, good. You know nobody else’s role.');
    expect(brief(3)).toBe('Your role: Merlin, good. You see that A, B and E are evil. Mordred is evil too, and you do not see who.');
    expect(brief(5)).toBe('Your role: Percival, good. You see B and D: one of them is Merlin, the other Morgana.');
    expect(brief(7)).toBe(
      'Your role: Mordred, evil. You see that B and E are evil. Oberon is evil too, and you do not see who. Merlin does not see you.',
    );
    expect(briefs(SEVEN)(6)).toBe('Your role: Minion of Mordred, evil. You see that E and F are evil.');
    expect(briefs(SIX)(3)).toBe('Your role: Assassin, evil. You see that B is evil.');
    expect(briefs(SIX)(4)).toBe('Your role: Merlin, good. You see that B and D are evil.');
  });

  it('brief on the state of the quests, and the Assassin on the shot', () => {
    const played = make(SIX, { assassination: 'any-quest', hurry: true });
    quest(played, [0, 2]);
    played.act(3, 'assassinate', seat(2));
    const brief = (n: number) => played.rules.brief(played.game.fold(view(played, n)).game, n, names);
    expect(brief(3)).toBe(
      'Your role: Assassin, evil. You see that Bob is evil. Quests so far: 1 succeeded, 0 failed. You have named Merlin once and may not do so again.',
    );
    expect(brief(0)).toBe('Your role: Loyal Servant, good. You know nobody else’s role. Quests so far: 1 succeeded, 0 failed.');
  });

  it('state the enforced rules and change with every option', () => {
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
      lady: [6, {}, true, /holds the Lady of the Lake first/],
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

  it('state the cast and team sizes for the number of players', () => {
    expect(avalon.text(6, {})).toMatch(/^6 players\. Good: Merlin, Percival and 2 Loyal Servants\. Evil: Morgana and Assassin\.\n/);
    expect(avalon.text(6, {})).toMatch(/at most five quests, of 2, 3, 4, 3 and 4 players/);
    expect(avalon.text(6, {})).not.toMatch(/needs two|Mordred|Oberon/);
    expect(avalon.text(7, {})).toMatch(/quest 4 needs two/);
    expect(avalon.text(9, {})).toMatch(/Merlin sees who is evil, but for Mordred\./);
    const lone = { merlin: 1, percival: 1, servant: 2, assassin: 1, minion: 1 };
    expect(avalon.text(6, { roles: lone })).toMatch(/Percival sees who Merlin is\./);
  });
});
