import { expect, it } from '@jest/globals';
import { contestOf } from '../fixtures.suite.ts';
import type { ContestInput } from '../definition.ts';
import { htmlOf } from './html/page.ts';
import type { PairingResult } from '../result.ts';
import { readPublished } from './published.ts';
import { reportOf, type ReportOptions } from './report.ts';
import { resultsOf } from './synthetic-results.suite.ts';

const agents = ['a', 'b', 'idle'].map((name) => ({ name, recipe: 'random' }));
const cells: ContestInput['schedule'] = {
  kind: 'cells',
  deals: 5,
  cells: [
    { name: 'one', others: 'a' },
    { name: 'two', others: 'b' },
  ],
};
const werewolves = contestOf({ agents, games: [{ rules: 'werewolf-7' }], schedule: cells });
const analysis = contestOf({ agents, games: [{ rules: 'onuw', players: 3, options: { setup: 'analysis' } }], schedule: cells });
const silent = { winner: 'village', choices: [{ question: 'round-1/vote', by: 0, says: [] }] };
const withWinner = () => ({ winner: 'village' });

interface Asked {
  readonly contest?: typeof werewolves;
  readonly keepsRecords?: boolean;
  readonly played?: typeof withWinner;
  readonly options?: ReportOptions;
  readonly areForfeited?: boolean;
}

/** What the report says of one figure and of one order of cells. */
function saidOf(
  measure: string,
  about: string,
  cell: string,
  { contest = werewolves, keepsRecords = true, played = withWinner, options = {}, areForfeited = false }: Asked,
) {
  const text = `document: d
figures: [{ cell: ${cell}, measure: ${measure}, about: ${about}, value: 0.5, how: plot, where: f }]
claims: [{ measure: ${measure}, about: ${about}, higher: one, lower: ${cell}, where: f }]`;
  const ended = resultsOf(contest, played, keepsRecords);
  const forfeited = (result: PairingResult) => ({ ...result, games: [], records: [], void: { why: 'away', culprit: result.games[0]!.seats[0]!.agent } }); // prettier-ignore
  const results = areForfeited ? ended.map(forfeited) : ended;
  const report = reportOf(contest, results, { bootstrap: 20, published: readPublished('p.yaml', text), ...options });
  const { figures, claims } = report.results.published!;
  return { why: figures[0]!.why, ours: figures[0]!.ours, claim: claims[0]!, page: htmlOf(report) };
}

it.each<[string, string, string, string, Asked]>([
  ['no game of idle counts', 'win rate', 'village', 'idle', {}],
  ['no game of idle counts', 'camouflage', 'village', 'idle', { keepsRecords: false }],
  ['no game of two counts for nobody', 'win rate', 'nobody', 'two', {}],
  ['what its games were like was not kept; the arena keeps it with measures: true', 'duration', 'days', 'two', { keepsRecords: false }],
  ['too large', 'duration', 'days', 'two', { keepsRecords: false, options: { withoutMeasures: 'too large' } }],
  ['what its games were like was not kept', 'duration', 'days', 'two', { contest: { ...werewolves, play: 'tables' }, keepsRecords: false }],
  ['all games of two were forfeited', 'duration', 'days', 'two', { areForfeited: true }],
  ['all games of b were forfeited', 'camouflage', 'village', 'b', { areForfeited: true }],
  ['the contest has no cell or agent twoo', 'win rate', 'village', 'twoo', {}],
  ['there is no measure duraton', 'duraton', 'days', 'two', {}],
  ['judgements are by cell or line-up, and b is an agent', 'camouflage', 'village', 'b', {}],
  ['no game of two was judged; maw judge does it, and --judgements takes it', 'camouflage', 'village', 'two', {}],
  ['no game of two was judged; maw judge does it, and --judgements takes it', 'trust', 'density', 'two', {}],
  ['no model was asked in games of two', 'valid responses', 'all', 'two', {}],
  ['games of two have no case of it', 'failure votes', 'mean of roles', 'two', {}],
  ['games of two have no case of it', 'NashConv', 'with talk', 'two', { contest: analysis, played: () => silent }],
  ['5 of 5 games left out, in which a vote is missing', 'NashConv', 'without talk', 'two', { contest: analysis, played: () => silent }],
])('says “%s” of %s, %s, in %s', (why, measure, about, cell, asked) => {
  const said = saidOf(measure, about, cell, asked);
  expect([said.why, said.ours]).toEqual([why, undefined]);
  expect(said.claim).toMatchObject({ finding: 'not measured', why: expect.stringMatching(/./) });
  expect(said.page).toContain(`not measured: ${why}`);
});

it('says nothing of what is measured, and of an order what the cell lacks that has none', () => {
  const { why, ours, page } = saidOf('win rate', 'village', 'two', {});
  expect([why, ours?.games]).toEqual([undefined, 5]);
  expect(page).not.toContain('not measured');
  expect(saidOf('win rate', 'village', 'idle', {}).claim).toMatchObject({ finding: 'not measured', why: 'no game of idle counts' });
});
