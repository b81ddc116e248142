import { jsonrepair } from 'jsonrepair';
import { withoutFence } from './reply-text.ts';

/** Stands at the end of a value that broke off. */
export const CUT = '\ue000';

/** The fields of a reply. */
export interface Fields {
  readonly [name: string]: unknown;
}

/**
 * The objects of a reply, in JSON or what passes for it, in XML, in lines `name: value`, in a table, or in a call of a tool. Of several objects only
 * the one that the reply itself calls final, or corrected, if there is one.
 * @param isField whether lines may begin with this name and a colon
 */
export function objectsIn(text: string, isField: (name: string) => boolean): readonly unknown[] {
  const plain = withoutFence(text);
  const found = jsonIn(plain);
  if (found.length) {
    const final = found.findLast(({ from }, i) => i > 0 && FINAL.test(plain.slice(found[i - 1]!.to, from)));
    return (final ? [final] : found).flatMap(({ value }) => unwrap(value));
  }
  const one = encoded(plain) ?? toolCall(plain) ?? element(plain) ?? table(plain) ?? lines(plain, isField);
  return one === undefined ? [] : unwrap(one);
}

const FINAL = /\b(?:final(?:ly)?|correct(?:ed|ion)|revised|instead|actually)\b/i;

interface Found {
  readonly value: unknown;
  readonly from: number;
  readonly to: number;
}

/** All objects, and arrays of objects; an array of anything else only where it is the whole text. */
function jsonIn(given: string): readonly Found[] {
  const text = given.includes('{') ? given : given.replace(/[｛｝：，]/g, (mark) => '{}:,'['｛｝：，'.indexOf(mark)]!);
  const found: Found[] = [];
  for (let from = text.search(/[{[]/); from >= 0;) {
    const span = spanOf(text, from);
    const value = span && parse(span.json);
    const isWanted = Array.isArray(value) ? value.some(isObject) || span!.json.length >= text.length : isObject(value);
    if (isWanted) found.push({ value, from, to: span!.to });
    const next = text.slice(isWanted ? span!.to : from + 1).search(/[{[]/);
    from = next < 0 ? -1 : next + (isWanted ? span!.to : from + 1);
  }
  return found;
}

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

const CLOSERS: { readonly [opener: string]: string } = { '{': '}', '[': ']', '"': '"', "'": "'", '“': '”' };

/** The JSON that begins at `from`, and where it ends. What is cut off is closed, and its last value marked. */
function spanOf(text: string, from: number): { readonly json: string; readonly to: number } | undefined {
  const open: string[] = [];
  let before = '';
  for (let i = from; i < text.length; i++) {
    const sign = text[i]!;
    if (/\s/.test(sign)) continue;
    if (sign === '{' || sign === '[') open.push(CLOSERS[sign]!);
    else if (sign === open.at(-1)) open.pop();
    else if (sign === '}' || sign === ']') return undefined;
    else if (CLOSERS[sign] && (before === '' || '{[,:/}]"”'.includes(before) || sign !== "'")) {
      const end = stringEnd(text, i, CLOSERS[sign]!);
      if (end === undefined) return closed(text.slice(from), `${CUT}${CLOSERS[sign]!}`, open, text.slice(from, i));
      i = end;
    }
    before = text[i]!;
    if (!open.length) return { json: text.slice(from, i + 1), to: i + 1 };
  }
  const rest = text.slice(from).replace(/\s*(?:```|~~~)?\s*$/, '');
  const isOpen = /[\p{L}\p{N}.:]$/u.test(rest);
  return closed(rest, isOpen ? (rest.endsWith(':') ? `"${CUT}"` : CUT) : '', open, rest);
}

/** Where a string ends: at a quotation mark that something of JSON follows, as models forget to escape others. */
function stringEnd(text: string, from: number, quote: string): number | undefined {
  for (let i = from + 1; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === quote && /^\s*(?:[,:}\]/"'“]|$)/.test(text.slice(i + 1, i + 40))) return i;
  }
  return undefined;
}

function closed(rest: string, mark: string, open: readonly string[], without: string) {
  const ends = open.toReversed().join('');
  const json = [rest + mark + ends, without.replace(/[\s,]+$/, '') + ends].find((each) => parse(each) !== undefined);
  return json === undefined ? undefined : { json, to: Infinity };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    try {
      return JSON.parse(jsonrepair(json)) as unknown;
    } catch {
      return undefined;
    }
  }
}

/** JSON within a string; undefined when it is none. */
function encoded(text: string): unknown {
  if (!/^\s*(?:"\s*[{[]|[{[])/.test(text)) return undefined;
  const value = parse(text);
  return typeof value === 'string' ? encoded(value) : typeof value === 'object' && value !== null ? value : undefined;
}

const ARGUMENTS = ['arguments', 'parameters', 'args', 'input'];

/** The objects within what only wraps them: an array, a field alone, a call of a tool, a string of JSON. */
function unwrap(value: unknown): readonly unknown[] {
  if (typeof value === 'string') {
    const inner = encoded(value);
    return inner === undefined ? [value] : unwrap(inner);
  }
  if (Array.isArray(value)) return value.some(isObject) ? value.flatMap(unwrap) : [value];
  if (!isObject(value)) return [];
  const entries = Object.entries(value);
  const [first] = entries;
  if (entries.length === 1 && holdsObject(first![1])) return unwrap(first![1]);
  const given = ARGUMENTS.find((name) => holdsObject(value[name]));
  const inner = given === undefined ? value['function'] : value[given];
  if (!holdsObject(inner)) return [value];
  return unwrap(inner).map((each) => (isObject(each) && given !== undefined ? { do: value['name'], ...each } : each));
}

const holdsObject = (value: unknown): boolean =>
  isObject(value) || (Array.isArray(value) && value.some(isObject)) || (typeof value === 'string' && encoded(value) !== undefined);

/** `[protect(target="Ann")]`, `peek("Ann")`. */
function toolCall(text: string): Fields | undefined {
  const [, name, inside = ''] = /^\[?\s*([a-z]\w*)\(([^()]*)\)\s*\]?$/i.exec(text) ?? [];
  if (name === undefined) return undefined;
  const pairs = [...inside.matchAll(/(\w+)\s*=\s*("[^"]*"|'[^']*'|\[[^\]]*\]|[^,]+)/g)].map(([, key, value]) => [key!, bare(value!)]);
  return { do: name, ...(pairs.length ? (Object.fromEntries(pairs) as Fields) : { target: bare(inside) }) };
}

const bare = (value: string): string => value.trim().replace(/^(["'])([^]*)\1$/, '$2');

/** `<vote>Bob</vote>`, also with elements in it. */
function element(text: string): Fields | undefined {
  const [, name, inside = ''] = /^<([a-z][\w-]*)(?:\s[^<>]*)?>([^]*)<\/\1>$/i.exec(text) ?? [];
  if (name === undefined) return undefined;
  const fields = [...inside.matchAll(/<([a-z][\w-]*)(?:\s[^<>]*)?>([^]*?)<\/\1>/gi)].map(([, key, value]) => [key!, value!.trim()]);
  return fields.length ? (Object.fromEntries(fields) as Fields) : { [name]: inside.trim() };
}

/** The only row of a table. */
function table(text: string): Fields | undefined {
  const rows = text.split('\n').filter((line) => line.trim().startsWith('|'));
  const [names, rule, values, ...more] = rows.map((row) => row.trim().replace(/^\||\|$/g, '').split('|').map((cell) => cell.trim())); // prettier-ignore
  if (!values || more.length || !rule!.every((cell) => /^:?-+:?$/.test(cell))) return undefined;
  return Object.fromEntries(names!.map((name, i) => [name, values[i] ?? '']));
}

/** Lines `name: value` from the first line on; a value may be a list below it. */
function lines(text: string, isField: (name: string) => boolean): Fields | undefined {
  const fields: { [name: string]: string | string[] } = {};
  let last = '';
  for (const line of text.split('\n').filter((each) => each.trim())) {
    const [, name = '', value = ''] = /^[\s>*_]*([a-z]\w*)[*_]*\s*:\s*(?:\*\*|__)?\s*(.*)$/i.exec(line) ?? [];
    const item = /^\s*[-*]\s+(.*)$/.exec(line)?.[1];
    if (name && isField(name)) fields[(last = name)] = value;
    else if (!last) return undefined;
    else if (item === undefined) fields[last] = `${[fields[last]].flat().join(', ')}\n${line.trim()}`;
    else fields[last] = [...[fields[last]!].flat().filter(Boolean), item];
  }
  return last ? fields : undefined;
}
