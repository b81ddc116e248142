import { truncate, preview } from './preview.ts';
import { Refusal } from './refusal.ts';

/** What every option tells of itself: a label for forms, and a sentence, which begins in lower case and has no full stop. */
interface Told {
  readonly label: string;
  readonly says: string;
}

/**
 * One option of a rule set: its values, its default, and its meaning. `people`: the default where the pace is that of people. `opens`: what a new
 * table at that pace has instead; a tape without the option, from before there was one, keeps the default. `decisions`: a time of secret steps must
 * hold so many decisions of minds, one after another.
 */
export type Option = Told &
  (
    | {
        readonly kind: 'whole';
        readonly least: number;
        readonly most: number;
        /** What is counted: milliseconds, turns. */
        readonly unit: string;
        readonly usual: number;
        readonly people?: number;
        readonly opens?: Drawn;
        readonly decisions?: number;
      }
    | { readonly kind: 'choice'; readonly of: readonly string[]; readonly usual: string; readonly presets?: Presets }
    | { readonly kind: 'switch'; readonly usual: boolean; readonly opens?: boolean }
    /** Counts by name, as text `seer=1,werewolf=2`. Empty: the default for the number of players. */
    | { readonly kind: 'counts'; readonly of: readonly string[]; readonly most: number; readonly usual: Counts }
  );

/** A value that is drawn once for a table, in whole seconds where it is in milliseconds; not where the option `unless` is given. */
export interface Drawn {
  readonly least: number;
  readonly most: number;
  readonly unless?: string;
}

/** By value of a choice: the defaults that it gives to other options. */
export type Presets = { readonly [value: string]: { readonly [option: string]: unknown } };

/** Counts by name. Names left out count 0. */
export type Counts = { readonly [name: string]: number };

export const whole = (label: string, [least, most, unit]: readonly [number, number, string], usual: number, says: string, people = usual) =>
  ({ kind: 'whole', label, least, most, unit, usual, ...(people === usual ? {} : { people }), says }) as const;
export const toggle = (label: string, usual: boolean, says: string, opens = usual) =>
  ({ kind: 'switch', label, usual, ...(opens === usual ? {} : { opens }), says }) as const;
export const choice = <const T extends readonly string[]>(label: string, of: T, usual: T[number], says: string, presets?: Presets) =>
  ({ kind: 'choice', label, of, usual, says, ...(presets ? { presets } : {}) }) as const;
export const counts = (label: string, of: readonly string[], most: number, says: string) =>
  ({ kind: 'counts', label, of, most, usual: {}, says }) as const;

interface DurationTerms {
  readonly least?: number;
  readonly people?: number;
  readonly opens?: Drawn;
  readonly decisions?: number;
}

/** A time, up to a day, with the terms of an option. */
export const duration = (label: string, usual: number, says: string, { least = 100, people = usual, ...terms }: DurationTerms = {}) => ({
  ...whole(label, [least, 86_400_000, 'milliseconds'], usual, says, people),
  ...terms,
});
export const maxDays = (says: string) => whole('Days at most', [1, 1000, 'days'], 30, says);
export const maxChars = (says: string) => whole('Length of a speech', [20, 2000, 'characters'], 500, says);

/**
 * Every rule set has it. For people phases last minutes, and minds speak no faster than people read; it is fixed for the table, whoever sits
 * there.
 */
export const pace = choice(
  'Pace',
  ['machines', 'people'],
  'machines',
  'for whom the default times are; for people, minds speak no faster than people read',
);
export type Pace = (typeof pace)['of'][number];

export type OptionTable = { readonly [name: string]: Option };
type Given = { readonly [name: string]: unknown };

export type OptionsOf<T extends OptionTable> = {
  readonly [K in keyof T]: T[K] extends { kind: 'whole' }
    ? number
    : T[K] extends { kind: 'choice'; of: readonly (infer Of)[] }
      ? Of
      : T[K] extends { kind: 'counts' }
        ? Counts
        : boolean;
};

/**
 * Fills in defaults. Texts such as `true` and `60000`, as given on a command line, are converted.
 * @throws Refusal bad-option, naming every mistake
 */
export function readOptions<T extends OptionTable>(table: T, given: { readonly [name: string]: unknown } = {}): OptionsOf<T> {
  const mistakes: string[] = [];
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(table, name))
      mistakes.push(`there is no option ${truncate(name)}; there are ${Object.keys(table).join(', ') || 'none'}`);
  }
  const values: { [name: string]: unknown } = {};
  const presets = presetsOf(table, given);
  for (const [name, option] of Object.entries(table)) {
    const isGiven = Object.hasOwn(given, name) && given[name] !== undefined;
    const value = isGiven ? read(option, given[name]) : defaultOf(table, name, given, presets);
    if (value === undefined) mistakes.push(`${name}: ${preview(given[name])} is not ${wanted(option)}`);
    values[name] = value;
  }
  if (mistakes.length) throw new Refusal('bad-option', mistakes.join('; '));
  return values as OptionsOf<T>;
}

/**
 * What is given for a table that is to open, and what such a table has besides at the pace of people.
 * @param draw a whole number from `least` to `most`; by default the lower one
 */
export function optionsAtOpening(
  table: OptionTable,
  given: { readonly [name: string]: unknown },
  draw: (least: number, most: number) => number = (least) => least,
): { readonly [name: string]: unknown } {
  if (given['pace'] !== 'people') return given;
  const opened = Object.keys(table).flatMap((name) => {
    const opens = opensWith(table, name, given);
    return opens === undefined ? [] : [[name, typeof opens === 'object' ? drawn(opens, draw) : opens] as const];
  });
  return { ...given, ...Object.fromEntries(opened) };
}

/** What a table that opens at the pace of people has for an option that is not given, where that is not the default. */
export function opensWith(table: OptionTable, name: string, given: { readonly [name: string]: unknown }): Drawn | boolean | undefined {
  const option = table[name]!;
  const opens = option.kind === 'whole' || option.kind === 'switch' ? option.opens : undefined;
  const others = typeof opens === 'object' && opens.unless !== undefined ? [opens.unless] : [];
  return [name, ...others].some((each) => given[each] !== undefined) ? undefined : opens;
}

/** What a table at the pace of people has for an option that is not given, in words; undefined where that is what others have, too. */
export function usualForPeople(table: OptionTable, name: string, given: { readonly [name: string]: unknown } = {}): string | undefined {
  const option = table[name]!;
  const opens = opensWith(table, name, given);
  if (typeof opens === 'object') return opens.least === opens.most ? String(opens.least) : `${opens.least} to ${opens.most}`;
  if (opens !== undefined) return String(opens);
  return option.kind === 'whole' && option.people !== undefined ? String(option.people) : undefined;
}

const SECOND = 1000;
const drawn = ({ least, most }: Drawn, draw: (least: number, most: number) => number): number =>
  draw(Math.ceil(least / SECOND), Math.floor(most / SECOND)) * SECOND;

/** The value of an option that is not given: as the chosen preset or the pace of people has it, else the usual one. */
export function defaultOf(table: OptionTable, name: string, given: Given, presets = presetsOf(table, given)): unknown {
  const preset = presets.find((each) => Object.hasOwn(each, name));
  if (preset) return preset[name];
  const option = table[name]!;
  return given['pace'] === 'people' && option.kind === 'whole' ? (option.people ?? option.usual) : option.usual;
}

/** What the chosen presets have, the first one first. */
const presetsOf = (table: OptionTable, given: Given): readonly Given[] =>
  Object.entries(table).flatMap(([chooses, option]) => {
    if (option.kind !== 'choice' || !option.presets) return [];
    const chosen = given[chooses] ?? option.usual;
    return typeof chosen === 'string' && Object.hasOwn(option.presets, chosen) ? [option.presets[chosen]!] : [];
  });

function read(option: Option, value: unknown): unknown {
  switch (option.kind) {
    case 'whole': {
      const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
      return Number.isSafeInteger(number) && (number as number) >= option.least && (number as number) <= option.most ? number : undefined;
    }
    case 'choice':
      return option.of.includes(value as string) ? value : undefined;
    case 'counts':
      return readCounts(option, value);
    case 'switch':
      return typeof value === 'boolean' ? value : value === 'true' ? true : value === 'false' ? false : undefined;
  }
}

/** An object, or a text such as `seer=1,werewolf=2`. The empty text is the empty object. */
function readCounts({ of, most }: { readonly of: readonly string[]; readonly most: number }, value: unknown): Counts | undefined {
  const given =
    typeof value === 'string'
      ? value
          .split(',')
          .filter((part) => part.trim())
          .map((part) => [part.slice(0, part.indexOf('=')).trim(), part.slice(part.indexOf('=') + 1).trim()] as const)
      : typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value)
        : undefined;
  const pairs = given?.map(
    ([name, count]) => [name, typeof count === 'string' && /^\d{1,6}$/.test(count) ? Number(count) : count] as const,
  );
  const isFine = pairs?.every(([name, n]) => of.includes(name) && Number.isSafeInteger(n) && (n as number) >= 0 && (n as number) <= most);
  if (!isFine || new Set(pairs!.map(([name]) => name)).size !== pairs!.length) return undefined;
  return Object.fromEntries(pairs!) as Counts;
}

function wanted(option: Option): string {
  switch (option.kind) {
    case 'whole':
      return `a whole number from ${option.least} to ${option.most}`;
    case 'choice':
      return `one of ${option.of.join(', ')}`;
    case 'switch':
      return 'true or false';
    case 'counts':
      return `numbers from 0 to ${option.most} such as ${option.of[0]!}=1, of ${option.of.join(', ')}`;
  }
}
