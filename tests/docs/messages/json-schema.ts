import { z } from 'zod';
import { descriptionOf } from './field-descriptions.ts';

/** The part of JSON Schema (draft 7) that contracts use. */
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
 * The JSON Schema for senders, with a description of every field.
 * @param message its name in `fieldDescriptions`: `table.open`, `table.open.reply`, `envelope`
 */
export function jsonSchemaOf(schema: z.ZodType, message: string): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    override: ({ jsonSchema }) => tidy(jsonSchema),
  });
  return described(json as JsonSchema, message, '');
}

/** Removes the bounds of safe integers, which every integer has. */
function tidy(json: { minimum?: number; maximum?: number }): void {
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
}

/** Whether a schema has a description that is more than a unit. */
export const isDescribed = ({ description = '' }: JsonSchema): boolean => description !== '' && !description.startsWith('Milliseconds');

function described(json: JsonSchema, message: string, path: string): JsonSchema {
  const description = isDescribed(json)
    ? json.description
    : [path && descriptionOf(message, path), json.description].filter(Boolean).join(' ');
  const below = (name: string) => (path ? `${path}.${name}` : name);
  return {
    ...json,
    ...(description ? { description } : {}),
    ...(json.properties
      ? {
          properties: Object.fromEntries(
            Object.entries(json.properties).map(([name, field]) => [name, described(field, message, below(name))]),
          ),
        }
      : {}),
    ...(json.items ? { items: described(json.items, message, `${path}[]`) } : {}),
  };
}

/** One field of an object, nested ones included: `seats[].kind`. */
export interface Field {
  readonly path: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** All fields of an object, each before its nested ones. */
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
