import { canonicalJson } from './hash-chain.ts';

/** Something of a table that is not as it should be. */
export interface Fault {
  /** Where: `event 5`, `row`, `room round-1/day-1/Village, line 3`. */
  readonly place: string;
  /** What of it. */
  readonly wrong:
    'row' | 'sequence' | 'chain' | 'head' | 'last' | 'noted' | 'fold' | 'opened' | 'summary' | 'over' | 'result' | 'wake' | 'room' | 'line';
  readonly expected: string;
  readonly found: string;
}

/** The fault that two values are not the same JSON, shown where they first differ; none when they are. Undefined is no value. */
export function diffFaults(place: string, wrong: Fault['wrong'], expected: unknown, found: unknown): readonly Fault[] {
  if (said(expected) === said(found)) return [];
  const [path, one, other] = firstDifference(expected, found, '');
  const at = path && `${path.slice(1)} `;
  return [{ place, wrong, expected: at + said(one), found: at + said(other) }];
}

const said = (value: unknown): string => (value === undefined ? 'none' : canonicalJson(value));

function firstDifference(one: unknown, other: unknown, path: string): readonly [path: string, one: unknown, other: unknown] {
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return [path, one, other];
  const key = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort().find((each) => said(one[each]) !== said(other[each]));
  return key === undefined ? [path, one, other] : firstDifference(one[key], other[key], `${path}.${key}`);
}

const isObject = (value: unknown): value is { readonly [key: string]: unknown } => typeof value === 'object' && value !== null;
