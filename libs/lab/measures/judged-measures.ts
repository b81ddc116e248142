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
} as const;
const TRUST = { measure: 'trust', source: 'document 001, section 5.1' } as const;
type Counted = keyof typeof COMBINED;

function meanWithZeros(games: readonly Cases[]): number | undefined {
  return mean(games.map((game) => shareOf(game) ?? 0));
}

/** Measures that need somebody who judges what was said. Without judgements they are named and not computed. */
export const JUDGED = [...Object.entries(COMBINED).map(([measure, { source }]) => ({ measure, source })), TRUST];

const place = { table: z.string(), round: z.int().min(1).default(1), judge: z.string().min(1), version: z.string().min(1) };
const seat = z.int().min(0);

/** What a judge, a model or a person, found in one game. */
export const judgementShape = z.union([
  z.strictObject({
    ...place,
    measure: z.enum(Object.keys(COMBINED) as [Counted, ...Counted[]]),
    /** A side, a role, two roles: `morgana`, `servant to merlin, round 2`. */
    about: z.string(),
    times: z.int().min(0),
    of: z.int().min(0),
  }),
  /** Who trusts whom on a day: seats, from and to. */
  z.strictObject({ ...place, measure: z.literal('trust'), day: z.int().min(1), pairs: z.array(z.tuple([seat, seat])) }),
]);
export type Judgement = z.output<typeof judgementShape>;
type TrustJudgement = Extract<Judgement, { readonly measure: 'trust' }>;
type CountedJudgement = Exclude<Judgement, TrustJudgement>;

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
  const known = judgements.flatMap((judgement) => {
    const game = byPlace.get(placeOf(judgement));
    return game ? [{ judgement, game }] : [];
  });
  const counted = known.flatMap(({ judgement, game }) => (judgement.measure === 'trust' ? [] : [{ judgement, rules: game.rules }]));
  const trust = known.flatMap(({ judgement, game }) => (judgement.measure === 'trust' ? [{ judgement, game }] : []));
  return [...countedRows(counted), ...trustRows(trust)];
}

const placeOf = ({ table, round }: { readonly table: string; readonly round: number }): string => JSON.stringify([table, round]);

const judgedBy = (source: string, { judge, version }: Judgement): string => `${source}; judged by ${judge}, ${version}`;

function countedRows(all: readonly { readonly judgement: CountedJudgement; readonly rules: string }[]): readonly Measured[] {
  const groups = Map.groupBy(all, ({ judgement: { measure, about, judge, version }, rules }) =>
    [rules, measure, about, judge, version].join('\n'),
  );
  return [...groups.values()].map((group): Measured => {
    const [{ judgement, rules }] = group as [(typeof group)[0], ...typeof group];
    const { source, combine } = COMBINED[judgement.measure];
    const games = group.map((one) => one.judgement);
    const { measure, about } = judgement;
    return { measure, source: judgedBy(source, judgement), rules, about, value: combine(games), cases: sumOf(games).of };
  });
}

/** The share of all ordered pairs that trust, and of these the share that is mutual. */
function trustOf(pairs: readonly (readonly [number, number])[], players: number): { readonly density: Cases; readonly mutual: Cases } {
  const cells = [...new Set(pairs.filter(([from, to]) => from !== to).map(([from, to]) => `${from} ${to}`))];
  const isMutual = (cell: string): boolean => cells.includes(cell.split(' ').toReversed().join(' '));
  return {
    density: { times: cells.length, of: players * (players - 1) },
    mutual: { times: cells.filter(isMutual).length, of: cells.length },
  };
}

function trustRows(all: readonly { readonly judgement: TrustJudgement; readonly game: GameRecord }[]): readonly Measured[] {
  const groups = Map.groupBy(all, ({ judgement: { day, judge, version }, game: { rules } }) => [rules, day, judge, version].join('\n'));
  return [...groups.values()].flatMap((group): readonly Measured[] => {
    const [{ judgement, game }] = group as [(typeof group)[0], ...typeof group];
    const days = group.map((one) => trustOf(one.judgement.pairs, one.game.roles.length));
    return (['density', 'mutual'] as const).map((part): Measured => {
      const cases = days.map((day) => day[part]);
      const about = `${part}, day ${judgement.day}`;
      return {
        measure: 'trust',
        source: judgedBy(TRUST.source, judgement),
        rules: game.rules,
        about,
        value: meanShare(cases),
        cases: sumOf(cases).of,
      };
    });
  });
}
