/**
 * The game logs of the published servers: text, one record per line, comma-separated, without quoting. Agents count from 1 there, seats from
 * 0 here. Logs of the natural-language division also have the name that a player has in the game, and the newest of them the time of each
 * utterance.
 */
import { type Mistake, RecordError } from '@maw/games/records/mistake.ts';
import { preview } from '@maw/games/kernel/preview.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { isUtterance } from '@maw/games/aiwolf/language/content-reader.ts';
import { isNlp, type Preset } from '@maw/games/aiwolf/presets.ts';
import { type Role, ROLES, type Side, type Species } from '@maw/games/aiwolf/state.ts';

export type LogLine =
  /** For every agent, at the start of each day and at the end. */
  | (Of<'status'> & {
      readonly seat: Seat;
      readonly role: Role;
      /** Undefined: the server has lost the agent, and plays on without it. */
      readonly alive: boolean | undefined;
      /** The name of the connection. */
      readonly name: string;
      /** The name in the game; in logs of the natural-language division only, since 2025. */
      readonly player?: string;
    })
  /** `number` counts the day's talk or whispering from 0. */
  | (Of<'talk' | 'whisper'> & {
      readonly number: number;
      readonly turn: number;
      readonly seat: Seat;
      readonly text: string;
      /** Seconds since 1970. */
      readonly time?: number;
    })
  | (Of<'vote' | 'attackVote'> & { readonly seat: Seat; readonly target: Seat })
  | (Of<'execute'> & { readonly seat: Seat; readonly role: Role })
  | (Of<'divine'> & { readonly seat: Seat; readonly target: Seat; readonly found: Species })
  /** `role` is that of the target. */
  | (Of<'guard'> & { readonly seat: Seat; readonly target: Seat; readonly role: Role })
  /** No target: nobody was chosen. `died` is false when the target was guarded; without a target it is the habit of the server. */
  | (Of<'attack'> & { readonly target: Seat | undefined; readonly died: boolean })
  /** Where an immoralist was dealt: a fox that was divined, and an immoralist who dies with the last fox. */
  | (Of<'cursed' | 'suicide'> & { readonly seat: Seat; readonly role: Role })
  /** The last line: the survivors and the winner. `humans` are all but wolves; `foxes` stand where an immoralist was dealt. */
  | (Of<'result'> & {
      readonly humans: number;
      readonly wolves: number;
      readonly foxes?: number;
      readonly winner: Side | 'draw' | 'none';
    });

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
    throw new Unread(`${preview(word)} is not ${means}`, `it is one of ${Object.keys(words).filter(Boolean).join(', ')}`);
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
const time: Field = { read: Number, write: String };
const seat = whole('an agent, counted from 1', 1);
const victim: Field = {
  read: (word) => (word === '-1' ? undefined : seat.read(word)),
  write: (value) => (value === undefined ? '-1' : seat.write(value)),
};
const role = among(Object.fromEntries(ROLES.map((each) => [each.toUpperCase(), each])), 'a role');
const found = among({ HUMAN: 'human', WEREWOLF: 'werewolf' }, 'a result');
const alive = among({ 'ALIVE': true, 'DEAD': false, '': undefined }, 'a status');
const died = among({ true: true, false: false }, 'whether somebody died');
/** The server of the protocol division has no draws, that of the natural-language division calls them NONE. */
const winner = among({ VILLAGER: 'village', WEREWOLF: 'werewolves', OTHERS: 'fox', DRAW: 'draw', NONE: 'none' }, 'a winner');
const word: Field = { read: (text) => text, write: String };
/** A text that may contain commas. */
const rest: Field = { ...word };

interface Fields {
  readonly [name: string]: Field;
}

/** The fields after day and type, in their order. */
const FIELDS: { readonly [type in LogLine['type']]: Fields } = {
  status: { seat, role, alive, name: rest },
  talk: { number, turn: number, seat, text: rest },
  whisper: { number, turn: number, seat, text: rest },
  vote: { seat, target: seat },
  attackVote: { seat, target: seat },
  execute: { seat, role },
  divine: { seat, target: seat, found },
  guard: { seat, target: seat, role },
  attack: { target: victim, died },
  cursed: { seat, role },
  suicide: { seat, role },
  result: { humans: number, wolves: number, winner },
};
const type = among(Object.fromEntries(Object.keys(FIELDS).map((each) => [each, each])), 'the second field');

/** How the lines of a log are written. */
interface LogFormat {
  /** Statuses have the name in the game too. */
  readonly isNamed: boolean;
  /** Which utterances have a time. */
  readonly timed: readonly LogLine['type'][];
  /** The result counts foxes too. */
  readonly hasFoxes: boolean;
}

function fieldsOf(kind: LogLine['type'], { isNamed, timed, hasFoxes }: LogFormat): Fields {
  if (kind === 'result' && hasFoxes) return { humans: number, wolves: number, foxes: number, winner };
  if (kind === 'status' && isNamed) return { ...FIELDS.status, name: word, player: rest };
  return timed.includes(kind) ? { ...FIELDS[kind], time } : FIELDS[kind];
}

/** How the servers write who has won. */
export const winnerName = (side: (LogLine & { type: 'result' })['winner']): string => winner.write(side);

/** Whether statuses have the name in the game, as only the natural-language division has it. */
export const isNamed = (lines: readonly LogLine[]): boolean => lines.some((line) => line.type === 'status' && line.player !== undefined);

/** Whether a log looks like one of the natural-language division: by its statuses, or by talk on day 0 that is no protocol. */
export const isNlpLog = (lines: readonly LogLine[]): boolean =>
  isNamed(lines) ||
  (lines.some((line) => line.type === 'talk' && line.day === 0) && lines.some((line) => 'text' in line && !isUtterance(line.text)));

/** Writes a log as text, with line feeds; the natural-language division ends no last line. */
export const writeLog = (lines: readonly LogLine[]): string =>
  isNamed(lines) ? lines.map(writeLine).join('\n') : lines.map((line) => `${writeLine(line)}\n`).join('');

function writeLine(line: LogLine): string {
  const values: { readonly [name: string]: unknown } = { ...line };
  const format: LogFormat = { isNamed: 'player' in line, timed: 'time' in line ? [line.type] : [], hasFoxes: 'foxes' in line };
  return [line.day, line.type, ...Object.entries(fieldsOf(line.type, format)).map(([name, field]) => field.write(values[name]))].join(',');
}

/**
 * Reads a log of either division; lines may end in CR LF, and the last one may not be ended when it is the result, or of the
 * natural-language division.
 * @param preset the contest, if it is known
 * @throws RecordError naming every malformed line by its number
 */
export function readLog(text: string, preset?: Preset): LogLine[] {
  const mistakes: Mistake[] = [];
  const rows = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const format = formatOf(rows, preset);
  const isWhole = /^\d+,result,/.test(rows.at(-1)!);
  if (rows.at(-1) === '') rows.pop();
  else if (!isWhole && !format.isNamed && !isNlp(preset))
    mistakes.push({ where: `line ${rows.length}`, wrong: 'is not ended by a line feed', right: 'a log is not cut off within a line' });
  const lines = rows.flatMap((row, i): LogLine[] => {
    try {
      return [readLine(row, format)];
    } catch (error) {
      if (!(error instanceof Unread)) throw error;
      mistakes.push({ where: `line ${i + 1}`, wrong: error.message, right: error.right });
      return [];
    }
  });
  if (mistakes.length) throw new RecordError(mistakes);
  return lines;
}

function formatOf(rows: readonly string[], preset: Preset | undefined): LogFormat {
  const of = (kind: LogLine['type']) => rows.filter((row) => row.split(',', 2)[1] === kind);
  const every = (kind: LogLine['type'], isSo: (row: string) => boolean) => of(kind).length > 0 && of(kind).every(isSo);
  const hasPlayers = preset !== 'protocol-2021' && every('status', (row) => row.split(',').length === 7);
  return {
    isNamed: hasPlayers,
    timed: (['talk', 'whisper'] as const).filter((kind) => hasPlayers && every(kind, (row) => /,\d{10}$/.test(row))),
    hasFoxes: every('result', (row) => row.split(',').length === 6),
  };
}

function readLine(row: string, format: LogFormat): LogLine {
  const words = row.split(',');
  const kind = type.read(words[1] ?? '') as LogLine['type'];
  const fields = Object.entries(fieldsOf(kind, format));
  const count = fields.length + 2;
  const long = 2 + fields.findIndex(([, field]) => field === rest);
  if (words.length > count && long >= 2) words.splice(long, 0, words.splice(long, words.length - count + 1).join(','));
  if (words.length !== count) throw new Unread(`has ${words.length} fields: ${preview(row)}`, `a line of ${kind} has ${count}`);
  const values = fields.map(([name, field], i) => [name, field.read(words[i + 2]!)] as const);
  return { day: day.read(words[0]!), type: kind, ...Object.fromEntries(values) } as LogLine;
}

/** Why a line is malformed. */
class Unread extends Error {
  readonly right: string;
  constructor(wrong: string, right: string) {
    super(wrong);
    this.right = right;
  }
}
