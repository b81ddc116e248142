import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { type GenerateOptions, generateSync, type JsonSchema } from 'json-schema-faker';
import type { Random } from '../seeded-random.ts';
import { sentence } from './sentence.ts';

/** A JSON Schema as a client sent it: unchecked. */
export type Schema = boolean | Readonly<Record<string, unknown>>;

/** The schema is invalid or too large, or no value was found that meets it. */
export class Unmeetable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Unmeetable';
  }
}

const MAX_VALUES = 20_000;
const MAX_CHARS = 100_000;
/** How often each way is tried. */
const TRIES = 20;
const READABLE: GenerateOptions = { optionalsProbability: 0.75, useExamplesValue: true };
/** For schemas that refer to themselves: lists as short as allowed, so that recursion ends by chance and not at the library's depth of 5. */
const SHORT: GenerateOptions = { optionalsProbability: 0, maxDefaultItems: 1, maxDepth: 100 };

/**
 * A value that meets the schema, as a model bound to its grammar would write it: choices by chance, free texts a made-up sentence. The
 * same random gives the same value.
 * @throws Unmeetable when the schema is invalid or too large, or when no value is found
 */
export const generateValue = (schema: Schema, random: Random): unknown => {
  requireShort(schema);
  const meets = validatorOf(schema);
  const seed = random.below(2 ** 31);
  for (const [options, hasSentences] of [
    [READABLE, true],
    [READABLE, false],
    [SHORT, false],
  ] as const) {
    for (let i = 0; i < TRIES; i++) {
      const made = attempt(schema, { ...options, seed: seed + i }, hasSentences ? random : undefined, meets);
      if (made) return made.value;
    }
  }
  throw new Unmeetable(`nothing meets ${JSON.stringify(schema).slice(0, 200)}`);
};

/** Whether a value meets the schema. @throws Unmeetable when the schema is invalid */
export const meetsSchema = (schema: Schema, value: unknown): boolean => validatorOf(schema)(value);

/** @param random writes the free texts; undefined: the library does */
const attempt = (
  schema: Schema,
  options: GenerateOptions,
  random: Random | undefined,
  meets: (value: unknown) => boolean,
): { readonly value: unknown } | undefined => {
  let values = 0;
  const outputTransform = (value: unknown, of: JsonSchema): unknown => {
    if (++values > MAX_VALUES) throw new Unmeetable('the value grows too large');
    return random && typeof value === 'string' && isFreeText(of, value) ? sentence(random, of.minLength, of.maxLength) : value;
  };
  try {
    const text = JSON.stringify(generateSync(schema as JsonSchema, { ...options, outputTransform }));
    const value: unknown = text === undefined ? undefined : JSON.parse(text);
    return text !== undefined && meets(value) ? { value } : undefined;
  } catch {
    return undefined; // the library throws for what it cannot generate; another seed may do
  }
};

const isFreeText = (schema: JsonSchema, value: string): schema is Exclude<JsonSchema, boolean> =>
  typeof schema === 'object' &&
  ![schema.enum, schema.const, schema.pattern, schema.format].some((each) => each !== undefined) &&
  !(Array.isArray(schema['examples']) && schema['examples'].includes(value));

/** Refuses what the library would write before it can be stopped. @throws Unmeetable */
const requireShort = (schema: Schema): void => {
  const text = JSON.stringify(schema, (key, value: unknown) => {
    if (key === 'minLength' && Number(value) > MAX_CHARS) throw new Unmeetable(`minLength is above ${MAX_CHARS}`);
    if (key === 'pattern' && /\{\d*,?\d{5,}/.test(String(value))) throw new Unmeetable('the pattern repeats too often');
    return value;
  });
  if (text.length > MAX_CHARS) throw new Unmeetable('the schema is too large');
};

const ajv = new Ajv2020({ strict: false, validateFormats: false });
/** Compiling takes milliseconds, and the seats of a table are asked the same. */
const validators = new Map<string, ValidateFunction>();
const MAX_VALIDATORS = 100;

const validatorOf = (schema: Schema): ((value: unknown) => boolean) => {
  const { $schema: _, $id: __, ...own }: Record<string, unknown> = typeof schema === 'object' ? schema : { allOf: [schema] };
  const key = JSON.stringify(own);
  let validate = validators.get(key);
  if (!validate) {
    try {
      validate = ajv.compile(own);
    } catch (error) {
      throw new Unmeetable((error as Error).message);
    } finally {
      ajv.removeSchema(own);
    }
    validators.set(key, validate);
    if (validators.size > MAX_VALIDATORS) validators.delete(validators.keys().next().value!);
  }
  return validate;
};
