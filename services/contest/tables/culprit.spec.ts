import { expect, it } from '@jest/globals';
import { whyBroken } from './play-pairing.ts';

const pairing = { number: 0, game: 0, deal: '0', seed: 's', agents: ['a', 'b', 'a', 'c'], rounds: 2 };
const tape = [{ type: 'scored', round: 1 }];
const crashed = (seat: number, round = 2) => ({ seat, round, content: { error: 'undefined is not a function' } });
const unanswered = { seat: 1, round: 2, content: { error: 'no model answered', calls: [{ failed: 'timeout' }] } };

it.each([
  ['nobody, when nobody failed', { thoughts: [], gone: [] }, undefined],
  ['nobody, when the model of a mind failed', { thoughts: [unanswered], gone: [] }, undefined],
  ['nobody for a round that is over', { thoughts: [crashed(1, 1)], gone: [] }, undefined],
  ['the only agent whose mind failed, at whatever seats', { thoughts: [crashed(0), crashed(2), unanswered], gone: [] }, 'a'],
  ['nobody, when minds of several agents failed', { thoughts: [crashed(0), crashed(1)], gone: [] }, undefined],
  ['an outside agent that was away, whoever else failed', { thoughts: [crashed(0)], gone: [3] }, 'c'],
])('a table that broke off counts against %s', (_, traces, culprit) => {
  const found = whyBroken(pairing, 'it was aborted', { tape, ...traces });
  expect(found.culprit).toBe(culprit);
  expect(found.why).toMatch(culprit === undefined ? /^it was aborted$/ : new RegExp(`^it was aborted: .*\\b${culprit}\\b`));
});
