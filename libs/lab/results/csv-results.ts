import { pipeline } from 'node:stream/promises';
import { cleanLine } from '@maw/text/clean.ts';
import { streamTextFile } from '@maw/text/text-file.ts';
import { CsvError, parse } from 'csv-parse';
import { type GameResult, type Kept, RANKED, type SeatResult } from '../ratings/result.ts';
import { type AcceptGame, createInterner, RANKED_SEAT } from './game-sink.ts';

const REQUIRED = ['game', 'rules', 'agent', 'role', 'side', 'won', 'winner'] as const;
const OPTIONAL = ['deal', 'seat', 'points'] as const;
/** Games that order their players need no more, and have `rank` in place of `won` and `winner`. */
const RANKS = ['game', 'agent', 'rank'] as const;

type Column = (typeof REQUIRED)[number] | (typeof OPTIONAL)[number] | 'rank';

/** Where each column is; -1: absent. */
type Columns = Readonly<Record<Column, number>>;

/** A row of cells with its line in the file, from 1. */
interface Row {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** The game whose rows are being read. */
interface OpenGame extends Omit<GameResult, 'seats'> {
  readonly line: number;
  readonly seats: SeatResult[];
}

/** Reads a row per seat; the rows of a game stand together. @throws Error naming file, line, what is wrong and what to do */
export async function readCsv(file: string, accept: AcceptGame, signal: AbortSignal): Promise<Kept> {
  let columns: Columns | undefined;
  let game: OpenGame | undefined;
  const intern = createInterner();
  const close = (): void => {
    if (game) accept({ id: game.id, rules: game.rules, deal: game.deal, winner: game.winner, seats: game.seats }, game.line);
  };
  const readRows = async (rows: AsyncIterable<Row>): Promise<void> => {
    for await (const { record, info } of rows) {
      if (!columns) columns = columnsOf(record, file);
      else {
        const isRanked = columns.rank >= 0;
        const row = rowReader(record, columns, `${file}:${info.lines}`, intern);
        const id = row.cell('game');
        if (game?.id !== id) {
          close();
          game = {
            id,
            line: info.lines,
            rules: columns.rules < 0 ? 'all' : row.cell('rules'),
            deal: columns.deal < 0 ? id : row.cell('deal'),
            winner: isRanked ? RANKED : row.cell('winner'),
            seats: [],
          };
        }
        for (const name of isRanked ? (['rules', 'deal'] as const) : (['rules', 'winner', 'deal'] as const))
          if (columns[name] >= 0 && row.cell(name) !== game[name])
            row.fail(
              `game "${id}" has ${name} "${row.cell(name)}" here and "${game[name]}" at line ${game.line}: it must be the same in all its rows`,
            );
        game.seats.push(row.seat(game.seats.length));
      }
    }
  };
  const { pieces, delimiter } = await begun(streamTextFile(file));
  const parser = parse({ delimiter, trim: true, skip_empty_lines: true, info: true });
  try {
    await pipeline(pieces, parser, readRows, { signal });
  } catch (error) {
    throw error instanceof CsvError ? new Error(`${file}:${mistakeOf(error)}`, { cause: error }) : error;
  }
  close();
  if (!columns)
    throw new Error(`${file} is empty: the first line must be a header, such as game,deal,rules,agent,seat,role,side,won,points,winner`);
  return { hasSeats: columns.seat >= 0, hasPoints: columns.points >= 0 };
}

/** The same pieces, and what is between the cells of the header: whichever divides it into the most. */
async function begun(given: AsyncGenerator<string>): Promise<{ readonly pieces: AsyncIterable<string>; readonly delimiter: string }> {
  const { value: first = '' } = (await given.next()) as { value?: string };
  const [header = ''] = first.split(/\r?\n/, 1);
  const cells = (delimiter: string) => header.split(delimiter).length;
  const delimiter = [',', ';', '\t'].reduce((most, each) => (cells(each) > cells(most) ? each : most));
  async function* pieces() {
    yield first;
    yield* given;
  }
  return { pieces: pieces(), delimiter };
}

/** The line, and what is wrong there. */
function mistakeOf({ code, message, lines, record }: CsvError & { readonly lines?: number; readonly record?: readonly string[] }): string {
  if (code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH')
    return `${lines}: the row has ${record?.length} cells, which is not as many as the header has: add separators for empty cells, or quote cells that have one`;
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return `${lines}: a quotation mark is not closed: add another, or double those inside of a quoted cell`;
  return `${lines}: ${message}`;
}

function columnsOf(header: readonly string[], file: string): Columns {
  const at = (name: Column): number => header.indexOf(name);
  const isRanked = at('rank') >= 0;
  const missing = (isRanked ? RANKS : REQUIRED).filter((name) => at(name) < 0);
  if (missing.length)
    throw new Error(
      `${file}:1: there is no column ${missing.map((name) => `"${name}"`).join(', ')}; the header is ${header.join(',')}. ` +
        `Needed are ${REQUIRED.join(', ')}, or ${RANKS.join(', ')}; ${OPTIONAL.join(', ')} may be left out`,
    );
  const known = [...REQUIRED, ...OPTIONAL, 'rank'] as const;
  const twice = known.find((name) => header.lastIndexOf(name) !== at(name));
  if (twice !== undefined) throw new Error(`${file}:1: there are two columns "${twice}": leave one`);
  return Object.fromEntries(known.map((name) => [name, at(name)])) as Record<Column, number>;
}

const WON: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** Reads the cells of one row. */
function rowReader(record: readonly string[], columns: Columns, where: string, intern: (text: string) => string) {
  const fail = (why: string): never => {
    throw new Error(`${where}: ${why}`);
  };
  const cell = (name: Column): string => {
    const text = cleanLine(record[columns[name]]!);
    return text === '' ? fail(`${name} is empty`) : intern(text);
  };
  const numberIn = (name: 'seat' | 'points' | 'rank', isRight: (value: number) => boolean, expected: string): number => {
    const value = Number(cell(name));
    return isRight(value) ? value : fail(`${name} is "${cell(name)}": expected ${expected}`);
  };
  const isWhole = (least: number) => (value: number) => Number.isInteger(value) && value >= least;
  const common = (before: number) => ({
    agent: cell('agent'),
    seat: columns.seat < 0 ? before : numberIn('seat', isWhole(0), 'a whole number from 0'),
  });
  const pointsOr = (won: boolean) => (columns.points < 0 ? Number(won) : numberIn('points', Number.isFinite, 'a number'));
  const seat = (before: number): SeatResult => {
    if (columns.rank >= 0) {
      const rank = numberIn('rank', isWhole(1), 'a whole number from 1');
      const held = (name: 'role' | 'side') => (columns[name] < 0 ? RANKED_SEAT[name] : cell(name));
      return { ...common(before), role: held('role'), side: held('side'), rank, won: rank === 1, points: pointsOr(rank === 1) };
    }
    const won = WON.get(cell('won').toLowerCase()) ?? fail(`won is "${cell('won')}": expected true or false, or 1 or 0`);
    return {
      ...common(before),
      role: cell('role'),
      side: cell('side'),
      won,
      points: pointsOr(won),
    };
  };
  return { cell, seat, fail };
}
