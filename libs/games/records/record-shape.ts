import { preview, truncate } from '../kernel/preview.ts';
import type { Expectation, GameRecord, RecordedAct, RecordedDraw } from './record.ts';
import { isPrintable } from '../kernel/refusal.ts';

/** Reports a mistake at a path, and what would be right. */
export type Report = (where: string, wrong: string, right: string) => void;

type Fields = { readonly [name: string]: unknown };
/** Reads one value. On a wrong shape, reports a mistake and returns undefined. */
type Read<T> = (value: unknown, where: string, report: Report) => T | undefined;

/** The maximum length of a recorded player's name, in characters. */
const LONGEST_NAME = 60;

/**
 * Checks fields and types of a record, independent of the rule set. Reports mistakes and leaves out their values.
 * @returns undefined when the value is not an object
 */
export function readShape(value: unknown, report: Report): GameRecord | undefined {
  if (!isObject(value)) {
    report(
      'record',
      `${Array.isArray(value) ? 'a list' : preview(value)} is no record`,
      'a record is an object with rules, players and acts',
    );
    return undefined;
  }
  reportUnknownFields(value, ['rules', 'version', 'options', 'players', 'deal', 'acts', 'draws', 'seed', 'expect', 'notes'], '', report);
  const need = <T>(name: string, read: Read<T>): T | undefined => {
    if (value[name] !== undefined) return read(value[name], name, report);
    report(name, 'is missing', EXPECTED[name]!);
    return undefined;
  };
  const may = <T>(name: string, read: Read<T>): T | undefined => (value[name] === undefined ? undefined : read(value[name], name, report));
  const players = need('players', readPlayers);
  const seats = players?.length || undefined;
  const optional = {
    version: may('version', textField('the version of the rule set')),
    seed: may('seed', textField('what dice are rolled from')),
    expect: may('expect', (given, where) => readExpectation(given, where, seats, report)),
    notes: value['notes'],
  };
  return {
    rules: need('rules', textField('the name of a rule set')) ?? '',
    options: may('options', objectField('options by name')) ?? {},
    players: players ?? [],
    deal: may('deal', objectField('what was dealt, by name')) ?? {},
    acts:
      need(
        'acts',
        listField('acts', (given, where) => readAct(given, where, seats, report)),
      ) ?? [],
    draws: may('draws', listField('draws', readDraw)) ?? [],
    ...(Object.fromEntries(Object.entries(optional).filter(([, given]) => given !== undefined)) as Partial<GameRecord>),
  };
}

const EXPECTED: { readonly [name: string]: string } = {
  rules: 'the name of a rule set, such as "maw"',
  players: 'a list of names, one for each seat',
  acts: 'a list such as [{"step": "day-1/vote", "seat": 0, "says": ["seat:3"]}]; it may be empty',
};

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

function reportUnknownFields(value: Fields, known: readonly string[], path: string, report: Report): void {
  for (const name of Object.keys(value))
    if (!known.includes(name)) report(`${path}${truncate(name)}`, 'there is no such field', `fields are ${known.join(', ')}`);
}

const textField =
  (means: string): Read<string> =>
  (value, where, report) => {
    if (typeof value === 'string' && value !== '') return value;
    report(where, value === undefined ? 'is missing' : `${preview(value)} is no text`, `it is ${means}, a text`);
    return undefined;
  };

const objectField =
  (means: string): Read<Fields> =>
  (value, where, report) => {
    if (isObject(value)) return value;
    report(where, `${Array.isArray(value) ? 'a list' : preview(value)} is no object`, `it is an object: ${means}`);
    return undefined;
  };

const listField =
  <T>(of: string, read: Read<T>): Read<readonly T[]> =>
  (value, where, report) => {
    if (Array.isArray(value)) return value.flatMap((each, i) => read(each, `${where}[${i}]`, report) ?? []);
    report(where, `${preview(value)} is no list`, `it is a list of ${of}`);
    return undefined;
  };

/** Whether a record may use this player name: recorded names are less restricted than those at a table. */
export const isPlayerName = (name: unknown): name is string =>
  typeof name === 'string' && name.trim() !== '' && [...name].length <= LONGEST_NAME && isPrintable(name);

/** Any distinct names. */
const readPlayers: Read<readonly string[]> = (value, where, report) => {
  if (!Array.isArray(value)) {
    report(where, `${preview(value)} is no list`, EXPECTED['players']!);
    return undefined;
  }
  let isFine = true;
  const firsts = new Map<unknown, number>();
  for (const [seat, name] of (value as unknown[]).entries()) {
    const isName = isPlayerName(name);
    const first = firsts.get(name) ?? seat;
    firsts.set(name, first);
    if (!isName)
      report(`${where}[${seat}]`, `${preview(name)} is no name`, `a name is a printable text of 1 to ${LONGEST_NAME} characters`);
    else if (first < seat) report(`${where}[${seat}]`, `${preview(name)} is the name of seat ${first} too`, 'each name is there once');
    isFine &&= isName && first === seat;
  }
  return isFine ? (value as string[]) : undefined;
};

const readSays: Read<readonly string[]> = (value, where, report) => {
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
  report(
    where,
    value === undefined ? 'is missing' : `${preview(value)} is no list of texts`,
    'it is a list such as ["seat:3"], ["pass"] or ["what was said"]',
  );
  return undefined;
};

const readStep: Read<string> = (value, where, report) => {
  if (typeof value === 'string' && value !== '') return value;
  report(where, value === undefined ? 'is missing' : `${preview(value)} is no text`, 'it is the question, such as "day-1/vote"');
  return undefined;
};

function readSeat(value: unknown, where: string, seats: number | undefined, report: Report): number | undefined {
  if (Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < (seats ?? Infinity)) return value as number;
  const right = seats === undefined ? 'seats are whole numbers from 0' : `seats are 0 to ${seats - 1}`;
  report(where, value === undefined ? 'is missing' : `${preview(value)} is no seat`, right);
  return undefined;
}

function readAct(value: unknown, where: string, seats: number | undefined, report: Report): RecordedAct | undefined {
  if (!isObject(value)) {
    report(where, `${preview(value)} is no act`, 'an act is an object with step, seat and says');
    return undefined;
  }
  reportUnknownFields(value, ['step', 'seat', 'says', 'at', 'notes'], `${where}.`, report);
  const step = readStep(value['step'], `${where}.step`, report);
  const seat = readSeat(value['seat'], `${where}.seat`, seats, report);
  const says = readSays(value['says'], `${where}.says`, report);
  const { at } = value;
  const isTimed = at === undefined || (Number.isSafeInteger(at) && (at as number) >= 0);
  if (!isTimed) report(`${where}.at`, `${preview(at)} is no time`, 'it is in whole milliseconds since the deal');
  return step === undefined || seat === undefined || !says || !isTimed
    ? undefined
    : { step, seat, says, ...(at === undefined ? {} : { at: at as number }) };
}

const isItem = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

const readDraw: Read<RecordedDraw> = (value, where, report) => {
  if (!isObject(value)) {
    report(where, `${preview(value)} is no draw`, 'a draw is an object with step, name and is');
    return undefined;
  }
  reportUnknownFields(value, ['step', 'name', 'is', 'notes'], `${where}.`, report);
  const step = readStep(value['step'], `${where}.step`, report);
  const name = textField('the name of what is drawn')(value['name'], `${where}.name`, report);
  const { is } = value;
  const isFine = isItem(is) || (Array.isArray(is) && is.every(isItem));
  if (!isFine)
    report(
      `${where}.is`,
      is === undefined ? 'is missing' : `${preview(is)} is no draw`,
      'it is what was drawn: a text, a number, or a list of them',
    );
  return step === undefined || name === undefined || !isFine ? undefined : { step, name, is: is as RecordedDraw['is'] };
};

function readExpectation(value: unknown, where: string, seats: number | undefined, report: Report): Expectation | undefined {
  if (!isObject(value)) {
    report(where, `${preview(value)} is no object`, 'it is how the game came out: winner, winners, alive, roles, points');
    return undefined;
  }
  reportUnknownFields(value, ['winner', 'winners', 'alive', 'roles', 'points'], `${where}.`, report);
  const all = (name: string, means: string, isOne: (each: unknown) => boolean): void => {
    const given = value[name];
    if (given !== undefined && !(Array.isArray(given) && given.every(isOne)))
      report(`${where}.${name}`, `${preview(given)} is no list of ${means}`, `it is a list of ${means}`);
  };
  const isSeat = (each: unknown): boolean => Number.isSafeInteger(each) && (each as number) >= 0 && (each as number) < (seats ?? Infinity);
  if (value['winner'] !== undefined && typeof value['winner'] !== 'string')
    report(`${where}.winner`, `${preview(value['winner'])} is no text`, 'it is the side that wins, or "draw"');
  all('winners', 'seats', isSeat);
  all('alive', 'seats', isSeat);
  all('roles', 'texts', (each) => typeof each === 'string');
  all('points', 'numbers', (each) => typeof each === 'number');
  return value as Expectation;
}
