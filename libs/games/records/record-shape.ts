import { preview, truncate } from '../kernel/preview.ts';
import type { Expectation, GameRecord, RecordedAct, RecordedDraw } from './record.ts';
import { isPrintable } from '@maw/text/clean.ts';

/** Reports a mistake at a path, and what would be right. */
export type Report = (where: string, wrong: string, right: string) => void;

type Fields = { readonly [name: string]: unknown };
/** Reads one value. On a wrong shape, reports a mistake and returns undefined. */
export type Read<T> = (given: unknown, where: string, report: Report) => T | undefined;
type Readers = { readonly [field: string]: Read<unknown> };

const MAX_NAME = 60;

/**
 * Checks fields and types of a record, independent of the rule set. Reports mistakes and leaves out their values.
 * @returns undefined when the value is not an object
 */
export function readShape(given: unknown, report: Report): GameRecord | undefined {
  const record = isRecord(given, 'record', report);
  if (!record) return undefined;
  const count = Array.isArray(record['players']) ? record['players'].length : 0;
  const isSeat = (seat: unknown): boolean => isWhole(seat) && (seat as number) < (count || Infinity);
  const seats = count ? `seats are 0 to ${count - 1}` : 'seats are whole numbers from 0';
  const act = object<RecordedAct>('act', 'an act is an object with step, seat and says', ['step', 'seat', 'says'], {
    step,
    seat: value(isSeat, 'seat', seats),
    says: value(isListOf(isString), 'list of texts', 'it is a list such as ["seat:3"], ["pass"] or ["what was said"]'),
    at: value(isWhole, 'time', 'it is in whole milliseconds since the deal'),
    notes: ignored,
  });
  const readers = {
    rules: text('the name of a rule set, such as "maw"'),
    version: text('the version of the rule set'),
    options: values('options by name'),
    players: readPlayers,
    deal: values('what was dealt, by name'),
    acts: list(act, 'a list such as [{"step": "day-1/vote", "seat": 0, "says": ["seat:3"]}]; it may be empty'),
    draws: list(draw, 'it is a list of draws'),
    seed: text('what dice are rolled from'),
    expect: expectation(isSeat),
    notes: (notes: unknown) => notes,
  };
  const found = readFields(record, readers, ['rules', 'players', 'acts'], '', report);
  return { rules: '', options: {}, players: [], deal: {}, acts: [], draws: [], ...found };
}

const isString = (given: unknown): given is string => typeof given === 'string';
export const isText = (given: unknown): given is string => isString(given) && given !== '';
export const isWhole = (given: unknown): given is number => Number.isSafeInteger(given) && (given as number) >= 0;
const isItem = (given: unknown): given is string | number => isString(given) || typeof given === 'number';
export const isListOf =
  (isOne: (each: unknown) => boolean) =>
  (given: unknown): boolean =>
    Array.isArray(given) && given.every(isOne);
export const isObject = (given: unknown): given is Fields => typeof given === 'object' && given !== null && !Array.isArray(given);

/** Reads what fits. Of anything else it reports that it is no `what`. */
export const value =
  <T>(fits: (given: unknown) => boolean, what: string, right: string): Read<T> =>
  (given, where, report) => {
    if (fits(given)) return given as T;
    const shown = Array.isArray(given) && (what === 'record' || what === 'object') ? 'a list' : preview(given);
    report(where, given === undefined && what !== 'record' ? 'is missing' : `${shown} is no ${what}`, right);
    return undefined;
  };
export const text = (means: string): Read<string> => value(isText, 'text', `it is ${means}`);
const values = (means: string): Read<Fields> => value(isObject, 'object', `it is an object: ${means}`);
const isRecord = value<Fields>(isObject, 'record', 'a record is an object with rules, players and acts');
/** Whatever it is, it is left out. */
export const ignored: Read<unknown> = () => undefined;

export const list =
  <T>(read: Read<T>, right: string): Read<readonly T[]> =>
  (given, where, report) =>
    value<readonly unknown[]>(Array.isArray, 'list', right)(given, where, report)?.flatMap(
      (each, i) => read(each, `${where}[${i}]`, report) ?? [],
    );

/** Reads an object with these fields; undefined when one that it needs is missing or wrong. */
export const object =
  <T>(what: string, right: string, need: readonly string[], readers: Readers): Read<T> =>
  (given, where, report) => {
    const fields = value<Fields>(isObject, what, right)(given, where, report);
    const found = fields && readFields(fields, readers, need, `${where}.`, report);
    return found && need.every((name) => Object.hasOwn(found, name)) ? (found as T) : undefined;
  };

function readFields(given: Fields, readers: Readers, need: readonly string[], path: string, report: Report): Fields {
  for (const name of Object.keys(given))
    if (!Object.hasOwn(readers, name))
      report(`${path}${truncate(name)}`, 'there is no such field', `fields are ${Object.keys(readers).join(', ')}`);
  const found = Object.entries(readers).map(([name, read]) => {
    const isAbsent = given[name] === undefined && !need.includes(name);
    return [name, isAbsent ? undefined : read(given[name], `${path}${name}`, report)] as const;
  });
  return Object.fromEntries(found.filter(([, each]) => each !== undefined));
}

/** Whether a record may use this player name: recorded names are less restricted than those at a table. */
export const isPlayerName = (name: unknown): name is string =>
  isString(name) && name.trim() !== '' && [...name].length <= MAX_NAME && isPrintable(name);

/** Names of players, each once. */
export const readPlayers: Read<readonly string[]> = (given, where, report) => {
  const names = value<readonly unknown[]>(Array.isArray, 'list', 'a list of names, one for each seat')(given, where, report);
  const firsts = new Map<unknown, number>();
  const isFine = names?.map((name, seat) => {
    const first = firsts.get(name) ?? seat;
    firsts.set(name, first);
    if (!isPlayerName(name))
      report(`${where}[${seat}]`, `${preview(name)} is no name`, `a name is a printable text of 1 to ${MAX_NAME} characters`);
    else if (first < seat) report(`${where}[${seat}]`, `${preview(name)} is the name of seat ${first} too`, 'each name is there once');
    return isPlayerName(name) && first === seat;
  });
  return isFine?.every(Boolean) ? (names as readonly string[]) : undefined;
};

const step = value<string>(isText, 'text', 'it is the question, such as "day-1/vote"');

const draw = object<RecordedDraw>('draw', 'a draw is an object with step, name and is', ['step', 'name', 'is'], {
  step,
  name: text('the name of what is drawn'),
  is: value((is) => isItem(is) || isListOf(isItem)(is), 'draw', 'it is what was drawn: a text, a number, or a list of them'),
  notes: ignored,
});

function expectation(isSeat: (given: unknown) => boolean): Read<Expectation> {
  const all = (means: string, isOne: (each: unknown) => boolean) => value(isListOf(isOne), `list of ${means}`, `it is a list of ${means}`);
  return object('object', 'it is how the game came out: winner, winners, alive, roles, points', [], {
    winner: value(isString, 'text', 'it is the side that wins, or "draw"'),
    winners: all('seats', isSeat),
    alive: all('seats', isSeat),
    roles: all('texts', isString),
    points: all('numbers', (each) => typeof each === 'number'),
  });
}
