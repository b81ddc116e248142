import type { z } from 'zod';
import { namedInField } from './named.ts';
import { CUT, objectsIn } from './objects.ts';
import { isTooLong, replyText, withoutFence } from './reply-text.ts';
import { fitting } from './speech.ts';

/** The keywords of a JSON schema that a form has. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** A value of the form, or what is wrong with a reply, in words for the model. */
export type FormReading<T> = { readonly value: T; readonly wrong?: never } | { readonly value?: never; readonly wrong: string };

const lettersOf = (name: string): string => name.normalize('NFKD').toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''); // prettier-ignore
const REASON = /^(?:reason|reasoning|thought|thinking|rationale)$/;

/**
 * Reads a reply in fields, in whatever form it came: a field that is not asked for is dropped, a text that is too long is cut, a name and a number
 * are taken as they are meant, and a reply without fields is the only field that is asked for besides a reason.
 * @param format the JSON schema of `shape`
 */
export function readForm<T>(content: string, shape: z.ZodType<T>, format: object): FormReading<T> {
  const schema = format as Schema;
  const text = withoutFence(replyText(content));
  if (isTooLong(text)) return { wrong: 'It was too long.' };
  const names = Object.keys(schema.properties ?? {});
  const isField = (name: string): boolean => names.some((each) => lettersOf(each) === lettersOf(name));
  const objects = objectsIn(text, isField);
  const asked = names.filter((name) => !REASON.test(name));
  const prose = asked.length === 1 && isAnswer(schema.properties![asked[0]!]!, text) ? [{ [asked[0]!]: text }] : [];
  const given = objects.length ? objects.map((each) => (asked.length === 1 && !isRecord(each) ? { [asked[0]!]: each } : each)) : prose;
  const results = given.map((each) => shape.safeParse(fit(schema, each), { jitless: true }));
  const read = results.flatMap(({ success, data }) => (success ? [data as T] : []));
  if (new Set(read.map((value) => JSON.stringify(value))).size > 1) return { wrong: 'It had more than one answer.' };
  if (read.length) return { value: read[0]! };
  const issues = results[0]?.error?.issues ?? [];
  if (!issues.length) return { wrong: `It was not one JSON object with ${names.join(', ')}.` };
  return { wrong: issues.map(({ path, message }) => `${path.length ? `"${path.join('.')}": ` : ''}${message}.`).join(' ') };
}

/** Whether prose may be the value of a field: of a text that is a sentence. */
const isAnswer = (field: Schema, text: string): boolean =>
  text !== '' && !/^[{[]|"\s*:/.test(text) && (field.type !== 'string' || field.enum !== undefined || /[.!?。]["”']?$/.test(text));

const isRecord = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value as the schema has it, as far as that is plain. */
function fit(schema: Schema, value: unknown): unknown {
  if (schema.enum) return fitEnum(schema.enum, value);
  switch (schema.type) {
    case 'object':
      return isRecord(value) && schema.properties ? fitFields(schema, value) : value;
    case 'array':
      return fitList(schema.items ?? {}, value);
    case 'integer':
    case 'number':
      return numberIn(value) ?? value;
    case 'string':
      return fitText(schema, value);
    case undefined:
    default:
      return value;
  }
}

function fitFields({ properties = {}, required = [] }: Schema, value: { readonly [name: string]: unknown }): object {
  const fields = new Map(Object.entries(value).map(([name, each]) => [lettersOf(name), each]));
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, each]) => {
      const given = fields.get(lettersOf(name));
      if (given !== undefined) return [[name, fit(each, given)]];
      const isSpared = REASON.test(name) && each.type === 'string' && !each.minLength && required.includes(name);
      return isSpared ? [[name, '']] : [];
    }),
  );
}

function fitEnum(options: readonly unknown[], value: unknown): unknown {
  const words = options.map(String);
  const number = words.every((word) => /^\d+$/.test(word)) ? numberIn(value) : undefined;
  const named = number === undefined ? namedInField(value ?? '', { options: words }) : [words.indexOf(String(number))];
  return named.length === 1 ? options[named[0]!] : undefined;
}

/** A list, also of names in one string. */
function fitList(items: Schema, value: unknown): unknown {
  if (items.enum && typeof value === 'string') return namedInField(value, { options: items.enum.map(String) }).map((i) => items.enum![i]);
  const list = Array.isArray(value) ? value : typeof value === 'string' || isRecord(value) ? [value] : undefined;
  return list?.filter((each) => !String(each).includes(CUT)).map((each) => fit(items, each)) ?? value;
}

function fitText({ maxLength = Infinity }: Schema, value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = Array.isArray(value) && value.every((each) => typeof each === 'string') ? value.join(' ') : value;
  if (typeof text !== 'string') return text;
  const whole = fitting(text.trim(), maxLength);
  return whole || text.includes(CUT) ? whole : text.trim().slice(0, maxLength).replace(/[\ud800-\udbff]$/, ''); // prettier-ignore
}

const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** The only number that a value names: 3 of `3/4`, `"three"`, `4: Bob asked me`. Nothing is rounded. */
export function numberIn(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.includes(CUT)) return undefined;
  const head = value.split(/\s*[(:]|,\s|\s+[-–—]\s/)[0]!.replace(/(?<=\d)\s*(?:\/|of|out of)\s*\d+/g, '');
  const words = head.toLowerCase().match(/-?\d+(?:\.\d+)?|[a-z]+/g) ?? [];
  const named = new Set(
    words
      .map((word) => (/\d/.test(word) ? Number(word) : NUMBERS.indexOf(word)))
      .filter((number, i) => number >= 0 || /\d/.test(words[i]!)),
  );
  return named.size === 1 ? [...named][0] : undefined;
}
