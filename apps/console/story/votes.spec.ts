import { expect, it } from '@jest/globals';
import { hush, openNow, run, vote } from '@maw/games/werewolf-7/election.suite.ts';
import { sevenAt } from '@maw/games/werewolf-7/werewolf-7.suite.ts';
import { createTape } from '../time/tape.ts';
import { lastVotes, votesOf } from './votes.ts';

it('a second ballot is a vote of its own, and votes for a sheriff, an heir and a decision are none', () => {
  const g = sevenAt({ sheriff: 'elected', sheriffVote: '1', tie: 'runoff', lastWords: false });
  g.night();
  run(g, 2, 4);
  hush(g);
  vote(g, { 0: 2, 1: 2 });
  hush(g);
  vote(g, { 0: 1, 5: 1, 4: 3, 6: 3, 2: 5, 1: 6, 3: 0 });
  hush(g);
  vote(g, { 0: 3, 2: 3, 4: 3, 5: 1, 6: 1 });
  while (!g.state().night) g.table.wait();
  const tape = createTape();
  for (const [i, event] of g.table.tape.entries()) tape.append({ n: i + 1, at: i, event: event as never });
  const sides = g.state().roles.map((role) => (role === 'werewolf' ? 'werewolves' : 'village'));
  const isEvil = (seat: number): boolean => sides[seat] === 'werewolves';
  const votes = lastVotes(votesOf({ round: 1, moments: tape.moments, sides, isEvil }));
  const of = (part: string) => votes.filter(({ question }) => question.includes(part)).map(({ by, on }) => `${by}/${on}`);
  expect(of('/ballot/').toSorted()).toEqual(['0/1', '1/6', '2/5', '3/0', '4/3', '5/1', '6/3']);
  expect(of('/second-ballot/').toSorted()).toEqual(['0/3', '2/3', '4/3', '5/1', '6/1']);
  expect(votes).toHaveLength(12);
  expect(openNow(g).id).toContain('night-2');
});
