import { Refusal } from '@maw/games/refusal.ts';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { plain } from './plain.ts';

export type Format = 'json' | { readonly [keyword: string]: unknown };

/** What is wrong with an answer, or undefined when nothing is. */
export type Check = (content: string) => string | undefined;

const LONGEST = 60_000;
const DEEPEST = 24;
const MOST_UNIQUE = 1_000;

/** Keywords that let a schema of a few lines keep the checker busy for ever, or reach out of itself. */
const NOT_TAKEN = new Set(['$ref', '$dynamicRef', '$recursiveRef', '$id', '$schema', 'pattern', 'patternProperties']);
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
  function compile(schema: object): Check {
    mustBeHarmless(schema, 0);
    try {
      if (judge.validateSchema(schema) !== true) throw new Error(judge.errorsText(judge.errors));
      // An instance of ajv remembers everything it has ever compiled, so each schema gets its own.
      return checkOf(new Ajv2020({ ...CHECKING }).compile(schema));
    } catch (error) {
      throw unreadable(plain((error as Error).message, 300));
    }
  }

  return (format) => {
    if (format === 'json') return isObject;
    const { $schema: _, ...schema } = format;
    const text = JSON.stringify(schema);
    if (text.length > LONGEST) throw unreadable(`it has ${text.length} characters; at most ${LONGEST}`);
    const check = compiled.get(text) ?? compile(schema);
    compiled.delete(text);
    compiled.set(text, check);
    if (compiled.size > most) compiled.delete(compiled.keys().next().value!);
    return check;
  };
}

const CHECKING = { strict: false, logger: false, validateFormats: false, validateSchema: false, meta: false } as const;

const checkOf =
  (validate: ValidateFunction): Check =>
  (content) => {
    const value = parsed(content);
    if (value === undefined) return 'not JSON';
    if (validate(value)) return undefined;
    const [first] = validate.errors ?? [];
    return plain(`${first?.instancePath || 'it'} ${first?.message ?? 'does not meet the schema'}`, 300);
  };

const isObject: Check = (content) => {
  const value = parsed(content);
  if (value === undefined) return 'not JSON';
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'not an object';
};

function parsed(content: string): unknown {
  try {
    return JSON.parse(content) as unknown;
  } catch {
    return undefined;
  }
}

function mustBeHarmless(schema: unknown, depth: number): void {
  if (depth > DEEPEST) throw unreadable(`it is nested deeper than ${DEEPEST}`);
  if (typeof schema !== 'object' || schema === null) return;
  if (Array.isArray(schema)) {
    for (const one of schema) mustBeHarmless(one, depth + 1);
    return;
  }
  const { uniqueItems, maxItems } = schema as { uniqueItems?: unknown; maxItems?: unknown };
  if (uniqueItems && !(typeof maxItems === 'number' && maxItems <= MOST_UNIQUE))
    throw unreadable(`uniqueItems needs a maxItems of at most ${MOST_UNIQUE} beside it`);
  for (const [keyword, value] of Object.entries(schema)) {
    if (NOT_TAKEN.has(keyword)) throw unreadable(`${keyword} is not taken here: write the shape out`);
    if (DATA.has(keyword)) continue;
    if (BY_NAME.has(keyword) && typeof value === 'object' && value !== null) {
      for (const one of Object.values(value)) mustBeHarmless(one, depth + 1);
    } else mustBeHarmless(value, depth + 1);
  }
}

const unreadable = (why: string): Refusal => new Refusal('unreadable', `the schema in format cannot be used: ${why}`);
