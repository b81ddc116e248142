import type { BiasTest } from '@maw/lab/ratings/rates/bias-tests.ts';
import type { PairReport, PartRate, RatingReport } from '@maw/lab/ratings/report.ts';
import { crossedGames, type GameResult } from '@maw/lab/ratings/result.ts';
import { ENOUGH_DEALS } from '@maw/lab/ratings/strength/bootstrap.ts';
import type { Estimate } from '@maw/lab/ratings/strength/ranking.ts';
import { numberColumns } from '../output.ts';
import { LEAST_TO_PLAN } from '@maw/lab/ratings/rates/sample-size.ts';
import { type Paint, sanitizeText } from '../transcript.ts';

/** How the results were read and resampled. */
interface Reading {
  readonly seed: string;
  readonly hasSeats: boolean;
  readonly hasPoints: boolean;
}

/** A report as people read it. */
export function reportText(report: RatingReport, games: readonly GameResult[], reading: Reading, paint: Paint): string {
  const section = (title: string, body: string): readonly string[] => (body ? [`\n${paint('bold', title)}`, body] : []);
  const { ranking, rules } = report;
  return [
    `${count(report.games, 'game')}, ${count(ranking.deals, 'deal')}, ${rules.map(sanitizeText).join(', ')}; ${ranking.draws} resamplings, seed ${sanitizeText(reading.seed)}`,
    ...section(
      'Ranking by strength, the same on every side (Elo; 0 is the average agent)',
      rankingTable(report, reading.hasPoints ? games : []),
    ),
    ...section('Strength by side (Elo)', strengthTable(report)),
    ...section('How often a side wins when all agents are average', shareTable(report)),
    ...section('Win rates by side', rateTable(report.bySide, rules)),
    ...section('Win rates by role', rateTable(report.byRole, rules)),
    ...section('Was the contest even? (p below .01: hardly by chance)', biasTable(report.bias)),
    ...section('Pairs: strength (Elo), p corrected for the number of pairs, win rates in the same deals', pairTable(report.pairs)),
    ...section('Sequential test', headToHeadText(report)),
    ...section('Notes', notesOf(report, games, reading).join('\n')),
  ].join('\n');
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

const table = (rows: readonly (readonly string[])[]): string => numberColumns(rows, '  ');

function rankingTable({ ranking, rates }: RatingReport, scored: readonly GameResult[]): string {
  const points = meanPoints(scored);
  return table([
    ['agent', 'rank', '95 %', 'Elo', '95 %', 'win rate %', '95 %', 'games', ...(points ? ['points'] : [])],
    ...ranking.agents.map(({ agent, rank, rankLow, rankHigh, strength }) => {
      const own = rates.find((rate) => rate.agent === agent)!;
      return [
        sanitizeText(agent),
        String(rank),
        `${rankLow} to ${rankHigh}`,
        ...eloWithin(strength),
        percent(own.share),
        percentWithin(own.low, own.high),
        String(own.games),
        ...(points ? [points.get(agent)!.toFixed(3)] : []),
      ];
    }),
  ]);
}

/** The mean points of a seat by agent; undefined without games. */
function meanPoints(games: readonly GameResult[]): ReadonlyMap<string, number> | undefined {
  if (!games.length) return undefined;
  const sums = new Map<string, { points: number; seats: number }>();
  for (const { seats } of games)
    for (const { agent, points } of seats) {
      const sum = sums.get(agent) ?? { points: 0, seats: 0 };
      sums.set(agent, { points: sum.points + points, seats: sum.seats + 1 });
    }
  return new Map([...sums].map(([agent, { points, seats }]) => [agent, points / seats]));
}

function strengthTable({ ranking: { agents } }: RatingReport): string {
  const sides = [...new Set(agents.flatMap((agent) => Object.keys(agent.sides)))];
  return table([
    ['agent', ...sides.flatMap((side) => [sanitizeText(side), '95 %'])],
    ...agents.map((agent) => [
      sanitizeText(agent.agent),
      ...sides.flatMap((side) => (agent.sides[side] ? eloWithin(agent.sides[side]) : ['never', ''])),
    ]),
  ]);
}

const shareTable = ({ ranking: { shares } }: RatingReport): string =>
  table([
    ['rules', 'side', 'share %', '95 %'],
    ...shares.map(({ rules, side, share }) => [
      sanitizeText(rules),
      sanitizeText(side),
      percent(share.value),
      percentWithin(share.low, share.high),
    ]),
  ]);

/** A line per agent and rule set, a pair of columns per side or role. */
function rateTable(rates: readonly PartRate[], rules: readonly string[]): string {
  return rules
    .map((set) => {
      const inside = rates.filter((rate) => rate.rules === set);
      const parts = [...new Set(inside.map(({ of }) => String(of)))].toSorted();
      const cellsOf = (agent: string, part: string): readonly string[] => {
        const found = inside.find((rate) => rate.agent === agent && String(rate.of) === part);
        return found ? [percent(found.share), percentWithin(found.low, found.high)] : ['never', ''];
      };
      return table([
        [rules.length > 1 ? sanitizeText(set) : 'agent', ...parts.flatMap((part) => [`${sanitizeText(part)} %`, '95 %'])],
        ...[...new Set(inside.map(({ agent }) => agent))].map((agent) => [
          sanitizeText(agent),
          ...parts.flatMap((part) => cellsOf(agent, part)),
        ]),
      ]);
    })
    .join('\n');
}

const biasTable = (tests: readonly BiasTest[]): string =>
  table([
    ['rules', 'test', 'chi-square', 'freedom', 'p'],
    ...tests.map(({ rules, test, statistic, freedom, p }) => [
      sanitizeText(rules),
      test,
      statistic.toFixed(2),
      String(freedom),
      freedom ? probability(p) : 'none',
    ]),
  ]);

/** All pairs of 15 agents fit. */
const MOST_PAIRS = 105;

function pairTable(pairs: readonly PairReport[]): string {
  const shown = pairs.toSorted((a, b) => a.adjusted - b.adjusted || a.p - b.p).slice(0, MOST_PAIRS);
  const lines = table([
    ['stronger', 'weaker', 'Elo', '95 %', 'p', 'win rate %', '95 %', 'sd of a deal', 'deals', 'deals needed'],
    ...shown.map(({ one, other, difference, adjusted, rates, dealsNeeded }) => {
      const sign = difference.value < 0 ? -1 : 1;
      const [low, high] = sign < 0 ? [-difference.high, -difference.low] : [difference.low, difference.high];
      const [least, most] = sign < 0 ? [-rates.high, -rates.low] : [rates.low, rates.high];
      return [
        ...(sign < 0 ? [other, one] : [one, other]).map(sanitizeText),
        ...eloWithin({ value: sign * difference.value, low, high }),
        probability(adjusted),
        ...(rates.deals ? [percent(sign * rates.difference), percentWithin(least, most)] : ['never met', '']),
        Number.isNaN(rates.deviation) ? 'unknown' : rates.deviation.toFixed(3),
        String(rates.deals),
        rates.deals > 0 && rates.deals < LEAST_TO_PLAN ? 'too few deals' : rates.deviation > 0 && Number.isFinite(dealsNeeded) ? String(dealsNeeded) : 'unknown', // prettier-ignore
      ];
    }),
  ]);
  return shown.length < pairs.length ? `${lines}\n  ${pairs.length - shown.length} more pairs are less sure; --json has them all` : lines;
}

function headToHeadText({ headToHead: found }: RatingReport): string {
  if (!found) return '';
  const { one, other, counts, pairs, gamesPerPair, test, evidence } = found;
  if (!pairs) return '  The two agents never sat at the same table.';
  const verdicts = {
    elo1: `stop: ${sanitizeText(one)} is the better by ${test.elo1} or more`,
    elo0: `stop: ${sanitizeText(one)} is better by ${test.elo0} at most`,
    none: 'play on: undecided',
  };
  return [
    `  ${sanitizeText(one)} against ${sanitizeText(other)}, ${count(pairs, 'deal')} of ${count(Number(gamesPerPair.toFixed(2)), 'game')}: scores ${counts.map(({ score, count: n }) => `${Number(score.toFixed(3))} in ${n}`).join(', ')}`,
    `  normalised Elo ${test.elo0} or ${test.elo1}: log-likelihood ratio ${evidence.llr.toFixed(3)}, bounds ${evidence.lower.toFixed(3)} and ${evidence.upper.toFixed(3)}: ${verdicts[evidence.accepted ?? 'none']}`,
  ].join('\n');
}

function notesOf({ ranking, bias }: RatingReport, games: readonly GameResult[], { hasSeats }: Reading): readonly string[] {
  const { deals, groups } = ranking;
  const crossed = crossedGames(games);
  const tables = new Set(games.map(({ seats }) => [...new Set(seats.map(({ agent }) => agent))].toSorted().join('\n')));
  return [
    ...(deals < ENOUGH_DEALS ? [`Only ${count(deals, 'deal')}: intervals of strength need ${ENOUGH_DEALS} or more to be trusted.`] : []),
    ...(crossed ? [`In ${count(crossed, 'game')} a seat won or lost otherwise than its side: strengths go by the side that won. Trust the win rates rather.`] : []), // prettier-ignore
    ...(groups.length > 1
      ? [
          `These groups of agents never met a common rule set, and cannot be compared: ${groups.map((group) => group.map(sanitizeText).join(', ')).join(' | ')}.`,
        ]
      : []),
    ...(tables.size === 1 && groups[0]!.length > 2
      ? [
          'The same agents sat in every game: a strong villager cannot be told from a weak wolf, so the intervals of strength are wide. Compare win rates.',
        ]
      : []),
    ...(bias.some(({ p, test }) => p < 0.01 && test === 'agents by role')
      ? ['Roles were dealt unevenly: trust the strengths rather than the win rates over all roles.']
      : []),
    ...(hasSeats ? [] : ['The file has no column "seat": seats were not tested.']),
  ].map((line) => `  ${line}`);
}
