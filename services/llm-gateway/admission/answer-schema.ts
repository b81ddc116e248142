import { createContext, Script } from 'node:vm';
import { Refusal } from '@maw/contracts/refusal.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { sanitizeText } from '../sanitize-text.ts';

export type Format = 'json' | { readonly [keyword: string]: unknown };

/** What is wrong with an answer, or undefined when nothing is. */
export type Check = (content: string) => string | undefined;

const LONGEST = 60_000;
const DEEPEST = 24;
const MOST_UNIQUE = 1_000;
/** So many schemas within one: each costs a tenth of a millisecond to compile. */
const MOST_WITHIN = 300;
/** Characters of the schema times characters of the answer: what is below is checked within some ten milliseconds, whatever it says. */
const QUICK = 3_000_000;
/** How long the check of an answer may take. */
const CHECK_MS = 250;

/**
 * Keywords that let a schema of a few lines keep the checker busy for ever, reach out of itself, or (`$async`) turn the verdict into a promise,
 * which passes everything.
 */
const NOT_TAKEN = new Set(['$ref', '$dynamicRef', '$recursiveRef', '$id', '$schema', '$async', 'pattern', 'patternProperties']);
/** Keywords whose values are plain data, and those that hold schemas by names of the writer’s choice. */
const DATA = new Set(['const', 'enum', 'default', 'examples', 'required', 'dependentRequired']);
const BY_NAME = new Set(['properties', '$defs', 'definitions', 'dependentSchemas']);

/**
 * Compiles what an answer must be, and remembers the `most` last used. Schemas come from others: their size, depth and keywords are bounded.
 * A schema of zod’s `toJSONSchema` (draft 2020-12) without regular expressions and recursion is taken as it is.
 */
export function checks(most = 200): (format: Format) => Check {
  const compiled = new Map<string, Check>();
  const judge = new Ajv2020({ strict: false, logger: false, validateFormats: false });

  /** @throws Refusal unreadable */
  function compile(schema: object, length: number): Check {
    try {
      if (judge.validateSchema(schema) !== true) throw new Error(judge.errorsText(judge.errors));
      // An instance of ajv remembers everything it has ever compiled, so each schema gets its own.
      return checkOf(new Ajv2020({ ...CHECKING }).compile(schema), length);
    } catch (error) {
      throw unreadable(sanitizeText((error as Error).message, 300), 'unusable');
    }
  }

  return (format) => {
    if (format === 'json') return isObject;
    const { $schema: _, ...schema } = format;
    mustBeHarmless(schema, { within: 0 }, 0); // before anything that goes down into it
    const text = JSON.stringify(schema);
    if (text.length > LONGEST) throw unreadable(`it has ${text.length} characters; at most ${LONGEST}`, 'too_large');
    const check = compiled.get(text) ?? compile(schema, text.length);
    compiled.delete(text);
    compiled.set(text, check);
    if (compiled.size > most) compiled.delete(compiled.keys().next().value!);
    return check;
  };
}

const CHECKING = {
  strict: false,
  logger: false,
  validateFormats: false,
  validateSchema: false,
  meta: false,
  ownProperties: true, // every object has inherited a `constructor`, and no answer has one
  code: { optimize: false }, // which takes ten times as long as it saves
} as const;

const checkOf =
  (validate: ValidateFunction, length: number): Check =>
  (content) => {
    const value = parsed(content);
    if (value === undefined) return wrong('not JSON', 'not_json');
    const isRight = length * content.length < QUICK ? validate(value) : within(CHECK_MS, () => validate(value));
    if (isRight === true) return undefined;
    if (isRight === undefined) return wrong('it cannot be checked in time: it is too long for so large a schema', 'unchecked');
    const [first] = validate.errors ?? [];
    return wrong(sanitizeText(`${first?.instancePath || 'it'} ${first?.message ?? 'does not meet the schema'}`, 300), 'wrong_shape');
  };

const CODE = new Script('work()');

/** What `work` returns, unless it takes longer than so many milliseconds: undefined, and it was ended. Costs half a millisecond by itself. */
function within<T>(ms: number, work: () => T): T | undefined {
  try {
    return CODE.runInContext(createContext({ work }), { timeout: ms }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  }
}

const isObject: Check = (content) => {
  const value = parsed(content);
  if (value === undefined) return wrong('not JSON', 'not_json');
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : wrong('not an object', 'wrong_shape');
};

function parsed(content: string): unknown {
  try {
    return JSON.parse(content) as unknown;
  } catch {
    return undefined;
  }
}

/** @param count of the schemas within it so far */
function mustBeHarmless(schema: unknown, count: { within: number }, depth: number): void {
  mustBeShallow(depth);
  if (typeof schema !== 'object' || schema === null) return;
  if (Array.isArray(schema)) {
    for (const one of schema) mustBeHarmless(one, count, depth + 1);
    return;
  }
  if (++count.within > MOST_WITHIN) throw unreadable(`it is made of more than ${MOST_WITHIN} schemas`, 'too_large');
  const { uniqueItems, maxItems } = schema as { uniqueItems?: unknown; maxItems?: unknown };
  if (uniqueItems && !(typeof maxItems === 'number' && maxItems <= MOST_UNIQUE))
    throw unreadable(`uniqueItems needs a maxItems of at most ${MOST_UNIQUE} beside it`, 'hostile');
  for (const [keyword, value] of Object.entries(schema)) {
    if (NOT_TAKEN.has(keyword)) throw unreadable(`${keyword} is not taken here: write the shape out`, 'hostile');
    if (DATA.has(keyword)) mustBePlain(value, depth + 1);
    else if (BY_NAME.has(keyword) && typeof value === 'object' && value !== null) {
      for (const one of Object.values(value)) mustBeHarmless(one, count, depth + 1);
    } else mustBeHarmless(value, count, depth + 1);
  }
}

/** Data says nothing, but whoever goes down into it must come back. */
function mustBePlain(data: unknown, depth: number): void {
  mustBeShallow(depth);
  if (typeof data === 'object' && data !== null) for (const one of Object.values(data)) mustBePlain(one, depth + 1);
}

function mustBeShallow(depth: number): void {
  if (depth > DEEPEST) throw unreadable(`it is nested deeper than ${DEEPEST}`, 'too_large');
}

/** What `/metrics` tells apart: an answer that fails, or a schema that is refused. */
type Failure = 'not_json' | 'wrong_shape' | 'unchecked' | 'hostile' | 'too_large' | 'unusable';

function unreadable(why: string, kind: Failure): Refusal {
  metrics.schemaFailures.inc({ kind });
  return new Refusal('unreadable', `the schema in format cannot be used: ${why}`);
}

function wrong(what: string, kind: Failure): string {
  metrics.schemaFailures.inc({ kind });
  return what;
}
