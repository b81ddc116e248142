import { expect, it } from '@jest/globals';
import { played, tapeOf } from '../story/hand-made.suite.ts';
import { roundMoments } from './round.ts';
import { claimsOf } from './speeches.ts';

/** What was claimed on day 1 of a game of AIWolf, in which Ann speaks before Bo. */
function claimed(says: readonly string[], options = {}) {
  const record = {
    rules: 'aiwolf',
    options,
    players: ['Ann', 'Bo', 'Cy', 'Dora', 'Emil'],
    deal: { roles: ['seer', 'possessed', 'werewolf', 'villager', 'villager'] },
    acts: says.map((text, seat) => ({ step: 'day-1/turn-0/talk', seat, says: [text] })),
  };
  const tape = tapeOf(played(record));
  return claimsOf(tape.rules!, roundMoments(tape.moments, tape.moments.length));
}
const werewolf = (about: number) => [{ about, result: 'werewolf' }];

it('takes the reason of a request for claimed, as agents of the AIWolf contest give it', () => {
  const says = ['COMINGOUT Agent[01] SEER', 'BECAUSE (DIVINED Agent[03] WEREWOLF) (REQUEST ANY (VOTE Agent[03]))'];
  expect(claimed(says)).toEqual([
    { seat: 0, role: 'seer', results: [] },
    { seat: 1, role: undefined, results: werewolf(2) },
  ]);
});

it('takes nothing for a claim that is about nobody at the table, or about anything', () => {
  const parts = ['DIVINED ANY WEREWOLF', 'DIVINED Agent[99] WEREWOLF', 'IDENTIFIED Agent[03] ANY', 'COMINGOUT Agent[01] ANY'];
  expect(claimed([`AND ${parts.map((part) => `(${part})`).join(' ')}`])).toEqual([]);
});

it('finds players in plain English by the names that they go by', () => {
  const says = ['I am the Seer. I checked Bo: Werewolf!'];
  expect(claimed(says, { language: 'free' })).toEqual([{ seat: 0, role: 'seer', results: werewolf(1) }]);
});
