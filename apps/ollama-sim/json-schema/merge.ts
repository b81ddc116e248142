import { choicesOf, type Fields, isFields, propertiesOf, requiredOf, type Schema, same, schemaIn, schemasIn } from './schema.ts';
import { schemasFor } from './check.ts';

/** One schema that says what both say, or undefined when no value can meet both by type or by choice. */
export const merge = (a: Fields, b: Fields): Fields | undefined => {
  const merged: Record<string, unknown> = { ...a };
  const leftOver: Fields[] = [];
  for (const [key, value] of Object.entries(b)) {
    if (!Object.hasOwn(a, key)) merged[key] = value;
    else if (Object.hasOwn(TIGHTER, key)) merged[key] = TIGHTER[key]!(a[key], value);
    else if (!HANDLED.has(key) && !same(a[key], value)) leftOver.push({ [key]: value });
  }
  const types = commonTypes(a['type'], b['type']);
  if (types?.length === 0) return undefined;
  if (types !== undefined) merged['type'] = types.length === 1 ? types[0] : types;
  const choices = commonChoices(choicesOf(a), choicesOf(b));
  if (choices?.length === 0) return undefined;
  if (choices !== undefined) {
    delete merged['const'];
    merged['enum'] = choices;
  }
  if (isFields(a['properties']) || isFields(b['properties'])) merged['properties'] = commonProperties(a, b);
  if (Array.isArray(a['prefixItems']) || Array.isArray(b['prefixItems'])) merged['prefixItems'] = commonPrefix(a, b);
  // What has no merged form is kept beside the rest and checked when a value has been made.
  if (leftOver.length > 0) merged['allOf'] = [...schemasIn(merged['allOf']), ...leftOver];
  return merged;
};

type Join = (a: unknown, b: unknown) => unknown;
const larger: Join = (a, b) => Math.max(Number(a), Number(b));
const smaller: Join = (a, b) => Math.min(Number(a), Number(b));
const both: Join = (a, b) => ({ allOf: [a, b] });

const TIGHTER: Readonly<Record<string, Join>> = {
  minimum: larger,
  exclusiveMinimum: larger,
  minLength: larger,
  minItems: larger,
  minProperties: larger,
  maximum: smaller,
  exclusiveMaximum: smaller,
  maxLength: smaller,
  maxItems: smaller,
  maxProperties: smaller,
  items: both,
  additionalProperties: both,
  propertyNames: both,
  contains: both,
  allOf: (a, b) => [...schemasIn(a), ...schemasIn(b)],
  required: (a, b) => [...new Set([...requiredOf({ required: a }), ...requiredOf({ required: b })])],
  uniqueItems: (a, b) => a === true || b === true,
  multipleOf: (a, b) => commonStep(Number(a), Number(b)),
  patternProperties: (a, b) => commonPatterns(a, b),
};
const HANDLED: ReadonlySet<string> = new Set([
  'type',
  'enum',
  'const',
  'properties',
  'prefixItems',
  'title',
  'description',
  'default',
  'examples',
  '$defs',
  'definitions',
  '$schema',
  '$id',
]);

const commonTypes = (a: unknown, b: unknown): readonly unknown[] | undefined => {
  if (a === undefined || b === undefined) return undefined;
  const left: unknown[] = Array.isArray(a) ? a : [a];
  const right: unknown[] = Array.isArray(b) ? b : [b];
  return [...new Set([...narrow(left, right), ...narrow(right, left)])];
};

const narrow = (list: readonly unknown[], other: readonly unknown[]): unknown[] =>
  list.filter((type) => other.includes(type) || (type === 'integer' && other.includes('number')));

const commonChoices = (a: readonly unknown[] | undefined, b: readonly unknown[] | undefined): readonly unknown[] | undefined =>
  a === undefined || b === undefined ? (a ?? b) : a.filter((value) => b.some((other) => same(value, other)));

const commonProperties = (a: Fields, b: Fields): Fields => {
  const names = new Set([...propertiesOf(a).keys(), ...propertiesOf(b).keys()]);
  return Object.fromEntries([...names].map((name) => [name, all([...schemasFor(a, name), ...schemasFor(b, name)])]));
};

const commonPrefix = (a: Fields, b: Fields): readonly Schema[] => {
  const [left, right] = [schemasIn(a['prefixItems']), schemasIn(b['prefixItems'])];
  const length = Math.max(left.length, right.length);
  return Array.from({ length }, (_, at) => all([left[at] ?? schemaIn(a['items']), right[at] ?? schemaIn(b['items'])]));
};

const commonPatterns = (a: unknown, b: unknown): unknown => {
  if (!isFields(a) || !isFields(b)) return isFields(a) ? a : b;
  const patterns = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries([...patterns].map((pattern) => [pattern, all([schemaIn(a[pattern]), schemaIn(b[pattern])])]));
};

const commonStep = (a: number, b: number): number => {
  for (let times = 1; times <= 1000; times++) if (Number.isInteger((a * times) / b)) return a * times;
  return a * b;
};

/** One schema for several that must all be met. */
export const all = (schemas: readonly Schema[]): Schema => {
  const telling = schemas.filter((schema) => schema !== true);
  return telling.length > 1 ? { allOf: telling } : (telling[0] ?? true);
};
