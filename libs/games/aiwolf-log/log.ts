/**
 * The game log of the published server: text, one record per line, comma-separated, without quoting. Agents count from 1 there, seats from
 * 0 here.
 */
import { type Mistake, RecordError } from '../records/mistake.ts';
import { preview } from '../kernel/preview.ts';
import type { Seat } from '../kernel/question.ts';
import { type Role, ROLES, type Side, type Species } from '../aiwolf/state.ts';

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

/** How a field stands in a line. `read` throws Unread. */
interface Field {
  read(word: string): unknown;
  write(value: unknown): string;
}

/** One of some words. */
const among = (words: { readonly [word: string]: unknown }, means: string): Field => ({
  read(word) {
    if (Object.hasOwn(words, word)) return words[word];
    throw new Unread(`${preview(word)} is not ${means}`, `it is one of ${Object.keys(words).join(', ')}`);
  },
  write: (value) => Object.entries(words).find(([, each]) => each === value)![0],
});

/** A whole number in canonical form (no sign, blank or leading zero), so that it is written back unchanged. */
const whole = (means: string, first = 0): Field => ({
  read(word) {
    if (/^(?:0|[1-9]\d{0,8})$/.test(word) && Number(word) >= first) return Number(word) - first;
    throw new Unread(`${preview(word)} is not ${means}`, 'numbers are written in digits alone');
  },
  write: (value) => String((value as number) + first),
});

const day = whole('a day');
const number = whole('a whole number');
const seat = whole('an agent, counted from 1', 1);
const victim: Field = {
  read: (word) => (word === '-1' ? undefined : seat.read(word)),
  write: (value) => (value === undefined ? '-1' : seat.write(value)),
};
const role = among(Object.fromEntries(ROLES.map((each) => [each.toUpperCase(), each])), 'a role');
const found = among({ HUMAN: 'human', WEREWOLF: 'werewolf' }, 'a result');
const alive = among({ ALIVE: true, DEAD: false }, 'a status');
const died = among({ true: true, false: false }, 'whether somebody died');
/** The server has no draws. */
const winner = among({ VILLAGER: 'village', WEREWOLF: 'werewolves', DRAW: 'draw' }, 'a winner');
/** The last field; may contain commas. */
const rest: Field = { read: (word) => word, write: String };

/** The fields after day and type, in their order. */
const FIELDS: { readonly [type in LogLine['type']]: { readonly [name: string]: Field } } = {
  status: { seat, role, alive, name: rest },
  talk: { number, turn: number, seat, text: rest },
  whisper: { number, turn: number, seat, text: rest },
  vote: { seat, target: seat },
  attackVote: { seat, target: seat },
  execute: { seat, role },
  divine: { seat, target: seat, found },
  guard: { seat, target: seat, role },
  attack: { target: victim, died },
  result: { humans: number, wolves: number, winner },
};
const type = among(Object.fromEntries(Object.keys(FIELDS).map((each) => [each, each])), 'the second field');

/** Writes a log as text. Inverts `readLog` byte for byte. */
export const writeLog = (lines: readonly LogLine[]): string => lines.map((line) => `${writeLine(line)}\n`).join('');

function writeLine(line: LogLine): string {
  const values: { readonly [name: string]: unknown } = { ...line };
  return [line.day, line.type, ...Object.entries(FIELDS[line.type]).map(([name, field]) => field.write(values[name]))].join(',');
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
  const words = row.split(',');
  const kind = type.read(words[1] ?? '') as LogLine['type'];
  const fields = Object.entries(FIELDS[kind]);
  const count = fields.length + 2;
  if (words.length > count && fields.at(-1)![1] === rest) words.push(words.splice(count - 1).join(','));
  if (words.length !== count) throw new Unread(`has ${words.length} fields: ${preview(row)}`, `a line of ${kind} has ${count}`);
  const values = fields.map(([name, field], i) => [name, field.read(words[i + 2]!)] as const);
  return { day: day.read(words[0]!), type: kind, ...Object.fromEntries(values) } as LogLine;
}
