import { expect, it } from '@jest/globals';
import { gameRecord } from '@maw/minds/measures/fixtures.suite.ts';
import { beliefChart } from './belief-chart.ts';

const game = gameRecord({ rules: 'onuw', names: ['Ann', 'Bob'], roles: ['seer', 'robber'], finals: ['seer', 'werewolf'] });
const thought = { table: 't1', round: 1, seat: 0, kind: 'believe' };

it('draws the probabilities of the roles for each decision, frames the true role, and says the log loss', () => {
  const beliefs = [{ Bob: { robber: 0.5, werewolf: 0.5 } }, { Bob: { werewolf: 1 } }];
  const chart = beliefChart(game, beliefs.map((each) => ({ ...thought, content: { phase: 'round-1/day', beliefs: each } })))!; // prettier-ignore
  const heights = (pattern: RegExp) => [...chart.matchAll(pattern)].map(([, x, height]) => [Number(x), Number(height)]);
  expect(heights(/<rect x="(\d+)" y="[\d.]+" width="28" height="([\d.]+)" fill="#/g)).toEqual([[110, 13], [110, 13], [140, 26]]); // prettier-ignore
  expect(heights(/<rect x="(\d+)" y="[\d.]+" width="28" height="([\d.]+)" fill="none"/g)).toEqual([[110, 13], [140, 26]]); // prettier-ignore
  expect(chart).toContain('>of 1 werewolf<');
  expect(chart).toContain('>log loss 0.00<');
  expect(chart.match(/>day</g)).toHaveLength(1);
});

it('draws nothing when no belief is a table', () => {
  expect(beliefChart(game, [{ ...thought, content: { beliefs: { belief: 'Bob is the Werewolf.' } } }])).toBeUndefined();
});
