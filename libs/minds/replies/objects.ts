import { jsonrepair } from 'jsonrepair';
import { isMap, type Node, parseDocument, type Scalar } from 'yaml';
import { openYaml } from '@maw/recipes/yaml-file.ts';
import { withoutFence } from './reply-text.ts';

/** Stands at the end of a value that broke off. */
export const CUT = '\ue000';

/** What nests deeper is no reply; a parser would use up its stack. */
const MAX_DEPTH = 40;
/** How many characters are tried as JSON before a reply counts as prose: what is full of brackets would be tried at each of them. */
const MAX_TRIED = 30_000;
/** What has more objects has no answer. */
const MAX_OBJECTS = 50;

/** The fields of a reply. */
export interface Fields {
  readonly [name: string]: unknown;
}

/**
 * The objects of a reply, in JSON or what passes for it, in XML, in lines `name: value`, in a table, or in a call of a tool. Of several objects only
 * the one that the reply itself calls final, or corrected, if there is one. One that is only an example, or what not to send, has no fields.
 * @param isField whether lines may begin with this name and a colon
 */
export function objectsIn(text: string, isField: (name: string) => boolean): readonly unknown[] {
  const plain = withoutFence(text);
  const found = jsonIn(plain);
  if (found.length) {
    const final = found.findLast(({ from }, i) => i > 0 && FINAL.test(plain.slice(found[i - 1]!.to, from)));
    const meant = (final ? [final] : found).filter(({ from }) => !MENTIONED.test(plain.slice(0, from).slice(-MAX_BEFORE)));
    return meant.length ? meant.flatMap(({ values }) => values.flatMap(unwrap)) : [{}];
  }
  const one = encoded(plain) ?? toolCall(plain) ?? element(plain) ?? table(plain) ?? lines(plain, isField);
  return one === undefined ? [] : unwrap(one);
}

const FINAL = /\b(?:final(?:ly)?|correct(?:ed|ion)|revised|instead|actually)\b/i;

/** Before an object that is no answer: "Do not send", "For example". */
const MENTIONED = /\b(?:(?:do not|don['’]?t|never|avoid|instead of)\b[^.!?\n{}]*|(?:for example|for instance|e\.g\.|such as)[^.!?\n{}]{0,40})\s*(?:(?:```|~~~)\w*\s*)?$/i; // prettier-ignore
const MAX_BEFORE = 200;

interface Found {
  /** The object; both readings of one that gives a field twice. */
  readonly values: readonly unknown[];
  readonly from: number;
  readonly to: number;
}

/** All objects, and arrays of objects; an array of anything else only where it is the whole text. */
function jsonIn(given: string): readonly Found[] {
  const text = given.includes('{') ? given : given.replace(/[｛｝：，]/g, (mark) => '{}:,'['｛｝：，'.indexOf(mark)]!);
  const found: Found[] = [];
  let tried = 0;
  for (let from = text.search(/[{[]/); from >= 0;) {
    const span = spanOf(text, from);
    tried += Math.max(MAX_DEPTH, span ? Math.min(span.to, text.length) - from : 0);
    if (tried > MAX_TRIED || found.length > MAX_OBJECTS) return [];
    const value = span && parse(span.json);
    const isWanted = Array.isArray(value) ? value.some(isObject) || span!.json.length >= text.length : isObject(value);
    if (isWanted) found.push({ values: bothReadings(span!.json, value), from, to: span!.to });
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
    if (sign === '{' || sign === '[') {
      if (open.push(CLOSERS[sign]!) > MAX_DEPTH) return undefined;
    } else if (sign === open.at(-1)) open.pop();
    else if (sign === '}' || sign === ']') return undefined;
    else if (CLOSERS[sign] && (before === '' || '{[,:/}]"”'.includes(before) || sign !== "'")) {
      const end = stringEnd(text, i, CLOSERS[sign]!);
      if (end === undefined) return closed(text.slice(from), `${CUT}${CLOSERS[sign]!}`, open, text.slice(from, i));
      i = end;
    }
    before = text[i]!;
    if (!open.length) return { json: text.slice(from, i + 1), to: i + 1 };
  }
  const rest = text.slice(from).trimEnd().replace(/(?:```|~~~)$/, '').trimEnd(); // prettier-ignore
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
  const json = [rest + mark + ends, without.replace(/(?<![\s,])[\s,]+$/, '') + ends].find((each) => parse(each) !== undefined);
  return { json: json ?? '', to: Infinity };
}

function parse(json: string): unknown {
  if (isTooDeep(json)) return undefined;
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

/** An object as it is with the first and with the last of fields that it gives twice: a parser takes the last. */
function bothReadings(json: string, last: unknown): readonly unknown[] {
  if (!isObject(last) || !/"(\w+)"\s*:[^]*"\1"\s*:/.test(json)) return [last];
  const { contents } = parseDocument<Node>(json, { uniqueKeys: false });
  if (!isMap<Scalar, Node>(contents)) return [last];
  const fields = contents.items.map(({ key, value }) => [String(key.value), value?.toJSON() as unknown] as const);
  return [Object.fromEntries(fields.toReversed()), last];
}

/** By brackets alone, also those within strings. */
function isTooDeep(json: string): boolean {
  let depth = 0;
  for (const sign of json) {
    if (sign === '{' || sign === '[') depth++;
    else if (sign === '}' || sign === ']') depth--;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
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

/** The longest reply that is tried as YAML. */
const MAX_YAML = 4_000;

/** Lines `name: value`, as YAML has them; the first is a field. */
function lines(text: string, isField: (name: string) => boolean): Fields | undefined {
  if (text.length > MAX_YAML || !isField(text.slice(0, Math.max(0, text.indexOf(':'))))) return undefined;
  try {
    const { value } = openYaml('reply', text.replace(/\*\*|__/g, ''));
    return isObject(value) && isField(Object.keys(value)[0] ?? '') ? value : undefined;
  } catch {
    return undefined;
  }
}
