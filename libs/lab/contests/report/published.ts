import { z } from 'zod';
import { parseYaml } from '@maw/recipes/yaml-file.ts';
import { AT_95, twoSidedP } from '../../ratings/distributions.ts';
import type { placesIn } from '../../ratings/deals.ts';
import { rangeOf } from '../../measures/ranges.ts';
import { pairedDifference, type PairedDifference } from '../../ratings/rates/difference.ts';
import { dealsForPower, LEAST_TO_PLAN, USUALLY_SOUGHT } from '../../ratings/rates/sample-size.ts';
import { leastP } from '../../ratings/rates/sign-flips.ts';
import { type Bounds, wilsonInterval } from '../../ratings/rates/wilson-interval.ts';
import type { MeasureTable } from './behaviour.ts';
import type { CellRow } from './cells.ts';
import type { Counted } from './counted.ts';
import type { AgentRate } from './win-rates.ts';

const where = z.string().min(1).max(300).describe('The section, table or figure');
const cell = z.string().min(1).max(60).describe('The cell, or the agent');
const asked = { measure: z.string().min(1).max(60), about: z.string().min(1).max(60), where };

const isShare = (value: number): boolean => value >= 0 && value <= 1;

/** What a document has published of an experiment; the file has the name of the contest. */
export const publishedShape = z.strictObject({
  document: z.string().min(1).max(300),
  about: z.string().max(2000).default(''),
  figures: z
    .array(
      z
        .strictObject({
          ...asked,
          cell,
          value: z.number(),
          games: z.int().min(1).optional().describe('How many games it is of; only then a share has an interval'),
          how: z.enum(['printed', 'plot']).describe('Printed as a number, or read off a plot'),
        })
        .refine(({ measure, value }) => rangeOf(measure).most !== 1 || isShare(value), {
          path: ['value'],
          error: 'this measure is a share, from 0 to 1 (.9 for 90 %)',
        }),
    )
    .default([]),
  claims: z
    .array(
      z.strictObject({
        ...asked,
        higher: cell,
        lower: cell,
        aboutLower: cell.optional().describe('Where the lower one is about something else'),
      }),
    )
    .default([])
    .describe('Where no number is printed: which cell is above which'),
});
export type Published = z.output<typeof publishedShape>;

/** @throws RecipeError naming every mistake in the file */
export const readPublished = (file: string, text: string): Published => parseYaml<Published>(file, text, publishedShape).value;

interface Value extends Partial<Bounds> {
  readonly value: number;
  readonly games: number;
}

/**
 * Games of each at which a difference as large as this one is found in 80 of 100 experiments (at 5 %), or that there are too few to say. Absent
 * where they are equal, or it is not known how games differ.
 */
export type GamesNeeded = number | 'too few games to say';

/** A published figure beside ours. */
export interface FigureRow {
  readonly cell: string;
  readonly measure: string;
  readonly about: string;
  readonly where: string;
  readonly how: 'printed' | 'plot';
  readonly published: Omit<Value, 'games'> & { readonly games?: number };
  /** Absent where nothing was measured. */
  readonly ours?: Value;
  /** Why nothing was measured, in words. */
  readonly why?: string;
  /** Two-sided, of the hypothesis that both are the same; absent where one has no interval. */
  readonly p?: number;
  readonly needed?: GamesNeeded;
}

/** In place of a figure. */
export const unmeasuredText = (why: string | undefined): string => (why ? `not measured: ${why}` : 'not measured');

/** A published order of two cells beside ours. */
export interface ClaimRow {
  readonly measure: string;
  readonly about: string;
  readonly where: string;
  readonly higher: string;
  readonly lower: string;
  /** Of the cell that is said to be the higher one, minus the other. */
  readonly difference?: Bounds & { readonly value: number };
  readonly finding: 'as published' | 'the other way round' | 'not told apart' | 'too few games' | 'not measured';
  /** The deals that both played, by which they are compared; absent: their games are taken as independent. */
  readonly deals?: number;
  /** Why it was not measured, in words. */
  readonly why?: string;
  /** Of deals where these compare them, else of games of each. */
  readonly needed?: GamesNeeded;
}

export interface Comparison {
  readonly document: string;
  readonly about: string;
  readonly figures: readonly FigureRow[];
  readonly claims: readonly ClaimRow[];
}

/** What was measured, by cell or by agent. */
export interface Ours {
  readonly cells: readonly CellRow[];
  /** How often each agent won, whatever it played. */
  readonly rates: readonly AgentRate[];
  readonly tables: readonly MeasureTable[];
}

/** What was measured in one deal. */
export interface OursInDeal extends Ours {
  readonly rules: string;
  /** How many tables; where there is one, seats are drawn by chance. */
  readonly pairings: number;
  readonly held: ReturnType<typeof placesIn>;
}

/**
 * How much more of a measure one cell or agent has than another, in the deals of both. Undefined where they share none, or it cannot be had so; null
 * of agents that played the same deals, but never in the same places: there it is places that differ.
 */
export type GapOf = (measure: string, about: string, one: string, other: string, aboutOther?: string) => PairedDifference | null | undefined; // prettier-ignore

/** The mean over deals of what one has more than the other, of the first rule set that both played. NashConv is no mean: of one game it says nothing. */
export function gapsByDeal(counted: readonly Counted[], oursOf: (deal: readonly Counted[]) => OursInDeal): GapOf {
  let measured: readonly OursInDeal[] | undefined;
  return (measure, about, one, other, aboutOther = about) => {
    if (measure === 'NashConv') return undefined;
    measured ??= [...Map.groupBy(counted, ({ pairing }) => pairing.deal).values()].map(oursOf);
    const [cells, agents] = [measured.flatMap((ours) => ours.cells.map((row) => row.cell)), measured.flatMap(({ rates }) => rates.map(({ agent }) => agent))]; // prettier-ignore
    const areAgents = one !== other && [one, other].every((name) => agents.includes(name) && !cells.includes(name));
    const shared = measured.flatMap(({ rules, pairings, held, ...ours }) => {
      const [mine, theirs] = [valueIn(ours, one, measure, about), valueIn(ours, other, measure, aboutOther)];
      const isFair = !areAgents || (held.has(one) && held.get(one)?.places === held.get(other)?.places);
      return mine && theirs ? [{ rules, isFair, isDrawn: pairings === 1, difference: mine.value - theirs.value }] : [];
    });
    const fair = shared.filter(({ isFair, rules }) => isFair && rules === shared[0]!.rules);
    if (!fair.length) return shared.every(({ isDrawn }) => isDrawn) ? undefined : null;
    const gap = pairedDifference(fair.map(({ difference }) => difference));
    if (!gap || rangeOf(measure).most === 1) return gap;
    const reach = (AT_95 * (gap.deviation ?? Infinity)) / Math.sqrt(gap.deals);
    return { ...gap, low: gap.difference - reach, high: gap.difference + reach };
  };
}

/** Published figures beside those of the cells, or of the agents. */
export function comparePublished(published: Published, ours: Ours, gapOf: GapOf): Comparison {
  return {
    document: published.document,
    about: published.about,
    figures: published.figures.map(({ cell: name, measure, about, where: place, how, value, games }) =>
      figureRow(
        { cell: name, measure, about, where: place, how, published: publishedValue(value, games) },
        valueIn(ours, name, measure, about),
      ),
    ),
    claims: published.claims.map(({ aboutLower, ...claim }) => {
      const { measure, about, higher, lower } = claim;
      const row = aboutLower === undefined ? claim : { ...claim, lower: `${lower}, ${aboutLower}` };
      const values = [valueIn(ours, higher, measure, about), valueIn(ours, lower, measure, aboutLower ?? about)] as const;
      return claimRow(row, values, gapOf(measure, about, higher, lower, aboutLower));
    }),
  };
}

const valueIn = ({ cells, rates, tables }: Ours, name: string, measure: string, about: string): Value | undefined =>
  (measure === 'win rate' ? winRateIn({ cells, rates }, name, about) : undefined) ?? fromTables(tables, name, measure, about);

function publishedValue(value: number, games: number | undefined): FigureRow['published'] {
  if (games === undefined || !isShare(value)) return { value, ...(games === undefined ? {} : { games }) };
  const { low, high } = wilsonInterval(value * games, games);
  return { value, games, low, high };
}

/** Win rates are known without records too. */
function winRateIn({ cells, rates }: Pick<Ours, 'cells' | 'rates'>, name: string, about: string): Value | undefined {
  const side = cells.find(({ cell: each }) => each === name)?.sides.find((each) => each.side === about);
  const row = side ?? rates.find(({ agent, of }) => agent === name && of === about);
  return row && { value: row.share, games: row.games, low: row.low, high: row.high };
}

function fromTables(tables: readonly MeasureTable[], name: string, measure: string, about: string): Value | undefined {
  for (const { columns, rows } of tables) {
    const column = columns.findIndex((each) => each.measure === measure && each.about === about);
    const row = rows.find((each) => each.name === name);
    const value = row?.values[column];
    if (row && value) return { ...value, games: row.games };
  }
  return undefined;
}

const errorOf = ({ low, high }: Partial<Bounds>): number | undefined =>
  low === undefined || high === undefined ? undefined : (high - low) / 2 / AT_95;

function figureRow(row: Omit<FigureRow, 'ours' | 'p' | 'needed'>, ours: Value | undefined): FigureRow {
  if (!ours) return row;
  const [one, other] = [errorOf(ours), errorOf(row.published)];
  const gap = ours.value - row.published.value;
  const { games } = row.published;
  const needed = gamesNeeded(gap, [ours], games === undefined ? 0 : spread({ ...row.published, games }));
  return {
    ...row,
    ours,
    ...(one === undefined || other === undefined ? {} : { p: twoSidedP(gap / Math.hypot(one, other)) }),
    ...(needed === undefined ? {} : { needed }),
  };
}

function claimRow(
  row: Pick<ClaimRow, 'measure' | 'about' | 'where' | 'higher' | 'lower'>,
  [higher, lower]: readonly [Value | undefined, Value | undefined],
  byDeal: PairedDifference | null | undefined,
): ClaimRow {
  if (!higher || !lower) return { ...row, finding: 'not measured' };
  if (byDeal === null) return { ...row, finding: 'not measured', why: 'in no deal they held the same places' };
  const gap = byDeal ?? independentGap(higher, lower);
  if (!gap) return { ...row, finding: 'too few games' };
  const { difference: value, low, high, p } = gap;
  const few = byDeal && byDeal.deals < LEAST_TO_PLAN ? 'too few games to say' : undefined;
  const needed = few ?? (byDeal ? (byDeal.dealsNeeded ?? undefined) : gamesNeeded(value, [higher, lower]));
  const told = !(p < 0.05) ? 'not told apart' : value > 0 ? 'as published' : 'the other way round';
  return {
    ...row,
    difference: { value, low, high },
    finding: byDeal && leastP(byDeal.deals) >= 0.05 ? 'too few games' : told,
    ...(byDeal ? { deals: byDeal.deals } : {}),
    ...(needed === undefined ? {} : { needed }),
  };
}

/** As if no game of one had to do with one of the other. */
function independentGap(higher: Value, lower: Value): Pick<PairedDifference, 'difference' | 'low' | 'high' | 'p'> | undefined {
  const [one, other] = [errorOf(higher), errorOf(lower)];
  if (one === undefined || other === undefined) return undefined;
  const [difference, error] = [higher.value - lower.value, Math.hypot(one, other)];
  return { difference, low: difference - AT_95 * error, high: difference + AT_95 * error, p: twoSidedP(difference / error) };
}

/** The variance of one game, by the interval of all. Undefined: not known. */
function spread(value: Omit<Value, 'value'>): number | undefined {
  const error = errorOf(value);
  return error === undefined ? undefined : error ** 2 * value.games;
}

/**
 * Games of each group to find a difference (two-sided 5 %, power 80 %).
 * @param variance of one game of a group whose figures are not ours
 */
function gamesNeeded(gap: number, ours: readonly Value[], variance: number | undefined = 0): GamesNeeded | undefined {
  if (ours.some(({ games }) => games < LEAST_TO_PLAN)) return 'too few games to say';
  const variances = [...ours.map(spread), variance];
  if (gap === 0 || variances.some((each) => each === undefined)) return undefined;
  return dealsForPower(
    gap,
    variances.reduce<number>((sum, each) => sum + each!, 0),
    USUALLY_SOUGHT,
  );
}
