import { describe, expect, it } from '@jest/globals';
import { ofType, onuwGame, W, V, S, R, T, I, seat, FIVE } from './onuw.suite.ts';
import type { Card } from './state.ts';
import { deathsOf, endingOf } from './verdict.ts';

const voted = (setting: Parameters<typeof onuwGame>[0], targets: readonly (number | undefined)[]) => {
  const t = onuwGame(setting);
  t.night();
  t.silence();
  t.vote(targets);
  return t;
};

describe('ONUW: the vote', () => {
  const atVote = (options: object = {}) => {
    const t = onuwGame({ ...FIVE, options: { talkRounds: 0, ...options } });
    t.night();
    return t;
  };

  it('hides every ballot until all are in', () => {
    const t = atVote();
    expect(t.question('vote')).toMatchObject({
      of: [0, 1, 2, 3, 4],
      options: [0, 1, 2, 3, 4].map(seat),
      heard: 'when-settled',
      final: true,
      among: 'table',
    });
    t.act(0, 'vote', seat(1));
    expect(ofType(t.view(1), 'answered')).toEqual([]);
    expect(ofType(t.view(0), 'answered')).toHaveLength(1);
    expect(t.refusal(0, 'vote', seat(2))?.reason).toBe('already-answered');
    for (const s of [1, 2, 3, 4]) t.act(s, 'vote', seat(0));
    const settled = ofType(t.view(1), 'settled').at(-1)!;
    expect(settled.answers).toHaveLength(5);
    expect(t.isOver).toBe(true);
  });

  it('may not be for oneself, unless selfVote is set', () => {
    expect(atVote().refusal(2, 'vote', seat(2))?.reason).toBe('not-an-option');
    expect(atVote({ selfVote: true }).refusal(2, 'vote', seat(2))?.reason).toBeUndefined();
  });

  it('counts silence as no vote', () => {
    const t = atVote({ voteMs: 4000, stepMs: 1000 });
    t.vote([1, undefined, 1, undefined, undefined]);
    expect(t.now).toBe(5000 + 4000);
    expect(t.state.votes).toEqual([0, 2, 0, 0, 0]);
    expect(t.state.dead).toEqual([1]);
  });

  it('closes as soon as all have voted, and ends the game', () => {
    const t = atVote({ stepMs: 1000 });
    t.vote([1, 0, 0, 0, 0]);
    expect(t.now).toBe(5000);
    expect(t.position.open).toEqual([]);
  });
});

describe('ONUW: the deaths', () => {
  it.each([
    [[4, 1, 0, 0, 0], [0], [0]],
    [
      [2, 2, 1, 0, 0],
      [0, 1],
      [0, 1],
    ], // all tied players
    [[2, 1, 1, 1, 0], [0], [0]],
    [
      [2, 2, 0, 0, 0],
      [0, 1],
      [0, 1],
    ],
    [[1, 1, 1, 1, 1], [], []], // nobody above one vote
    [[1, 1, 1, 1, 0], [], []],
    [[1, 1, 0, 0, 0], [], []],
    [[0, 0, 1, 0, 0], [], [2]], // a single player with one vote
    [[0, 0, 0, 0, 0], [], []],
    [
      [3, 3, 3, 0, 0],
      [0, 1, 2],
      [0, 1, 2],
    ],
  ] as const)('after the votes %j: officially %j, in the program %j', (votes, official, program) => {
    expect(deathsOf(votes, 'official')).toEqual(official);
    expect(deathsOf(votes, 'program')).toEqual(program);
  });
});

describe('ONUW: the winner', () => {
  const none = [V, V, V] as const;
  const one = [W, V, V] as const;
  const two = [W, W, V] as const;

  it.each([
    [one, [2, 1, 0], 'village', 'werewolf-died', 'village'],
    [one, [2, 2, 0], 'village', 'werewolf-died', 'village'], // although another dies as well
    [two, [2, 1, 0], 'village', 'werewolf-died', 'village'], // one of two is enough
    [one, [0, 2, 1], 'werewolves', 'werewolves-live', 'werewolves'],
    [one, [0, 2, 2], 'werewolves', 'werewolves-live', 'werewolves'],
    [two, [0, 1, 2], 'werewolves', 'werewolves-live', 'werewolves'],
    [one, [1, 1, 1], 'werewolves', 'werewolves-live', 'draw'],
    [one, [1, 1, 0], 'werewolves', 'werewolves-live', 'draw'], // several with one vote and nobody with more
    [one, [0, 1, 1], 'werewolves', 'werewolves-live', 'draw'],
    [one, [0, 0, 0], 'werewolves', 'werewolves-live', 'village'], // nobody has voted
    [one, [1, 0, 0], 'werewolves', 'werewolves-live', 'village'], // the program kills the only player voted for
    [one, [0, 1, 0], 'werewolves', 'werewolves-live', 'werewolves'],
    [none, [1, 1, 1], 'village', 'peace', 'draw'],
    [none, [0, 0, 0], 'village', 'peace', 'draw'],
    [none, [1, 0, 0], 'village', 'peace', 'draw'],
    [none, [2, 1, 0], 'draw', 'no-werewolf', 'draw'],
    [none, [2, 2, 0], 'draw', 'no-werewolf', 'draw'],
  ] as const)('with %j and the votes %j: officially %s (%s), in the program %s', (cards, votes, official, because, program) => {
    const judged = (verdict: 'official' | 'program') => endingOf(cards, votes, deathsOf(votes, verdict), { setup: 'standard', verdict });
    expect(judged('official')).toEqual({ winner: official, because });
    expect(judged('program').winner).toBe(program);
  });

  it('matches the spoken rule for every vote of three and four players', () => {
    for (const n of [3, 4]) {
      const ballots = Array.from({ length: (n + 1) ** n }, (_, i) =>
        Array.from({ length: n }, (__, by) => Math.floor(i / (n + 1) ** by) % (n + 1)),
      );
      for (const targets of ballots.filter((all) => all.every((target, by) => target !== by))) {
        const votes = Array.from({ length: n }, (_, s) => targets.filter((target) => target === s).length);
        for (let wolves = 0; wolves < n; wolves++) {
          const cards = Array.from({ length: n }, (_, s): Card => (s < wolves ? W : V));
          const most = Math.max(...votes);
          const dead = votes.flatMap((count, s) => (most > 1 && count === most ? [s] : []));
          const isWolfDead = dead.some((s) => s < wolves);
          const village = isWolfDead || (wolves === 0 && dead.length === 0);
          const pack = wolves > 0 && !isWolfDead;
          const { winner } = endingOf(cards, votes, deathsOf(votes, 'official'), { setup: 'standard', verdict: 'official' });
          expect(winner).toBe(village ? 'village' : pack ? 'werewolves' : 'draw');
        }
      }
    }
  });

  it('depends on the final cards of the dead and of the winners', () => {
    // The Robber takes the Werewolf's card: killing the original Werewolf does not help.
    const t = onuwGame({ ...FIVE, options: { talkRounds: 0 } });
    t.night({ [R]: [[2, seat(0)]] });
    t.vote([1, 0, 0, 0, 0]);
    expect(t.outcome).toEqual({
      winner: 'werewolves',
      winners: [2],
      roles: [R, S, W, T, I],
      dealt: FIVE.cards,
      points: [-1, -1, 1, -1, -1],
    });
    const other = onuwGame({ ...FIVE, options: { talkRounds: 0 } });
    other.night({ [R]: [[2, seat(0)]] });
    other.vote([2, 2, 0, 2, 2]);
    expect(other.outcome).toMatchObject({ winner: 'village', winners: [0, 1, 3, 4], points: [1, 1, -1, 1, 1] });
  });

  it('includes the dead of the winning side', () => {
    const t = voted(FIVE, [1, 0, 0, 1, 1]);
    expect(t.state.dead).toEqual([1]);
    expect(t.outcome.winner).toBe('werewolves');
    const tie = voted(FIVE, [1, 0, 0, 1, undefined]);
    expect(tie.state.dead).toEqual([0, 1]);
    expect(tie.outcome).toMatchObject({ winner: 'village', winners: [1, 2, 3, 4] });
  });

  it('is nobody in a draw', () => {
    const t = voted({ cards: [V, V, S, R, T], centre: [W, W, I] }, [1, 0, 0, 0, 0]);
    expect(t.outcome).toMatchObject({ winner: 'draw', winners: [], points: [0, 0, 0, 0, 0] });
    const peace = voted({ cards: [V, V, S, R, T], centre: [W, W, I] }, [1, 2, 3, 4, 0]);
    expect(peace.outcome).toMatchObject({ winner: 'village', winners: [0, 1, 2, 3, 4] });
  });

  it('follows the variant of the program with its option', () => {
    const options = { verdict: 'program' };
    expect(voted({ ...FIVE, options }, [1, 2, 3, 4, 0]).outcome.winner).toBe('draw');
    expect(voted({ ...FIVE, options }, [1, 2, 3, 0]).outcome).toMatchObject({ winner: 'draw', winners: [] });
    const unvoted = voted({ ...FIVE, options }, []);
    expect([unvoted.outcome.winner, unvoted.state.dead, unvoted.state.ended!.because]).toEqual(['village', [], 'nobody-voted']);
    expect(voted(FIVE, [1, 2, 3, 4, 0]).outcome.winner).toBe('werewolves');
    const wolfless = { cards: [V, V, S, R, T], centre: [W, W, I], options } as const;
    expect(voted(wolfless, [1, 2, 1, 2, 2]).outcome.winner).toBe('draw');
    expect(voted(wolfless, []).outcome.winner).toBe('draw');
    expect(voted({ ...FIVE, options }, [undefined, 0]).outcome.winner).toBe('village');
    expect(voted(FIVE, [undefined, 0]).outcome.winner).toBe('werewolves');
  });

  it('lose a fifth of a point per vote received with utility: rl', () => {
    const options = { utility: 'rl' };
    expect(voted({ ...FIVE, options }, [1, 0, 0, 0, 1]).outcome.points).toEqual([-1.6, 0.6, 1, 1, 1]);
    expect(voted({ cards: [V, V, S, R, T], centre: [W, W, I], options }, [1, 0, 0, 0, 0]).outcome.points).toEqual([-0.8, -0.2, 0, 0, 0]);
  });

  it('is announced with all cards revealed to everybody', () => {
    const t = onuwGame({ ...FIVE, options: { talkRounds: 0 } });
    t.night({ [R]: [[2, seat(0)]] });
    expect(ofType(t.vote([1, 0, 0, 0, 0]), 'counted')).toEqual([{ type: 'counted', votes: [4, 1, 0, 0, 0] }]);
    for (const eye of [0, 1, 2, 3, 4, 'audience'] as const) {
      expect(ofType(t.view(eye), 'revealed')).toEqual([
        { type: 'revealed', dealt: FIVE.cards, cards: [R, S, W, T, I], centre: FIVE.centre },
      ]);
      expect(t.game.fold(t.view(eye)).game).toMatchObject({
        roles: FIVE.cards,
        held: [R, S, W, T, I],
        centre: FIVE.centre,
        ended: { winner: 'werewolves' },
      });
    }
  });
});
