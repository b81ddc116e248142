import type { Dice } from '@maw/games/kernel/dice.ts';

/** Texts that programs stumble over: prototype names, lone surrogates, control characters, paths, invalid numbers. */
const ODD_TEXTS: readonly string[] = [
  '',
  ' ',
  '-',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'null',
  'NaN',
  '-0',
  '1e999',
  'seat:-1',
  'seat:99',
  'seat:1e3',
  'seat:0 ',
  'SEAT:0',
  'round-0/lobby',
  'round-1/../round-1/day-1/vote',
  '../../etc/passwd',
  '%00',
  'a\u0000b',
  '\uD800',
  '\uDC00\uD800',
  '\uFEFF',
  'a\u202Eb',
  'Z\u0301\u0301\u0301algo',
  '\u{1F469}\u200D\u{1F469}\u200D\u{1F466}',
  '\u001B[2J',
  "'; drop table tape; --",
  '<script>alert(1)</script>',
  '{{7*7}}',
  '$where',
  'line\nline\r\n',
];

const ODD_NUMBERS: readonly number[] = [
  -1,
  0,
  1,
  0.5,
  -0.5,
  99,
  100,
  2 ** 31,
  2 ** 32 + 1,
  Number.MAX_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER + 1,
  -Number.MAX_SAFE_INTEGER,
  8.64e15,
  8.64e15 + 1,
  1e308,
  5e-324,
];

type Json = unknown;
interface Place {
  readonly holder: Record<string, Json> | Json[];
  readonly key: string | number;
}

/** Text of a problematic length, most of the time only slightly. */
export const longText = (dice: Dice): string => 'ab\u00E9\u{1F600}'.repeat([40, 200, 2_000, 20_000][dice.below(20) ? dice.below(3) : 3]!);

export const oddText = (dice: Dice): string => (dice.below(8) ? ODD_TEXTS[dice.below(ODD_TEXTS.length)]! : longText(dice));
const oddNumber = (dice: Dice): number => ODD_NUMBERS[dice.below(ODD_NUMBERS.length)]!;

export function nested(dice: Dice): Json {
  let inner: Json = oddText(dice);
  for (let depth = [5, 50, 500][dice.below(3)]!; depth > 0; depth--) inner = depth % 2 ? [inner] : { a: inner };
  return inner;
}

/** A random value of any kind. */
export const oddValue = (dice: Dice): Json =>
  [
    () => null,
    () => dice.below(2) === 0,
    () => oddNumber(dice),
    () => oddText(dice),
    () => [],
    () => ({}),
    () => [oddText(dice), oddNumber(dice), null],
    () => ({ length: oddNumber(dice), toJSON: oddText(dice) }),
    () => nested(dice),
  ][dice.below(9)]!();

/** A copy of `value` with one or more mutations. */
export function mutated(value: Json, dice: Dice): Json {
  const root = { value: structuredClone(value) };
  for (let times = dice.below(3) ? 1 : 2 + dice.below(4); times > 0; times--) {
    const all = places(root);
    if (all.length) wrong(all[dice.below(all.length)]!, dice);
  }
  return root.value;
}

/** The maximum of places within a value to mutate; of a very large value, the first. */
const MAX_PLACES = 100;

/** The value itself and the places within it, parents before children. */
function places(root: { value: Json }): readonly Place[] {
  if (!Object.hasOwn(root, 'value')) return []; // already removed
  const found: Place[] = [{ holder: root, key: 'value' }];
  const within = (value: Json): void => {
    if (typeof value !== 'object' || value === null) return;
    const holder = value as Record<string, Json> | Json[];
    for (const key of Array.isArray(holder) ? holder.keys() : Object.keys(holder)) {
      if (found.length > MAX_PLACES) return;
      found.push({ holder, key });
      within((holder as Record<string | number, Json>)[key]);
    }
  };
  within(root.value);
  return found;
}

function wrong({ holder, key }: Place, dice: Dice): void {
  const at = holder as Record<string | number, Json>;
  const put = (name: string | number, what: Json): void => {
    // Defines an own property, as JSON.parse does, whatever its name.
    Object.defineProperty(at, name, { value: what, enumerable: true, configurable: true, writable: true });
  };
  const value = at[key];
  switch (dice.below(8)) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else delete at[key];
      return;
    case 1:
      if (Array.isArray(holder)) holder.push(...copies(value, 1 + dice.below(200)));
      else for (const copy of copies(value, 1)) put(`${key} `, copy);
      return;
    case 2:
      return put(Array.isArray(holder) ? key : ODD_TEXTS[3 + dice.below(5)]!, oddValue(dice));
    case 3:
      return put(key, nested(dice));
    case 4:
    case 5:
      return put(key, sameKind(value, dice));
    default:
      return put(key, oddValue(dice));
  }
}

/** A value of the same kind, which passes more checks. */
function sameKind(value: Json, dice: Dice): Json {
  if (typeof value === 'number') return dice.below(2) ? oddNumber(dice) : value + dice.below(5) - 2;
  if (typeof value === 'string') return dice.below(3) ? oddText(dice) : `${value}${oddText(dice)}`;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return dice.below(2) ? [] : [value as Json[], ...copies(value as Json[], 1)].flat(1);
  return oddValue(dice);
}

/**
 * This many copies of a value, limited to a mebibyte of JSON in total, which no service accepts. The value may itself consist of copies,
 * and copies of copies of copies would fill the memory before anything is sent.
 */
function copies<T>(value: T, wanted: number): T[] {
  const text = JSON.stringify(value);
  return Array.from({ length: Math.min(wanted, Math.floor(MEBIBYTE / Buffer.byteLength(text))) }, () => JSON.parse(text) as T);
}

/** The maximum size of the parts in bytes: a body of just about this size is among those tried. */
const MEBIBYTE = 2 ** 20;

/** JSON text with mutations of the text itself. */
export function wrongBytes(text: string, dice: Dice): Buffer {
  const bytes = Buffer.from(text);
  const at = dice.below(Math.max(1, bytes.length));
  switch (dice.below(9)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.from(Array.from({ length: 1 + dice.below(300) }, () => dice.below(256)));
    case 2: {
      const copy = Buffer.from(bytes);
      for (let times = 1 + dice.below(5); times > 0 && copy.length; times--) copy[dice.below(copy.length)] = dice.below(256);
      return copy;
    }
    case 3:
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
    case 4:
      return Buffer.concat([bytes, Buffer.from(text.slice(0, 1 + dice.below(20)))]);
    case 5: // a duplicate field: the last one counts
      return Buffer.from(text.replace(/"(\w+)":/, (whole, name: string) => `"${name}":${JSON.stringify(oddText(dice))},${whole}`));
    case 6:
      return Buffer.from(text.replace(/^\{/, '{"__proto__":{"isAdmin":true,"seat":0},'));
    case 7:
      return Buffer.from('['.repeat(1 + dice.below(10_000)));
    default: // rarely, because it is slow
      if (dice.below(12)) return Buffer.alloc(0);
      return Buffer.from(text.replace(/\}$/, `,"pad":"${'x'.repeat(Math.max(0, MEBIBYTE - bytes.length - 10) + dice.below(3))}"}`));
  }
}
