import { describe, expect, it } from '@jest/globals';
import { openNow, run, vote } from '@maw/games/werewolf-7/election.suite.ts';
import { type Seven, sevenAt } from '@maw/games/werewolf-7/werewolf-7.suite.ts';
import { createTape } from '../time/tape.ts';
import { countText } from '../time/ballot.ts';
import { countVotes, seatsAt, voteAt } from './facts.ts';

/** The seats and the last vote of a table with a sheriff, as the audience sees them: now, or when that vote had settled. */
function shown({ table }: Seven, isNow = true) {
  const tape = createTape();
  for (const [i, event] of table.game.view(table.tape, 'audience').entries()) tape.append({ n: i + 1, at: i, event: event as never });
  const moment = isNow ? tape.moments.at(-1)! : tape.moments.findLast((each) => voteAt(each))!;
  const rules = tape.rules!;
  const ballot = voteAt(moment);
  return { seats: seatsAt(rules, moment), phase: moment.phase, votes: ballot && countVotes(rules, moment, ballot) };
}
function withSheriff(options: object = {}): Seven {
  const g = sevenAt({ sheriff: 'elected', ...options });
  g.night();
  return g;
}

describe('the circle at a table with a sheriff', () => {
  it('has the sign of the sheriff at one seat, from the election on', () => {
    const g = withSheriff();
    expect(shown(g).seats.flatMap(({ marks }) => marks)).toEqual([]);
    run(g, 3);
    expect(shown(g).seats.map(({ marks }) => marks)).toEqual([[], [], [], ['sheriff'], [], [], []]);
  });

  it('is in the day while the sheriff is elected', () => {
    expect(shown(withSheriff()).phase).toMatchObject({ kind: 'day', number: 1 });
  });

  it('counts the vote of the sheriff as one and a half, first in the list', () => {
    const g = withSheriff();
    run(g, 3);
    while (openNow(g).id.endsWith('/talk')) g.table.wait();
    const { order } = g.state();
    for (const s of order) g.table.act(s, 'vote', s === 3 ? 'seat:0' : s === order[0] || s === order[1] ? 'seat:1' : 'pass');
    const { votes, seats } = shown(g, false);
    const of = (option: string) => votes!.find(([each]) => each === option)?.[2];
    expect(of('seat:0')).toBe(1.5);
    expect(votes!.map(([, , count]) => count)).toEqual(votes!.map(([, , count]) => count).toSorted((a, b) => b - a));
    expect(seats[0]!.votes).toBe('1½');
  });

  it('counts votes in the election alike', () => {
    const g = withSheriff();
    run(g, 3, 4);
    while (openNow(g).id.endsWith('/talk')) g.table.wait();
    vote(g, { 0: 3, 1: 3, 2: 4 });
    expect(shown(g, false).seats.map(({ votes }) => votes)).toEqual(['', '', '', '2', '1', '', '']);
  });

  it('shows a dead sheriff as dead while the badge is passed on', () => {
    const g = sevenAt({ sheriff: 'elected' });
    g.night(g.kill(g.seer));
    run(g, g.seer);
    expect(openNow(g).of).toEqual([g.seer]);
    expect(
      shown(g)
        .seats.filter(({ isAlive }) => !isAlive)
        .map(({ seat }) => seat),
    ).toEqual([g.seer]);
  });

  it.each([
    [0, ''],
    [0.5, '½'],
    [1, '1'],
    [2.5, '2½'],
  ])('writes %d as %s', (votes, text) => expect(countText(votes)).toBe(text));
});
