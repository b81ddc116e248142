import { preview, truncate } from '../kernel/preview.ts';
import type { Expectation, GameRecord, RecordedAct, RecordedDraw } from './record.ts';
import { isPrintable } from '../kernel/refusal.ts';

/** Says what is wrong at a place, and what would be right. */
export type Say = (where: string, wrong: string, right: string) => void;

type Fields = { readonly [name: string]: unknown };
/** Reads one value; says what is wrong and gives undefined when it is not what it should be. */
type Read<T> = (value: unknown, where: string, say: Say) => T | undefined;

/** The longest name of a recorded player, in characters. */
const LONGEST_NAME = 60;

/**
 * The shape of a record: fields and types, before any rule set is looked at. What is wrong is said and left out.
 * @returns undefined when there is nothing to go on with
 */
export function readShape(value: unknown, say: Say): GameRecord | undefined {
  if (!isObject(value)) {
    say('record', `${Array.isArray(value) ? 'a list' : preview(value)} is no record`, 'a record is an object with rules, players and acts');
    return undefined;
  }
  refuseOthers(value, ['rules', 'version', 'options', 'players', 'deal', 'acts', 'draws', 'seed', 'expect', 'notes'], '', say);
  const need = <T>(name: string, read: Read<T>): T | undefined => {
    if (value[name] !== undefined) return read(value[name], name, say);
    say(name, 'is missing', WANTED[name]!);
    return undefined;
  };
  const may = <T>(name: string, read: Read<T>): T | undefined => (value[name] === undefined ? undefined : read(value[name], name, say));
  const players = need('players', readPlayers);
  const seats = players?.length || undefined;
  const optional = {
    version: may('version', text('the version of the rule set')),
    seed: may('seed', text('what dice are rolled from')),
    expect: may('expect', (given, where) => readExpectation(given, where, seats, say)),
    notes: value['notes'],
  };
  return {
    rules: need('rules', text('the name of a rule set')) ?? '',
    options: may('options', fields('options by name')) ?? {},
    players: players ?? [],
    deal: may('deal', fields('what was dealt, by name')) ?? {},
    acts:
      need(
        'acts',
        list('acts', (given, where) => readAct(given, where, seats, say)),
      ) ?? [],
    draws: may('draws', list('draws', readDraw)) ?? [],
    ...(Object.fromEntries(Object.entries(optional).filter(([, given]) => given !== undefined)) as Partial<GameRecord>),
  };
}

const WANTED: { readonly [name: string]: string } = {
  rules: 'the name of a rule set, such as "maw"',
  players: 'a list of names, one for each seat',
  acts: 'a list such as [{"step": "day-1/vote", "seat": 0, "says": ["seat:3"]}]; it may be empty',
};

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

function refuseOthers(value: Fields, known: readonly string[], path: string, say: Say): void {
  for (const name of Object.keys(value))
    if (!known.includes(name)) say(`${path}${truncate(name)}`, 'there is no such field', `fields are ${known.join(', ')}`);
}

const text =
  (means: string): Read<string> =>
  (value, where, say) => {
    if (typeof value === 'string' && value !== '') return value;
    say(where, value === undefined ? 'is missing' : `${preview(value)} is no text`, `it is ${means}, a text`);
    return undefined;
  };

const fields =
  (means: string): Read<Fields> =>
  (value, where, say) => {
    if (isObject(value)) return value;
    say(where, `${Array.isArray(value) ? 'a list' : preview(value)} is no object`, `it is an object: ${means}`);
    return undefined;
  };

const list =
  <T>(of: string, read: Read<T>): Read<readonly T[]> =>
  (value, where, say) => {
    if (Array.isArray(value)) return value.flatMap((each, i) => read(each, `${where}[${i}]`, say) ?? []);
    say(where, `${preview(value)} is no list`, `it is a list of ${of}`);
    return undefined;
  };

/** Whether a record may call a player so: recorded names are freer than those at a table. */
export const isPlayerName = (name: unknown): name is string =>
  typeof name === 'string' && name.trim() !== '' && [...name].length <= LONGEST_NAME && isPrintable(name);

/** Any names, each once. */
const readPlayers: Read<readonly string[]> = (value, where, say) => {
  if (!Array.isArray(value)) {
    say(where, `${preview(value)} is no list`, WANTED['players']!);
    return undefined;
  }
  let isFine = true;
  const firsts = new Map<unknown, number>();
  for (const [seat, name] of (value as unknown[]).entries()) {
    const isName = isPlayerName(name);
    const first = firsts.get(name) ?? seat;
    firsts.set(name, first);
    if (!isName) say(`${where}[${seat}]`, `${preview(name)} is no name`, `a name is a printable text of 1 to ${LONGEST_NAME} characters`);
    else if (first < seat) say(`${where}[${seat}]`, `${preview(name)} is the name of seat ${first} too`, 'each name is there once');
    isFine &&= isName && first === seat;
  }
  return isFine ? (value as string[]) : undefined;
};

const readTexts: Read<readonly string[]> = (value, where, say) => {
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
  say(
    where,
    value === undefined ? 'is missing' : `${preview(value)} is no list of texts`,
    'it is a list such as ["seat:3"], ["pass"] or ["what was said"]',
  );
  return undefined;
};

const readStep: Read<string> = (value, where, say) => {
  if (typeof value === 'string' && value !== '') return value;
  say(where, value === undefined ? 'is missing' : `${preview(value)} is no text`, 'it is the question, such as "day-1/vote"');
  return undefined;
};

function readSeat(value: unknown, where: string, seats: number | undefined, say: Say): number | undefined {
  if (Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < (seats ?? Infinity)) return value as number;
  const right = seats === undefined ? 'seats are whole numbers from 0' : `seats are 0 to ${seats - 1}`;
  say(where, value === undefined ? 'is missing' : `${preview(value)} is no seat`, right);
  return undefined;
}

function readAct(value: unknown, where: string, seats: number | undefined, say: Say): RecordedAct | undefined {
  if (!isObject(value)) {
    say(where, `${preview(value)} is no act`, 'an act is an object with step, seat and says');
    return undefined;
  }
  refuseOthers(value, ['step', 'seat', 'says', 'at', 'notes'], `${where}.`, say);
  const step = readStep(value['step'], `${where}.step`, say);
  const seat = readSeat(value['seat'], `${where}.seat`, seats, say);
  const says = readTexts(value['says'], `${where}.says`, say);
  const { at } = value;
  const isTimed = at === undefined || (Number.isSafeInteger(at) && (at as number) >= 0);
  if (!isTimed) say(`${where}.at`, `${preview(at)} is no time`, 'it is in whole milliseconds since the deal');
  return step === undefined || seat === undefined || !says || !isTimed
    ? undefined
    : { step, seat, says, ...(at === undefined ? {} : { at: at as number }) };
}

const isItem = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

const readDraw: Read<RecordedDraw> = (value, where, say) => {
  if (!isObject(value)) {
    say(where, `${preview(value)} is no draw`, 'a draw is an object with step, name and is');
    return undefined;
  }
  refuseOthers(value, ['step', 'name', 'is', 'notes'], `${where}.`, say);
  const step = readStep(value['step'], `${where}.step`, say);
  const name = text('the name of what is drawn')(value['name'], `${where}.name`, say);
  const { is } = value;
  const isFine = isItem(is) || (Array.isArray(is) && is.every(isItem));
  if (!isFine)
    say(
      `${where}.is`,
      is === undefined ? 'is missing' : `${preview(is)} is no draw`,
      'it is what was drawn: a text, a number, or a list of them',
    );
  return step === undefined || name === undefined || !isFine ? undefined : { step, name, is: is as RecordedDraw['is'] };
};

function readExpectation(value: unknown, where: string, seats: number | undefined, say: Say): Expectation | undefined {
  if (!isObject(value)) {
    say(where, `${preview(value)} is no object`, 'it is how the game came out: winner, winners, alive, roles, points');
    return undefined;
  }
  refuseOthers(value, ['winner', 'winners', 'alive', 'roles', 'points'], `${where}.`, say);
  const all = (name: string, means: string, isOne: (each: unknown) => boolean): void => {
    const given = value[name];
    if (given !== undefined && !(Array.isArray(given) && given.every(isOne)))
      say(`${where}.${name}`, `${preview(given)} is no list of ${means}`, `it is a list of ${means}`);
  };
  const isSeat = (each: unknown): boolean => Number.isSafeInteger(each) && (each as number) >= 0 && (each as number) < (seats ?? Infinity);
  if (value['winner'] !== undefined && typeof value['winner'] !== 'string')
    say(`${where}.winner`, `${preview(value['winner'])} is no text`, 'it is the side that wins, or "draw"');
  all('winners', 'seats', isSeat);
  all('alive', 'seats', isSeat);
  all('roles', 'texts', (each) => typeof each === 'string');
  all('points', 'numbers', (each) => typeof each === 'number');
  return value as Expectation;
}
