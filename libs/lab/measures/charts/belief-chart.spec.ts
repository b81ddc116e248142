import { expect, it } from '@jest/globals';
import { gameRecord } from '../fixtures.suite.ts';
import { beliefChart } from './belief-chart.ts';

const game = gameRecord({ rules: 'onuw', names: ['Ann', 'Bob'], roles: ['seer', 'robber'], finals: ['seer', 'werewolf'] });
const thought = { table: 't1', round: 1, seat: 0, kind: 'believe' };

const believed = (seat: number, phase: string, beliefs: object) => ({ ...thought, seat, content: { phase, beliefs: { ...beliefs } } });
const heights = (chart: string, pattern: RegExp) => [...chart.matchAll(pattern)].map(([, x, height]) => [Number(x), Number(height)]);

it('draws the probabilities of the roles as last believed in a phase, frames the true role, and says the log loss', () => {
  const chart = beliefChart(game, [
    believed(0, 'round-1/night', { Bob: { robber: 0.5, werewolf: 0.5 } }),
    believed(0, 'round-1/day', { Bob: { robber: 1 } }),
    believed(0, 'round-1/day', { Bob: { werewolf: 1 } }),
  ])!;
  expect(heights(chart, /<rect x="(\d+)" y="[\d.]+" width="28" height="([\d.]+)" fill="#/g)).toEqual([[110, 13], [110, 13], [140, 26]]); // prettier-ignore
  expect(heights(chart, /<rect x="(\d+)" y="[\d.]+" width="28" height="([\d.]+)" fill="none"/g)).toEqual([[110, 13], [140, 26]]); // prettier-ignore
  expect(chart).toContain('>of 1 werewolf<');
  expect(chart).toContain('>log loss 0.00<');
  expect(chart.match(/>day</g)).toHaveLength(1);
});

it('has the same column for a phase in the panels of all seats, in the order of the game', () => {
  const phases = ['night', 'day/round-1', 'day/round-2'].map((phase) => `round-1/${phase}`);
  const chart = beliefChart({ ...game, phases }, [
    believed(0, phases[2]!, { Bob: { werewolf: 1 } }),
    believed(1, phases[0]!, { Ann: { seer: 1 } }),
    believed(1, phases[2]!, { Ann: { seer: 1 } }),
  ])!;
  expect(heights(chart, /<rect x="(\d+)" y="[\d.]+" width="28" height="([\d.]+)" fill="#/g)).toEqual([[140, 26], [110, 26], [140, 26]]); // prettier-ignore
  expect([...chart.matchAll(/rotate.*>(.*)</g)].map(([, label]) => label)).toEqual(['night', 'round-2', 'night', 'round-2']);
});

it('is no wider for many phases, and names only as many of them as have room', () => {
  const phases = Array.from({ length: 150 }, (_, i) => `round-1/quest-${i}`);
  const chart = beliefChart({ ...game, phases }, phases.map((phase) => believed(0, phase, { Bob: { werewolf: 1 } })))!; // prettier-ignore
  expect(chart).toMatch(/^<svg [^>]* width="1500"/);
  expect([...chart.matchAll(/rotate.*>(.*)</g)].map(([, label]) => label)).toEqual(Array.from({ length: 75 }, (_, i) => `quest-${2 * i}`));
});

it('draws nothing when no belief is a table', () => {
  expect(beliefChart(game, [{ ...thought, content: { beliefs: { belief: 'Bob is the Werewolf.' } } }])).toBeUndefined();
});
