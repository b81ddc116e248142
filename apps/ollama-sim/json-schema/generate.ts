import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { type GenerateOptions, generateSync, type JsonSchema } from 'json-schema-faker';
import type { Random } from '../seeded-random.ts';
import { type Guide, narrow } from './narrow.ts';
import { isFields, type Schema, Unmeetable } from './schema.ts';
import { requireBounded } from './size.ts';

/** How often each kind of value is tried. */
const TRIES = 20;
const MAX_VALUES = 20_000;
/** For schemas that refer to themselves: lists as short as allowed, so that recursion ends by chance and not at the library's depth of 5. */
const SHORT_RECURSION: GenerateOptions = { optionalsProbability: 0, maxDefaultItems: 1, maxDepth: 100 };

/**
 * A value that meets the schema, as a model bound to its grammar would write it; the same random gives the same value.
 * @throws Unmeetable when the schema is invalid or too large, or when no value is found
 */
export const generateValue = (schema: Schema, guide: Guide, random: Random): unknown => {
  requireBounded(schema);
  const meets = validatorOf(schema);
  const seed = random.below(2 ** 31);
  const attempts: readonly (readonly [tries: number, schema: Schema, options: GenerateOptions])[] = [
    [2, narrow(schema, guide, random), { optionalsProbability: 0.75 }],
    [TRIES, schema, { optionalsProbability: 0.75 }],
    [TRIES, schema, SHORT_RECURSION],
  ];
  for (const [tries, from, options] of attempts) {
    for (let i = 0; i < tries; i++) {
      const made = attempt(from, { ...options, seed: seed + i });
      if (made && meets(made.value)) return made.value;
    }
  }
  throw new Unmeetable(`nothing meets ${JSON.stringify(schema).slice(0, 200)}`);
};

/** Whether a value meets the schema. @throws Unmeetable when the schema is invalid */
export const meetsSchema = (schema: Schema, value: unknown): boolean => validatorOf(schema)(value);

const attempt = (schema: Schema, options: GenerateOptions): { readonly value: unknown } | undefined => {
  let values = 0;
  const outputTransform = (value: unknown): unknown => {
    if (++values > MAX_VALUES) throw new Unmeetable('the value grows too large');
    return value;
  };
  try {
    const text = JSON.stringify(generateSync(schema as JsonSchema, { ...options, outputTransform }));
    return text === undefined ? undefined : { value: JSON.parse(text) };
  } catch {
    return undefined; // the library throws for what it cannot generate; the client tries another seed
  }
};

const ajv = new Ajv2020({ strict: false, validateFormats: false });
/** Compiling takes milliseconds, and the seats of a table are asked the same. */
const validators = new Map<string, ValidateFunction>();
const MAX_VALIDATORS = 100;

const validatorOf = (schema: Schema): ((value: unknown) => boolean) => {
  const { $schema: _, $id: __, ...own }: Record<string, unknown> = isFields(schema) ? schema : { allOf: [schema] };
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
