import { z } from 'zod';
import { meaningOf } from './field-descriptions.ts';

/** The part of JSON Schema (draft 7) that contracts are written in. */
export interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly pattern?: string;
  readonly [keyword: string]: unknown;
}

/**
 * What a sender may write, as JSON Schema, every field with its meaning.
 * @param message the name it goes by in `meanings`: `table.open`, `table.open.reply`, `envelope`
 */
export function jsonSchemaOf(schema: z.ZodType, message: string): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    override: ({ jsonSchema }) => tidy(jsonSchema),
  });
  return explained(json as JsonSchema, message, '');
}

/** Whole numbers are bounded by what JavaScript can count to; nobody has to be told. */
function tidy(json: { minimum?: number; maximum?: number }): void {
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
}

/** Whether a schema says more of itself than its unit. */
export const describes = ({ description = '' }: JsonSchema): boolean => description !== '' && !description.startsWith('Milliseconds');

function explained(json: JsonSchema, message: string, path: string): JsonSchema {
  const meaning = describes(json) ? json.description : [path && meaningOf(message, path), json.description].filter(Boolean).join(' ');
  const below = (name: string) => (path ? `${path}.${name}` : name);
  return {
    ...json,
    ...(meaning ? { description: meaning } : {}),
    ...(json.properties
      ? {
          properties: Object.fromEntries(
            Object.entries(json.properties).map(([name, field]) => [name, explained(field, message, below(name))]),
          ),
        }
      : {}),
    ...(json.items ? { items: explained(json.items, message, `${path}[]`) } : {}),
  };
}

/** One field of an object, with those of the objects within it: `seats[].kind`. */
export interface Field {
  readonly path: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** Every field of an object, its own before those within it. */
export function fieldsOf(schema: JsonSchema, path = ''): readonly Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const at = path ? `${path}.${name}` : name;
    const inner = field.items ?? field;
    return [
      { path: at, schema: field, isRequired: schema.required?.includes(name) ?? false },
      ...fieldsOf(inner, field.items ? `${at}[]` : at),
    ];
  });
}
