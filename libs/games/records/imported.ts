/** Records that are the file of another program as it is, and not acts to be replayed. */
import { type Mistake, RecordError } from './mistake.ts';
import { type ImportedGame, readMafia } from './mafia.ts';
import { readRecord } from './read-record.ts';
import { isObject } from './record-shape.ts';
import { replay } from './replay.ts';
import { type TableEvent, tableTape } from './table-tape.ts';

/** What such a record says of itself wherever another one says how it was checked. */
export const NOT_ADJUDICATED = 'imported, not adjudicated: roles, votes, deaths and winner are as its source tells them';

/** The record of a game of Mafia, or of what is one already. @throws RecordError with every mistake; places begin with `game` */
export function importMafia(value: unknown): { readonly [field: string]: unknown } {
  const game = isObject(value) && value['imported'] === 'mafia' ? value['game'] : value;
  const record = { rules: 'maw', imported: 'mafia', adjudicated: false, game };
  readImported(record);
  return record;
}

/** The game of an imported record; undefined for a record of acts. @throws RecordError with every mistake */
export function readImported(record: unknown): ImportedGame | undefined {
  if (!isObject(record) || record['imported'] === undefined) return undefined;
  const mistakes: Mistake[] = [];
  const { imported, game } = record;
  if (imported !== 'mafia')
    throw new RecordError([{ where: 'imported', wrong: 'it is no known source', right: 'it is "mafia"; import the game again' }]);
  const read = readMafia(game, (where, wrong, right) => mistakes.push({ where, wrong, right }));
  if (!read) throw new RecordError(mistakes);
  return read;
}

/** A record as a table shows it. */
export interface ShownRecord {
  readonly tape: readonly TableEvent[];
  /** How many of its acts the rules refused; the game went on without them. */
  readonly refused: number;
  readonly isImported: boolean;
}

/** Replays a record, or tells an imported one as it is. @throws RecordError with every mistake */
export function showRecord(value: unknown): ShownRecord {
  const imported = readImported(value);
  if (imported) return { tape: imported.tape, refused: 0, isImported: true };
  const record = readRecord(value);
  const replayed = replay(record);
  return { tape: tableTape(record.players, replayed), refused: replayed.refused.length, isImported: false };
}
