import { createContext, Script } from 'node:vm';
import { LRUCache } from 'lru-cache';
import { Refusal } from '@maw/contracts/refusal.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { AnswerCheck } from '../request.ts';
import { logText } from '@maw/text/sanitize-text.ts';

type Schema = { readonly [keyword: string]: unknown };
type Format = 'json' | Schema;

/** Characters of a schema. */
const MAX_LENGTH = 60_000;
const MAX_DEPTH = 24;
const MAX_UNIQUE_ITEMS = 1_000;
/** Each schema within a schema takes a tenth of a millisecond to compile. */
const MAX_SUBSCHEMAS = 300;
/** Characters of the schema times characters of the answer: below this any check takes at most some ten milliseconds. */
const FAST_PRODUCT = 3_000_000;
const CHECK_TIMEOUT_MS = 250;
const MAX_COMPILED = 200;

/**
 * Keywords with which a short schema could keep the validator busy for ever, reach out of itself, or (`$async`) turn the verdict into a promise, which
 * passes everything.
 */
const FORBIDDEN = new Set(['$ref', '$dynamicRef', '$recursiveRef', '$id', '$schema', '$async', 'patternProperties']);
/** Keywords whose values are data, and keywords whose values are schemas by name. */
const DATA_KEYWORDS = new Set(['const', 'enum', 'default', 'examples', 'required', 'dependentRequired']);
const NAMED_SCHEMAS = new Set(['properties', '$defs', 'definitions', 'dependentSchemas']);
/** Keywords that say nothing of what is valid. */
const ANNOTATIONS = new Set(['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly', '$comment']);

const META_OPTIONS = { strict: false, logger: false, validateFormats: false } as const;
const CHECK_OPTIONS = {
  ...META_OPTIONS,
  validateSchema: false,
  meta: false,
  ownProperties: true, // every object inherits a `constructor`
  code: { optimize: false }, // optimising takes ten times as long as it saves
} as const;

/**
 * Compiles schemas into checks of answers, and caches those last used. Schemas come from callers, so their size, depth and keywords are bounded.
 * Those of zod's `toJSONSchema` (draft 2020-12) are accepted, unless they use references, which `resolveReferences` writes out.
 */
export function schemaCompiler(): (format: Format) => AnswerCheck {
  const compiled = new LRUCache<string, AnswerCheck>({ max: MAX_COMPILED });
  const metaSchema = new Ajv2020(META_OPTIONS);

  /** @throws Refusal unreadable */
  function compile(schema: object, length: number, hasPattern: boolean): AnswerCheck {
    try {
      if (metaSchema.validateSchema(schema) !== true) throw new Error(metaSchema.errorsText(metaSchema.errors));
      // An ajv instance keeps everything it has compiled, so each schema gets its own.
      return checkWith(new Ajv2020(CHECK_OPTIONS).compile(schema), length, hasPattern);
    } catch (error) {
      throw unusable(logText((error as Error).message, 300), 'unusable');
    }
  }

  return (format) => {
    if (format === 'json') return checkObject;
    const { $schema: _, ...schema } = format;
    assertHarmless(schema, { subschemas: 0 }, 0); // before anything else walks it
    const text = JSON.stringify(schema);
    if (text.length > MAX_LENGTH) throw unusable(`it has ${text.length} characters; at most ${MAX_LENGTH} are allowed`, 'too_large');
    let check = compiled.get(text);
    if (!check) compiled.set(text, (check = compile(schema, text.length, text.includes('"pattern"'))));
    return check;
  };
}

/** @param hasPattern a regular expression may take any time, however short it is */
const checkWith =
  (validate: ValidateFunction, schemaLength: number, hasPattern: boolean): AnswerCheck =>
  (content) => {
    const value = parse(content);
    if (value === undefined) return invalid('not JSON', 'not_json');
    const isFast = !hasPattern && schemaLength * content.length < FAST_PRODUCT;
    const isValid = isFast ? validate(value) : runWithTimeout(CHECK_TIMEOUT_MS, () => validate(value));
    if (isValid === true) return undefined;
    if (isValid === undefined) return invalid('it cannot be checked in time: it is too long, or the schema too large', 'unchecked');
    const [first] = validate.errors ?? [];
    return invalid(logText(`${first?.instancePath || 'it'} ${first?.message ?? 'does not match the schema'}`, 300), 'wrong_shape');
  };

const SCRIPT = new Script('work()');

/** Runs synchronous work, which is killed after `ms`; undefined then. Costs half a millisecond by itself. */
function runWithTimeout<T>(ms: number, work: () => T): T | undefined {
  try {
    return SCRIPT.runInContext(createContext({ work }), { timeout: ms }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  }
}

const checkObject: AnswerCheck = (content) => {
  const value = parse(content);
  if (value === undefined) return invalid('not JSON', 'not_json');
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : invalid('not an object', 'wrong_shape');
};

function parse(content: string): unknown {
  try {
    return JSON.parse(content) as unknown;
  } catch {
    return undefined;
  }
}

/** @throws Refusal unreadable */
function assertHarmless(schema: unknown, count: { subschemas: number }, depth: number): void {
  assertShallow(depth);
  if (typeof schema !== 'object' || schema === null) return;
  if (Array.isArray(schema)) {
    for (const one of schema) assertHarmless(one, count, depth + 1);
    return;
  }
  countSubschema(count);
  const { uniqueItems, maxItems } = schema as { uniqueItems?: unknown; maxItems?: unknown };
  if (uniqueItems && !(typeof maxItems === 'number' && maxItems <= MAX_UNIQUE_ITEMS))
    throw unusable(`uniqueItems needs a maxItems of at most ${MAX_UNIQUE_ITEMS}`, 'hostile');
  for (const [keyword, value] of Object.entries(schema)) {
    if (FORBIDDEN.has(keyword)) throw unusable(`${keyword} is not supported: write the schema out`, 'hostile');
    if (DATA_KEYWORDS.has(keyword)) assertShallowData(value, depth + 1);
    else if (NAMED_SCHEMAS.has(keyword) && typeof value === 'object' && value !== null) {
      for (const one of Object.values(value)) assertHarmless(one, count, depth + 1);
    } else assertHarmless(value, count, depth + 1);
  }
}

/** @throws Refusal unreadable */
function countSubschema(count: { subschemas: number }): void {
  if (++count.subschemas > MAX_SUBSCHEMAS) throw unusable(`it has more than ${MAX_SUBSCHEMAS} subschemas`, 'too_large');
}

/**
 * A schema whose references to parts of itself (`#/$defs/Vote`, as every nested model of Pydantic has them) are written out: not every model server
 * follows them. The bounds on size and depth hold for the result.
 * @throws Refusal unreadable when it is too large, or a reference leads elsewhere, to nothing or back into itself
 */
export function resolveReferences({ $defs, definitions, ...schema }: Schema): Schema {
  const root = { ...schema, $defs, definitions };
  const count = { subschemas: 0 };

  /** @param open the references that are being written out */
  function resolve(value: unknown, depth: number, open: readonly string[]): unknown {
    assertShallow(depth);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((one) => resolve(one, depth + 1, open));
    countSubschema(count);
    const { $ref, ...rest } = value as Schema;
    const within = (inner: unknown): unknown => resolve(inner, depth + 1, open);
    const own = mapValues(rest, (inner, keyword) => {
      if (DATA_KEYWORDS.has(keyword)) return inner;
      return NAMED_SCHEMAS.has(keyword) && isPlainObject(inner) ? mapValues(inner, within) : within(inner);
    });
    if (typeof $ref !== 'string') return $ref === undefined ? own : { ...own, $ref };
    const shown = logText($ref, 100);
    if (open.includes($ref)) throw unusable(`${shown} refers to itself; write it out as deep as it is needed`, 'hostile');
    const target = resolve(partAt(root, $ref), depth, [...open, $ref]);
    if (!isPlainObject(target)) throw unusable(`${shown} is no schema of its own`, 'unusable');
    return Object.keys(own).every((keyword) => ANNOTATIONS.has(keyword)) ? { ...target, ...own } : { allOf: [target, own] };
  }

  return resolve(schema, 0, ['#']) as Schema;
}

/** What a JSON pointer in a fragment leads to; undefined: nothing. */
const partAt = (root: unknown, reference: string): unknown =>
  reference.startsWith('#/')
    ? reference
        .slice(2)
        .split('/')
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
        .reduce((part, step) => (isPlainObject(part) && Object.hasOwn(part, step) ? part[step] : undefined), root)
    : undefined;

const isPlainObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value);

const mapValues = (object: Schema, change: (value: unknown, name: string) => unknown): Schema =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));

function assertShallowData(data: unknown, depth: number): void {
  assertShallow(depth);
  if (typeof data === 'object' && data !== null) for (const one of Object.values(data)) assertShallowData(one, depth + 1);
}

function assertShallow(depth: number): void {
  if (depth > MAX_DEPTH) throw unusable(`it is nested deeper than ${MAX_DEPTH}`, 'too_large');
}

/** The `kind` label of the metric: of answers that fail, and of schemas that are refused. */
export const FAILURE_KINDS = ['not_json', 'wrong_shape', 'unchecked', 'hostile', 'too_large', 'unusable'] as const;
type FailureKind = (typeof FAILURE_KINDS)[number];

function unusable(why: string, kind: FailureKind): Refusal {
  metrics.schemaFailures.inc({ kind });
  return new Refusal('unreadable', `the schema in format cannot be used: ${why}`);
}

function invalid(problem: string, kind: FailureKind): string {
  metrics.schemaFailures.inc({ kind });
  return problem;
}
