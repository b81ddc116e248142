import type { Random } from '../seeded-random.ts';
import type { Guide } from './guide.ts';
import { meets } from './check.ts';
import { type Fields, numberIn, Unmeetable } from './schema.ts';
import { textMatching } from './pattern.ts';

const TRIES = 40;
const DEFAULT_TEXT_CHARS = 200;

/** A string that meets length, pattern and, where it knows it, format; one of the examples, where there are some. Throws `Unmeetable`. */
export const writeText = (schema: Fields, property: string, guide: Guide, dice: Random): string => {
  const least = numberIn(schema, 'minLength') ?? 0;
  const most = numberIn(schema, 'maxLength') ?? Math.max(DEFAULT_TEXT_CHARS, least);
  if (least > most) throw new Unmeetable(`"${property}": minLength is above maxLength`);
  const fits = (text: string): boolean => meets({ ...schema, type: 'string' }, text, schema);
  const format = FORMATS[String(schema['format'])]?.(dice);
  if (format !== undefined && fits(format)) return format;
  const given: readonly unknown[] = Array.isArray(schema['examples']) ? schema['examples'] : [];
  const examples = given.filter((text) => typeof text === 'string').filter(fits);
  if (examples.length > 0) return dice.pick(examples);
  const free = fitted(guide.text(property, most), least, most);
  if (fits(free)) return free;
  const pattern = schema['pattern'];
  if (typeof pattern !== 'string') throw new Unmeetable(`"${property}": no text found for ${JSON.stringify(schema)}`);
  for (let tried = 0; tried < TRIES; tried++) {
    const text = textMatching(pattern, dice, tried / TRIES, Math.max(6, least));
    if (fits(text)) return text;
    const longer = fitted(text, least, most);
    if (fits(longer)) return longer;
  }
  throw new Unmeetable(`"${property}": no text found for ${JSON.stringify(schema)}`);
};

const fitted = (text: string, least: number, most: number): string => {
  let symbols = Array.from(text);
  if (symbols.length > most) {
    const cut = symbols.slice(0, most).join('');
    const lastWord = cut.lastIndexOf(' ');
    symbols = Array.from(lastWord > most / 2 && lastWord >= least ? cut.slice(0, lastWord) : cut);
  }
  const filler = Array.from(text === '' ? '.' : ` ${text}`);
  for (let at = 0; symbols.length < least; at++) symbols.push(filler[at % filler.length]!);
  return symbols.join('');
};

const two = (number: number): string => String(number).padStart(2, '0');
const date = (dice: Random): string => `${2000 + dice.below(40)}-${two(1 + dice.below(12))}-${two(1 + dice.below(28))}`;
const time = (dice: Random): string => `${two(dice.below(24))}:${two(dice.below(60))}:${two(dice.below(60))}Z`;
const hex = (dice: Random, digits: number): string => Array.from({ length: digits }, () => dice.below(16).toString(16)).join('');

const FORMATS: Readonly<Record<string, (dice: Random) => string>> = {
  'date': date,
  'time': time,
  'date-time': (dice) => `${date(dice)}T${time(dice)}`,
  'duration': (dice) => `PT${1 + dice.below(59)}M`,
  'uuid': (dice) => `${hex(dice, 8)}-${hex(dice, 4)}-4${hex(dice, 3)}-a${hex(dice, 3)}-${hex(dice, 12)}`,
  'email': (dice) => `player${dice.below(1000)}@example.org`,
  'hostname': (dice) => `host${dice.below(1000)}.example.org`,
  'uri': (dice) => `https://example.org/${dice.below(1000)}`,
  'ipv4': (dice) => `192.0.2.${dice.below(255)}`,
  'ipv6': (dice) => `2001:db8::${hex(dice, 3)}`,
};

/** A number within bounds; whole when `whole`. Throws `Unmeetable`. */
export const writeNumber = (schema: Fields, whole: boolean, property: string, dice: Random): number => {
  const wanted: Fields = { ...schema, type: whole ? 'integer' : 'number' };
  const step = stepOf(schema, whole);
  const low = Math.max(numberIn(schema, 'minimum') ?? -Infinity, numberIn(schema, 'exclusiveMinimum') ?? -Infinity);
  const high = Math.min(numberIn(schema, 'maximum') ?? Infinity, numberIn(schema, 'exclusiveMaximum') ?? Infinity);
  const span = Math.max(100, step * 100);
  const from = low === -Infinity ? (high === Infinity ? 0 : high - span) : low;
  const to = high === Infinity ? from + span : high;
  for (let tried = 0; tried < TRIES; tried++) {
    for (const candidate of candidates(from, to, step, dice)) if (meets(wanted, candidate, schema)) return candidate;
  }
  throw new Unmeetable(`"${property}": no number found for ${JSON.stringify(schema)}`);
};

/** The distance of allowed numbers; 0 when any will do. */
const stepOf = (schema: Fields, whole: boolean): number => {
  const step = numberIn(schema, 'multipleOf');
  if (step === undefined) return whole ? 1 : 0;
  if (!whole) return step;
  for (let times = 1; times <= 1000; times++) if (Number.isInteger(step * times)) return step * times;
  return step;
};

const candidates = (from: number, to: number, step: number, dice: Random): readonly number[] => {
  if (step === 0) {
    const number = from + (to - from) * dice.next();
    return [Math.round(number * 100) / 100, number, from, to];
  }
  const [first, last] = [Math.ceil(from / step), Math.floor(to / step)];
  const times = first + dice.below(Math.max(1, last - first + 1));
  return [times, first, first + 1, last].flatMap((count) => [count * step, Number((count * step).toPrecision(12))]);
};
