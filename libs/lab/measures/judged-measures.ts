import { z } from 'zod';
import { parseJson } from '../parse-json.ts';
import type { GameRecord } from './game-record.ts';
import type { Measured } from './measured.ts';
import { type Cases, mean, meanShare, pooledShare, shareOf, sumOf } from './shares.ts';

/** How the judged cases of several games become one value. */
const COMBINED = {
  'camouflage': { source: 'document 001, section 5.3', combine: (games: readonly Cases[]) => mean(games.map(({ times }) => times)) },
  'reasonable outputs': { source: 'document 001, section 4.4.2', combine: pooledShare },
  'first claims': { source: 'document 003, section 5.2.2', combine: pooledShare },
  'self-recommendation': { source: 'document 003, section 5', combine: meanShare },
  'success of self-recommendation': { source: 'the program of document 003: a game without any counts 0', combine: meanWithZeros },
  'teamwork': { source: 'document 003, section 5', combine: meanShare },
  'confrontation': { source: 'document 003, section 5', combine: meanShare },
  'vacillation': { source: 'the program of document 003', combine: meanShare },
  'sharing': { source: 'document 003, section 5', combine: pooledShare },
  'trust': { source: 'document 001, section 5.1', combine: meanShare },
} as const;
type JudgedMeasure = keyof typeof COMBINED;

function meanWithZeros(games: readonly Cases[]): number | undefined {
  return mean(games.map((game) => shareOf(game) ?? 0));
}

/** Measures that need somebody who judges what was said. Without judgements they are named and not computed. */
export const JUDGED = Object.entries(COMBINED).map(([measure, { source }]) => ({ measure, source }));

const place = { table: z.string(), round: z.int().min(1).default(1), judge: z.string().min(1), version: z.string().min(1) };
const seat = z.int().min(0);

/** What a judge, a model or a person, found in one game. */
export const judgementShape = z.union([
  z.strictObject({
    ...place,
    measure: z.enum(Object.keys(COMBINED) as [JudgedMeasure, ...JudgedMeasure[]]).exclude(['trust']),
    /** A side, a role, two roles: `morgana`, `servant to merlin, round 2`. */
    about: z.string(),
    times: z.int().min(0),
    of: z.int().min(0),
  }),
  /** Who trusts whom on a day: seats, from and to. */
  z.strictObject({ ...place, measure: z.literal('trust'), day: z.int().min(1), pairs: z.array(z.tuple([seat, seat])) }),
]);
export type Judgement = z.output<typeof judgementShape>;

/** Reads judgements, a line of JSON each. @param file its name, for messages @throws Error naming the line that is no judgement */
export const parseJudgements = (text: string, file: string): readonly Judgement[] =>
  text.split('\n').flatMap((line, i) => {
    if (!line.trim()) return [];
    const { success, data, error } = judgementShape.safeParse(parseJson(line));
    if (!success) throw new Error(`${file}:${i + 1} is no judgement as docs/minds.md shows them: ${z.prettifyError(error)}`);
    return [data];
  });

/** The measures for which there are no judgements. */
export const unjudged = (rows: readonly Pick<Measured, 'measure'>[]) =>
  JUDGED.filter((judged) => !rows.some(({ measure }) => measure === judged.measure));

/** The judged measures of some games: a value per judge and version. Judgements of other games are left out. */
export function measureJudged(games: readonly GameRecord[], judgements: readonly Judgement[]): readonly Measured[] {
  const byPlace = new Map(judgements.length ? games.map((game) => [placeOf(game), game]) : []);
  const { trust = [], others = [] } = Object.groupBy(judgements, ({ measure }) => (measure === 'trust' ? measure : 'others'));
  const found = [...others, ...trust].flatMap((judgement) => {
    const game = byPlace.get(placeOf(judgement));
    return game ? foundIn(judgement, game) : [];
  });
  const groups = Map.groupBy(found, ({ rules, measure, about, judge, version }) => [rules, measure, about, judge, version].join('\n'));
  return [...groups.values()].map((group): Measured => {
    const { measure, rules, about, judge, version } = group[0]!;
    const { source, combine } = COMBINED[measure];
    return { measure, source: `${source}; judged by ${judge}, ${version}`, rules, about, value: combine(group), cases: sumOf(group).of };
  });
}

const placeOf = ({ table, round }: { readonly table: string; readonly round: number }): string => JSON.stringify([table, round]);

/** What a judge found in one game, in cases. */
interface Found extends Cases {
  readonly measure: JudgedMeasure;
  readonly rules: string;
  readonly about: string;
  readonly judge: string;
  readonly version: string;
}

/** Of who trusts whom: the share of all ordered pairs that trust, and of these the share that is mutual. */
function foundIn(judgement: Judgement, { rules, roles }: GameRecord): readonly Found[] {
  if (judgement.measure !== 'trust') return [{ ...judgement, rules }];
  const { measure, judge, version, day, pairs } = judgement;
  const cells = [...new Set(pairs.filter(([from, to]) => from !== to).map(([from, to]) => `${from} ${to}`))];
  const isMutual = (cell: string): boolean => cells.includes(cell.split(' ').toReversed().join(' '));
  const by = { measure, rules, judge, version };
  return [
    { ...by, about: `density, day ${day}`, times: cells.length, of: roles.length * (roles.length - 1) },
    { ...by, about: `mutual, day ${day}`, times: cells.filter(isMutual).length, of: cells.length },
  ];
}
