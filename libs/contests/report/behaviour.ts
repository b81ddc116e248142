import type { GameRecord } from '@maw/minds/measures/game-record.ts';
import { type Judgement, measureJudged } from '@maw/minds/measures/judged-measures.ts';
import type { Measured } from '@maw/minds/measures/measured.ts';
import { measure, measureBehaviour } from '@maw/minds/measures/measures.ts';
import type { GameResult, PairingResult } from '../result.ts';
import { lineUpOf, sidesOf } from './cells.ts';
import { AT_95 } from '@maw/ratings/distributions.ts';
import { byName } from './order.ts';
import { validResponses } from './valid-responses.ts';

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
  }[];
}

/** A game of which a record was kept. */
interface Recorded {
  readonly game: GameResult;
  readonly record: GameRecord;
  readonly result: PairingResult;
}

export interface MeasureOptions {
  /** The cell of a table of results that a game belongs to; undefined in other schedules. */
  readonly cellOf: (game: GameResult) => string | undefined;
  /** What judges found in these games; they name tables as the records do. */
  readonly judgements?: readonly Judgement[];
}

/** By cell, by line-up and by agent, as far as the games have these and records were kept. */
export function measureTables(results: readonly PairingResult[], { cellOf, judgements = [] }: MeasureOptions): readonly MeasureTable[] {
  const all = results.flatMap((result) =>
    result.games.flatMap((game, i): readonly Recorded[] => {
      const record = result.records?.[i];
      return record ? [{ game, record: named(record, game), result }] : [];
    }),
  );
  if (!all.length) return [];
  const byCell = groupsOf(all, ({ game }) => cellOf(game));
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
  const lineUp = lineUpOf(game);
  return lineUp && `${lineUp.first} as ${lineUp.side}, ${lineUp.others} against it`;
}

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
    for (const { rules, measure: what, about, source, value, cases, low, high } of allMeasured(own, agent, judgements)) {
      if (value === undefined) continue;
      const column = { rules, measure: what, about: what === 'NashConv' ? treeOf(about) : about, source };
      const key = JSON.stringify([rules, what, column.about]);
      columns.set(key, columns.get(key) ?? column);
      values.set(key, { value, cases, ...(low === undefined || high === undefined ? {} : { low, high }) });
    }
    return { name, games: own.length, values };
  });
  const ordered = [...columns].toSorted(([, a], [, b]) => byName(a.rules, b.rules));
  return {
    by,
    columns: ordered.map(([, column]) => column),
    rows: rows.map(({ values, ...row }) => ({ ...row, values: ordered.map(([key]) => values.get(key) ?? null) })),
  };
}

function allMeasured(own: readonly Recorded[], agent: string | undefined, judgements: readonly Judgement[]): readonly Measured[] {
  const judged = measureJudged(own.map(({ record }) => record), judgements); // prettier-ignore
  const byRules = [...Map.groupBy(own, ({ game }) => game.rules)];
  const valid = byRules.flatMap(([rules, some]): readonly Measured[] => {
    const row = validResponses([...new Set(some.map(({ result }) => result))], agent);
    return row ? [{ ...row, rules }] : [];
  });
  return [...measured(own, agent), ...judged, ...valid];
}

function measured(own: readonly Recorded[], agent: string | undefined): readonly Measured[] {
  const records = own.map(({ record }) => record);
  const seats = new Map(own.map(({ game, record }) => [record, game.seats.map((seat) => agent === undefined || seat.agent === agent)]));
  const counts = (record: GameRecord, seat: number): boolean => seats.get(record)![seat] === true;
  const rows = measure(records, [], counts).filter((row) => isTold(row, agent));
  const errors = standardErrors(records, (some) => measureBehaviour(some, [], counts));
  return rows.map((row) => {
    const error = errors.get(keyOf(row));
    return row.low !== undefined || row.value === undefined || error === undefined ? row : { ...row, low: row.value - AT_95 * error, high: row.value + AT_95 * error }; // prettier-ignore
  });
}

/** NashConv names all options and recipes; rows and columns say who played, so that only the talk is left to be told. */
const treeOf = (about: string): string => {
  const [options = ''] = about.split(';');
  const rest = options.replace(/^setup analysis, /, '').replace(/, analysisTalk (?:true|false)$/, '');
  const usual = 'verdict official, utility plain, selfVote false';
  return `${options.endsWith('analysisTalk true') ? 'with' : 'without'} talk${rest === usual ? '' : `, ${rest}`}`;
};

/** Win rates by role and agent stand elsewhere in the report; a table of results has those of its sides. */
const isTold = ({ measure: what, rules, about }: Measured, agent: string | undefined): boolean =>
  what !== 'win rate' || (agent === undefined && sidesOf(rules).includes(about));

const keyOf = ({ rules, measure: what, about }: Measured): string => JSON.stringify([rules, what, about]);

/** Groups of the jackknife at most: each costs all measures once. */
const MAX_GROUPS = 40;
/** With fewer games an interval would be made up. */
const LEAST_GAMES = 5;

/**
 * The standard errors of measures, by leaving out a group of games at a time (the delete-a-group jackknife: Efron and Tibshirani 1993, An
 * Introduction to the Bootstrap, section 11.5). Games are left out whole, as what happens in one of them depends on each other. A measure that no
 * group changes has none: it would look certain.
 */
function standardErrors(
  records: readonly GameRecord[],
  measureOf: (some: readonly GameRecord[]) => readonly Measured[],
): ReadonlyMap<string, number> {
  if (records.length < LEAST_GAMES) return new Map();
  const groups = Math.min(MAX_GROUPS, records.length);
  const values = new Map<string, number[]>();
  for (let group = 0; group < groups; group++)
    for (const row of measureOf(records.filter((_, i) => i % groups !== group)))
      if (row.value !== undefined) values.set(keyOf(row), [...(values.get(keyOf(row)) ?? []), row.value]);
  return new Map(
    [...values].flatMap(([key, own]) => {
      const mean = own.reduce((sum, value) => sum + value, 0) / own.length;
      const variance = ((groups - 1) / groups) * own.reduce((sum, value) => sum + (value - mean) ** 2, 0);
      return own.length === groups && variance > 1e-18 ? [[key, Math.sqrt(variance)] as const] : [];
    }),
  );
}
