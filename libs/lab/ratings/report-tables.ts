import { meanOf } from './distributions.ts';
import type { BiasTest } from './rates/bias-tests.ts';
import type { PairReport, PartRate, RatingReport } from './report.ts';
import type { NormalisedElo } from './sequential/gsprt.ts';
import { crossedGames, type GameResult, type Kept } from './result.ts';
import { ENOUGH_DEALS } from './strength/bootstrap.ts';
import type { Estimate } from './strength/ranking.ts';
import { dealsNeededText, leastPText } from './rates/difference.ts';

type Rows = readonly (readonly string[])[];

/** A part of a report: tables, the first row of each its head, and lines of text. Names in it are as the file has them. */
export interface Section {
  readonly title: string;
  readonly parts: readonly (Rows | string)[];
}

/** What the report is of, in a line. */
export const headingOf = ({ games, ranking, rules }: RatingReport, seed: string): string =>
  `${count(games, 'game')}, ${count(ranking.deals, 'deal')}, ${rules.join(', ')}; ${ranking.draws} resamplings, seed ${seed}`;

/** A report as people read it. Sections without parts are left out. */
export function sectionsOf(report: RatingReport, games: readonly GameResult[], reading: Kept): readonly Section[] {
  const { rules } = report;
  const sections = [
    {
      title: 'Ranking by strength, the same on every side (Elo; 0 is the average agent)',
      parts: [rankingTable(report, reading.hasPoints ? games : [])],
    },
    { title: 'Strength by side (Elo)', parts: [strengthTable(report)] },
    { title: 'How often a side wins when all agents are average', parts: report.ranking.shares.length ? [shareTable(report)] : [] },
    { title: 'Win rates by side', parts: rateTables(report.bySide, rules) },
    { title: 'Win rates by role', parts: rateTables(report.byRole, rules) },
    { title: 'Was the contest even? (p below .01: hardly by chance)', parts: [biasTable(report.bias)] },
    {
      title: 'Pairs: strength (Elo); win rates where both held the same places in the same deals, p corrected for the number of pairs',
      parts: pairTable(report.pairs),
    },
    { title: 'Sequential test', parts: headToHeadText(report) },
    { title: 'Notes', parts: notesOf(report, games, reading) },
  ];
  return sections.filter(({ parts }) => parts.length);
}

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;

/** Elo of a logit: 400 points multiply the odds by ten. */
const ELO = 400 / Math.LN10;

const elo = (logits: number): string => {
  const points = Math.round(logits * ELO);
  return Number.isFinite(points) ? `${points > 0 ? '+' : ''}${points === 0 ? 0 : points}` : 'unknown';
};
const eloWithin = ({ value, low, high }: Estimate): readonly string[] => [
  elo(value),
  Number.isFinite(low) ? `${elo(low)} to ${elo(high)}` : 'unknown',
];

const percent = (share: number): string => (share * 100).toFixed(1);
const percentWithin = (low: number, high: number): string =>
  Number.isFinite(low + high) ? `${percent(low)} to ${percent(high)}` : 'unknown';

const probability = (p: number): string => (p < 0.0001 ? '<.0001' : p.toFixed(4).replace(/^0/, ''));

function rankingTable({ ranking, rates }: RatingReport, scored: readonly GameResult[]): Rows {
  const points = meanPoints(scored);
  return [
    ['agent', 'rank', '95 %', 'Elo', '95 %', 'win rate %', '95 %', 'games', ...(points ? ['points'] : [])],
    ...ranking.agents.map(({ agent, rank, rankLow, rankHigh, strength }) => {
      const own = rates.find((rate) => rate.agent === agent)!;
      return [
        agent,
        String(rank),
        `${rankLow} to ${rankHigh}`,
        ...eloWithin(strength),
        percent(own.share),
        percentWithin(own.low, own.high),
        String(own.games),
        ...(points ? [points.get(agent)!.toFixed(3)] : []),
      ];
    }),
  ];
}

/** The mean points of a seat by agent; undefined without games. */
function meanPoints(games: readonly GameResult[]): ReadonlyMap<string, number> | undefined {
  if (!games.length) return undefined;
  const byAgent = Map.groupBy(games.flatMap(({ seats }) => seats), ({ agent }) => agent); // prettier-ignore
  return new Map([...byAgent].map(([agent, own]) => [agent, meanOf(own.map(({ points }) => points))]));
}

function strengthTable({ ranking: { agents } }: RatingReport): Rows {
  const sides = [...new Set(agents.flatMap((agent) => Object.keys(agent.sides)))];
  return [
    ['agent', ...sides.flatMap((side) => [side, '95 %'])],
    ...agents.map((agent) => [agent.agent, ...sides.flatMap((side) => (agent.sides[side] ? eloWithin(agent.sides[side]) : ['never', '']))]),
  ];
}

const shareTable = ({ ranking: { shares } }: RatingReport): Rows => [
  ['rules', 'side', 'share %', '95 %'],
  ...shares.map(({ rules, side, share }) => [rules, side, percent(share.value), percentWithin(share.low, share.high)]),
];

/** A table of each rule set, with a row per agent and a pair of columns per side or role. */
const rateTables = (rates: readonly PartRate[], rules: readonly string[]): readonly Rows[] =>
  rules.map((set) => {
    const inside = rates.filter((rate) => rate.rules === set);
    const parts = [...new Set(inside.map(({ of }) => String(of)))].toSorted();
    const cellsOf = (agent: string, part: string): readonly string[] => {
      const found = inside.find((rate) => rate.agent === agent && String(rate.of) === part);
      return found ? [percent(found.share), percentWithin(found.low, found.high)] : ['never', ''];
    };
    const agents = [...new Set(inside.map(({ agent }) => agent))];
    return [
      [rules.length > 1 ? set : 'agent', ...parts.flatMap((part) => [`${part} %`, '95 %'])],
      ...agents.map((agent) => [agent, ...parts.flatMap((part) => cellsOf(agent, part))]),
    ];
  });

const biasTable = (tests: readonly BiasTest[]): Rows => [
  ['rules', 'test', 'chi-square', 'freedom', 'p'],
  ...tests.map(({ rules, test, statistic, freedom, p }) => [
    rules,
    test,
    statistic.toFixed(2),
    String(freedom),
    freedom ? probability(p) : 'none',
  ]),
];

/** All pairs of 15 agents fit. */
const MAX_PAIRS = 105;

function pairTable(pairs: readonly PairReport[]): Section['parts'] {
  const least = leastPText(pairs.flatMap(({ rates }) => rates ?? []));
  const shown = pairs.toSorted((a, b) => (a.rates?.adjusted ?? 2) - (b.rates?.adjusted ?? 2)).slice(0, MAX_PAIRS);
  const rows = [
    ['stronger', 'weaker', 'Elo', '95 %', 'win rate %', '95 %', 'p', 'sd of a deal', 'deals', 'deals needed'],
    ...shown.map(pairRow),
  ];
  const hidden = pairs.length - shown.length;
  return [rows, ...(hidden ? [`${hidden} more pairs are less sure; --json has them all`] : []), ...(least === undefined ? [] : [least])];
}

function pairRow({ one, other, difference, rates, met }: PairReport): readonly string[] {
  const sign = difference.value < 0 ? -1 : 1;
  const [low, high] = sign < 0 ? [-difference.high, -difference.low] : [difference.low, difference.high];
  const head = [...(sign < 0 ? [other, one] : [one, other]), ...eloWithin({ value: sign * difference.value, low, high })];
  if (!rates) return [...head, met ? 'not in the same places' : 'never met', '', '', '', '0', ''];
  const [least, most] = sign < 0 ? [-rates.high, -rates.low] : [rates.low, rates.high];
  return [
    ...head,
    percent(sign * rates.difference),
    percentWithin(least, most),
    probability(rates.adjusted),
    rates.deviation?.toFixed(3) ?? 'unknown',
    String(rates.deals),
    dealsNeededText(rates),
  ];
}

/** The estimate of `normalisedElo` in words. */
export const eloText = (one: string, estimate: NormalisedElo | undefined): string => {
  if (!estimate) return `${one}: all deals scored alike, so normalised Elo is unknown`;
  const [value, low, high] = [estimate.elo, estimate.low, estimate.high].map((each) => each.toFixed(1));
  return `${one}: normalised Elo ${value} (${low} to ${high}), likelihood of superiority ${percent(estimate.los)} %`;
};

function headToHeadText({ headToHead: found }: RatingReport): readonly string[] {
  if (!found) return [];
  const { one, other, counts, pairs, gamesPerPair, test, evidence, estimate } = found;
  if (!pairs) return ['The two agents never met and held the same places in a deal: there is nothing to test.'];
  const verdicts = {
    elo1: `stop: ${one} is the better by ${test.elo1} or more`,
    elo0: `stop: ${one} is better by ${test.elo0} at most`,
    none: 'play on: undecided',
  };
  const scores = counts.map(({ score, count: n }) => `${Number(score.toFixed(3))} in ${n}`).join(', ');
  const bounds = `bounds ${evidence.lower.toFixed(3)} and ${evidence.upper.toFixed(3)}`;
  const verdict = verdicts[evidence.accepted ?? 'none'];
  return [
    `${one} against ${other}, ${count(pairs, 'deal')} of ${count(Number(gamesPerPair.toFixed(2)), 'game')}: scores ${scores}`,
    eloText(one, estimate),
    `normalised Elo ${test.elo0} or ${test.elo1}: log-likelihood ratio ${evidence.llr.toFixed(3)}, ${bounds}: ${verdict}`,
  ];
}

function notesOf({ ranking, bias }: RatingReport, games: readonly GameResult[], { hasSeats }: Kept): readonly string[] {
  const { deals, agents } = ranking;
  const crossed = crossedGames(games);
  const tables = new Set(games.map(({ seats }) => [...new Set(seats.map(({ agent }) => agent))].toSorted().join('\n')));
  const isUneven = bias.some(({ p, test }) => p < 0.01 && test === 'agents by role');
  const notes: string[] = [];
  if (deals < ENOUGH_DEALS) notes.push(`Only ${count(deals, 'deal')}: intervals of strength need ${ENOUGH_DEALS} or more to be trusted.`);
  if (crossed)
    notes.push(
      `In ${count(crossed, 'game')} a seat won or lost otherwise than its side: strengths go by the side that won. Trust the win rates rather.`,
    );
  if (tables.size === 1 && agents.length > 2 && ranking.shares.length)
    notes.push(
      'The same agents sat in every game: a strong villager cannot be told from a weak wolf, so the intervals of strength are wide. Compare win rates.',
    );
  if (isUneven) notes.push('Roles were dealt unevenly: trust the strengths rather than the win rates over all roles.');
  if (!hasSeats) notes.push('The file has no column "seat": seats were not tested.');
  return notes;
}
