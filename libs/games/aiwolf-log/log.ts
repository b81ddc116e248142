/**
 * The game log of the published server: text, one record per line, comma-separated, without quoting. Agents count from 1 there, seats from
 * 0 here.
 */
import { type Mistake, RecordError } from '../records/mistake.ts';
import { preview } from '../kernel/preview.ts';
import type { Seat } from '../kernel/question.ts';
import { type Role, ROLES, type Side, type Species } from '../aiwolf/state.ts';

/** One line of a log. */
export type LogLine =
  /** For every agent, at the start of each day and at the end. */
  | (Of<'status'> & { readonly seat: Seat; readonly role: Role; readonly alive: boolean; readonly name: string })
  /** `number` counts the day's talk or whispering from 0. */
  | (Of<'talk' | 'whisper'> & { readonly number: number; readonly turn: number; readonly seat: Seat; readonly text: string })
  | (Of<'vote' | 'attackVote'> & { readonly seat: Seat; readonly target: Seat })
  | (Of<'execute'> & { readonly seat: Seat; readonly role: Role })
  | (Of<'divine'> & { readonly seat: Seat; readonly target: Seat; readonly found: Species })
  /** `role` is that of the target. */
  | (Of<'guard'> & { readonly seat: Seat; readonly target: Seat; readonly role: Role })
  /** No target: nobody was chosen. `died` is false when the target was guarded. */
  | (Of<'attack'> & { readonly target: Seat | undefined; readonly died: boolean })
  /** The last line: the survivors and the winner. */
  | (Of<'result'> & { readonly humans: number; readonly wolves: number; readonly winner: Side | 'draw' });

interface Of<T extends string> {
  readonly day: number;
  readonly type: T;
}

const ROLE_WORDS = Object.fromEntries(ROLES.map((role) => [role.toUpperCase(), role])) as { readonly [word: string]: Role };
const SPECIES = { HUMAN: 'human', WEREWOLF: 'werewolf' } as const;
const STATUS = { ALIVE: true, DEAD: false } as const;
const TRUTH = { true: true, false: false } as const;
/** The server has no draws. */
const WINNERS = { VILLAGER: 'village', WEREWOLF: 'werewolves', DRAW: 'draw' } as const;

const TYPES = ['status', 'talk', 'whisper', 'vote', 'attackVote', 'execute', 'divine', 'guard', 'attack', 'result'] as const;
/** Fields per line. The last of six fields may contain commas. */
const FIELDS: { readonly [type in LogLine['type']]: number } = {
  status: 6,
  talk: 6,
  whisper: 6,
  vote: 4,
  attackVote: 4,
  execute: 4,
  divine: 5,
  guard: 5,
  attack: 4,
  result: 5,
};

/** Writes a log as text. Inverts `readLog` byte for byte. */
export const writeLog = (lines: readonly LogLine[]): string =>
  lines.map((line) => `${line.day},${line.type},${fieldsOf(line).join(',')}\n`).join('');

function fieldsOf(line: LogLine): readonly (string | number | boolean)[] {
  switch (line.type) {
    case 'status':
      return [line.seat + 1, line.role.toUpperCase(), line.alive ? 'ALIVE' : 'DEAD', line.name];
    case 'talk':
    case 'whisper':
      return [line.number, line.turn, line.seat + 1, line.text];
    case 'vote':
    case 'attackVote':
      return [line.seat + 1, line.target + 1];
    case 'execute':
      return [line.seat + 1, line.role.toUpperCase()];
    case 'divine':
      return [line.seat + 1, line.target + 1, line.found.toUpperCase()];
    case 'guard':
      return [line.seat + 1, line.target + 1, line.role.toUpperCase()];
    case 'attack':
      return [line.target === undefined ? -1 : line.target + 1, line.died];
    case 'result':
      return [line.humans, line.wolves, Object.entries(WINNERS).find(([, winner]) => winner === line.winner)![0]];
  }
}

/**
 * Reads a log.
 * @throws RecordError naming every malformed line by its number
 */
export function readLog(text: string): LogLine[] {
  const mistakes: Mistake[] = [];
  const rows = text.split('\n');
  if (rows.pop() !== '')
    mistakes.push({ where: `line ${rows.length + 1}`, wrong: 'is not ended by a line feed', right: 'a log is not cut off within a line' });
  const lines = rows.flatMap((row, i): LogLine[] => {
    try {
      return [readLine(row)];
    } catch (error) {
      if (!(error instanceof Unread)) throw error;
      mistakes.push({ where: `line ${i + 1}`, wrong: error.message, right: error.right });
      return [];
    }
  });
  if (mistakes.length) throw new RecordError(mistakes);
  return lines;
}

/** Why a line is malformed. */
class Unread extends Error {
  readonly right: string;
  constructor(wrong: string, right: string) {
    super(wrong);
    this.right = right;
  }
}

function readLine(row: string): LogLine {
  const fields = cut(row, 6);
  const type = among(fields[1] ?? '', Object.fromEntries(TYPES.map((each) => [each, each])), 'the second field');
  const exact = FIELDS[type] < 6 ? row.split(',') : fields;
  if (exact.length !== FIELDS[type])
    throw new Unread(`has ${exact.length} fields: ${preview(row)}`, `a line of ${type} has ${FIELDS[type]}`);
  const word = (i: number): string => fields[i]!;
  const number = (i: number) => whole(word(i), 0, 'a whole number');
  const seat = (i: number) => whole(word(i), 1, 'an agent, counted from 1') - 1;
  const role = (i: number) => among(word(i), ROLE_WORDS, 'a role');
  const day = whole(word(0), 0, 'a day');
  switch (type) {
    case 'status':
      return { day, type, seat: seat(2), role: role(3), alive: among(word(4), STATUS, 'a status'), name: word(5) };
    case 'talk':
    case 'whisper':
      return { day, type, number: number(2), turn: number(3), seat: seat(4), text: word(5) };
    case 'vote':
    case 'attackVote':
      return { day, type, seat: seat(2), target: seat(3) };
    case 'execute':
      return { day, type, seat: seat(2), role: role(3) };
    case 'divine':
      return { day, type, seat: seat(2), target: seat(3), found: among(word(4), SPECIES, 'a result') };
    case 'guard':
      return { day, type, seat: seat(2), target: seat(3), role: role(4) };
    case 'attack':
      return { day, type, target: word(2) === '-1' ? undefined : seat(2), died: among(word(3), TRUTH, 'whether somebody died') };
    case 'result':
      return { day, type, humans: number(2), wolves: number(3), winner: among(word(4), WINNERS, 'a winner') };
  }
}

/** Splits a line into at most `most` fields; the last takes the rest. */
function cut(row: string, most: number): string[] {
  const fields = row.split(',');
  return fields.length > most ? [...fields.slice(0, most - 1), fields.slice(most - 1).join(',')] : fields;
}

/** Accepts numbers only in canonical form (no sign, blank or leading zero), so that they are written back unchanged. */
function whole(word: string, least: number, means: string): number {
  if (/^(?:0|[1-9]\d{0,8})$/.test(word) && Number(word) >= least) return Number(word);
  throw new Unread(`${preview(word)} is not ${means}`, 'numbers are written in digits alone');
}

function among<T>(word: string, words: { readonly [word: string]: T }, means: string): T {
  if (Object.hasOwn(words, word)) return words[word]!;
  throw new Unread(`${preview(word)} is not ${means}`, `it is one of ${Object.keys(words).join(', ')}`);
}
