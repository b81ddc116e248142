import { shareInterval } from '../../ratings/rates/bounded-interval.ts';
import type { PairingResult, GameResult } from '../result.ts';
import type { GameRecord } from '../../measures/game-record.ts';
import { type Judgement, measureJudged } from '../../measures/judged-measures.ts';
import type { Measured, Row } from '../../measures/measured.ts';
import { measure, measureBehaviour } from '../../measures/measures.ts';
import { type LineUp, lineUpOf } from './cells.ts';
import { type Counted, byName } from './counted.ts';
import { withIntervals } from './jackknife.ts';

/** A measure of one row, with its 95 % interval where it has one. */
export interface MeasuredValue {
  readonly value: number;
  readonly cases: number;
  readonly low?: number;
  readonly high?: number;
}

export interface MeasureColumn {
  readonly rules: string;
  readonly measure: string;
  readonly about: string;
  /** Where its formula is from. */
  readonly source: string;
}

/** Behaviour as the papers print it: a row per cell, line-up or agent, a column per measure. */
export interface MeasureTable {
  readonly by: 'cell' | 'line-up' | 'agent';
  readonly columns: readonly MeasureColumn[];
  readonly rows: readonly {
    readonly name: string;
    readonly games: number;
    /** By column; null where a row has no case. */
    readonly values: readonly (MeasuredValue | null)[];
    /** Measures of which the row has no value although it has such games, and why; absent where there are none. */
    readonly without?: readonly { readonly measure: string; readonly about: string; readonly why: string }[];
  }[];
}

/** A game of which a record was kept. */
interface Recorded {
  readonly game: GameResult;
  readonly record: GameRecord;
  readonly result: PairingResult;
  /** The cell of a table of results; undefined in other schedules. */
  readonly cell: string | undefined;
}

/**
 * By cell, by line-up and by agent, as far as the games have these and records were kept.
 * @param judgements what judges found in these games; they name tables as the records do
 */
export function measureTables(counted: readonly Counted[], judgements: readonly Judgement[] = []): readonly MeasureTable[] {
  const all = counted.flatMap(({ result, pairing: { cell } }) =>
    result.games.flatMap((game, i): readonly Recorded[] => {
      const record = result.records?.[i];
      return record ? [{ game, record: named(record, game), result, cell }] : [];
    }),
  );
  if (!all.length) return [];
  const byCell = groupsOf(all, ({ cell }) => cell);
  const byLineUp = byCell.length ? [] : groupsOf(all, ({ game }) => lineUpName(game));
  const agents = [...new Set(all.flatMap(({ game }) => game.seats.map(({ agent }) => agent)))].toSorted(byName);
  return [
    ...(byCell.length ? [tableOf('cell', byCell.map(([name, own]) => ({ name, own, judgements })))] : []), // prettier-ignore
    ...(byLineUp.length > 1 ? [tableOf('line-up', byLineUp.map(([name, own]) => ({ name, own, judgements })))] : []), // prettier-ignore
    tableOf('agent', agents.map((agent) => ({ name: agent, agent, own: all.filter(({ game }) => game.seats.some((seat) => seat.agent === agent)) }))), // prettier-ignore
  ];
}

/** Games in the arena have no table; measures tell games apart by it. */
const named = (record: GameRecord, { id }: GameResult): GameRecord => (record.table ? record : { ...record, table: id });

function lineUpName(game: GameResult): string | undefined {
  const lineUp = lineUpOf(game.rules, game.seats);
  return lineUp && lineUpText(lineUp);
}

export const lineUpText = ({ side, first, others }: LineUp): string => `${first} as ${side}, ${others} against it`;

function groupsOf(
  all: readonly Recorded[],
  nameOf: (recorded: Recorded) => string | undefined,
): readonly (readonly [string, readonly Recorded[]])[] {
  const groups = Map.groupBy(all, nameOf);
  return [...groups].flatMap(([name, own]) => (name === undefined ? [] : [[name, own] as const]));
}

interface Group {
  readonly name: string;
  readonly own: readonly Recorded[];
  /** Only seats of this agent count. */
  readonly agent?: string;
  readonly judgements?: readonly Judgement[];
}

function tableOf(by: MeasureTable['by'], groups: readonly Group[]): MeasureTable {
  const columns = new Map<string, MeasureColumn>();
  const rows = groups.map(({ name, own, agent, judgements = [] }) => {
    const values = new Map<string, MeasuredValue>();
    const without: { readonly measure: string; readonly about: string; readonly why: string }[] = [];
    for (const { rules, measure: what, about, source, value, cases, low, high } of allMeasured(own, agent, judgements)) {
      if (value === undefined && what === 'NashConv') without.push({ measure: what, about: treeOf(about), why: about.split('; ').at(-1)! });
      if (value === undefined) continue;
      const column = { rules, measure: what, about: what === 'NashConv' ? treeOf(about) : about, source };
      const key = JSON.stringify([rules, what, column.about]);
      columns.set(key, columns.get(key) ?? column);
      values.set(key, { value, cases, ...(low === undefined || high === undefined ? {} : { low, high }) });
    }
    return { name, games: own.length, values, ...(without.length ? { without } : {}) };
  });
  const ordered = [...columns].toSorted(([, a], [, b]) => byName(a.rules, b.rules));
  return {
    by,
    columns: ordered.map(([, column]) => column),
    rows: rows.map(({ values, ...row }) => ({ ...row, values: ordered.map(([key]) => values.get(key) ?? null) })),
  };
}

function allMeasured(own: readonly Recorded[], agent: string | undefined, judgements: readonly Judgement[]): readonly Measured[] {
  const byRules = [...Map.groupBy(own, ({ game }) => game.rules)];
  const valid = byRules.flatMap(([rules, some]): readonly Measured[] => {
    const row = validResponses([...new Set(some.map(({ result }) => result))], agent);
    return row ? [{ ...row, rules }] : [];
  });
  return [...measured(own, agent, judgements), ...valid];
}

function measured(own: readonly Recorded[], agent: string | undefined, judgements: readonly Judgement[]): readonly Measured[] {
  const records = own.map(({ record }) => record);
  const seats = new Map(own.map(({ game, record }) => [record, game.seats.map((seat) => agent === undefined || seat.agent === agent)]));
  const counts = (record: GameRecord, seat: number): boolean => seats.get(record)![seat] === true;
  const judged = (some: readonly GameRecord[]): readonly Measured[] => measureJudged(some, judgements);
  const rows = [...measure(records, [], counts), ...judged(records)].filter(isTold);
  const deals = new Map(own.map(({ game, record }) => [record, `${game.rules}\n${game.deal}`]));
  const measureOf = (some: readonly GameRecord[]): readonly Measured[] => [...measureBehaviour(some, [], counts), ...judged(some)];
  return withIntervals(rows, records, measureOf, (record) => deals.get(record));
}

/** NashConv names all options and recipes; rows and columns say who played, so that only the talk is left to be told. */
const treeOf = (about: string): string => {
  const [options = ''] = about.split(';');
  const rest = options.replace(/^setup analysis, /, '').replace(/, analysisTalk (?:true|false)$/, '');
  const usual = 'verdict official, utility plain, selfVote false';
  return `${options.endsWith('analysisTalk true') ? 'with' : 'without'} talk${rest === usual ? '' : `, ${rest}`}`;
};

/** Win rates stand elsewhere in the report, with the games that were forfeited. */
const isTold = ({ measure: what }: Measured): boolean => what !== 'win rate';

/** With fewer tables an interval would be made up. */
const LEAST_TABLES = 5;

/**
 * How many replies of models could be used, of all: those that were not even after a repair are invalid. Pooled over tables, which are the clusters
 * of its interval; its standard error is that of a ratio of sums (Cochran 1977, Sampling Techniques, section 2.11). Undefined where no model was
 * asked.
 * @param agent only its replies; undefined: those of all
 */
export function validResponses(results: readonly PairingResult[], agent: string | undefined): Row | undefined {
  const isOwn = (each: { readonly agent: string }): boolean => agent === undefined || each.agent === agent;
  const tables = results.map(({ usage, faults }) => {
    const calls = usage.filter(isOwn).reduce((sum, own) => sum + own.calls, 0);
    const invalid = faults.filter((fault) => isOwn(fault) && fault.kind === 'invalid').reduce((sum, { times }) => sum + times, 0);
    return { calls, valid: Math.max(0, calls - invalid) };
  });
  const calls = tables.reduce((sum, table) => sum + table.calls, 0);
  if (!calls) return undefined;
  const value = tables.reduce((sum, { valid }) => sum + valid, 0) / calls;
  const row = { measure: 'valid responses', source: 'document 003, equation 8, pooled', about: 'all', value, cases: calls };
  const squares = tables.reduce((sum, table) => sum + (table.valid - value * table.calls) ** 2, 0);
  const asked = tables.filter((table) => table.calls > 0).length;
  if (asked < LEAST_TABLES) return row;
  const error = Math.sqrt((squares * tables.length) / (tables.length - 1)) / calls;
  return { ...row, ...shareInterval(value, { error, cases: calls, clusters: asked }) };
}
