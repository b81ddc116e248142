import { canonicalJson } from './hash-chain.ts';

/** One integrity violation in the stored data of a table. */
export interface Fault {
  /** Where: `event 5`, `row`, `room round-1/day-1/Village, line 3`. */
  readonly place: string;
  /** The kind of violation. */
  readonly wrong:
    'row' | 'sequence' | 'chain' | 'head' | 'last' | 'noted' | 'fold' | 'opened' | 'summary' | 'over' | 'result' | 'wake' | 'room' | 'line';
  readonly expected: string;
  readonly found: string;
}

/** One fault when two values are not the same JSON, showing where they first differ; otherwise none. */
export function diffFaults(place: string, wrong: Fault['wrong'], expected: unknown, found: unknown): readonly Fault[] {
  if (textOf(expected) === textOf(found)) return [];
  const [path, one, other] = firstDifference(expected, found, '');
  const at = path && `${path.slice(1)} `;
  return [{ place, wrong, expected: at + textOf(one), found: at + textOf(other) }];
}

const textOf = (value: unknown): string => (value === undefined ? 'none' : canonicalJson(value));

function firstDifference(one: unknown, other: unknown, path: string): readonly [path: string, one: unknown, other: unknown] {
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return [path, one, other];
  const key = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort().find((each) => textOf(one[each]) !== textOf(other[each]));
  return key === undefined ? [path, one, other] : firstDifference(one[key], other[key], `${path}.${key}`);
}

const isObject = (value: unknown): value is { readonly [key: string]: unknown } => typeof value === 'object' && value !== null;
