import { schemaOf } from '@maw/minds/prompts/json-schema.ts';
import { recipeFileShape } from '@maw/recipes/recipe-file.ts';
import type { StepKind } from '@maw/minds/recipe/step-kind.ts';

interface Schema {
  readonly [keyword: string]: unknown;
}

/** The JSON schema of recipe files, for editors. */
export function recipeSchema(kinds: readonly StepKind[]): Schema {
  const file = schemaOf(recipeFileShape, 'input') as { readonly properties: { readonly [field: string]: Schema } };
  const entries = { type: 'array', items: { $ref: '#/$defs/step' } };
  const { steps, after } = file.properties;
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A recipe: how a mind of Multi-Agent Werewolf thinks',
    ...file,
    properties: { ...file.properties, steps: { ...entries, ...describedAs(steps) }, after: { ...entries, ...describedAs(after) } },
    $defs: { step: { anyOf: kinds.flatMap(stepSchemas) } },
  };
}

const describedAs = (schema: Schema | undefined): Schema => ({ description: schema?.['description'] });

const reference = { type: 'string', pattern: String.raw`^\$\w+$`, description: 'The value of a parameter of the recipe' };

/** The same schema, in which a parameter of the recipe can stand for every number and truth value within. */
function withReferences(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withReferences);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { type } = schema as { readonly type?: unknown };
  const within = Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, withReferences(value)]));
  return type === 'integer' || type === 'number' || type === 'boolean' ? { anyOf: [within, reference] } : within;
}

/** A step with parameters, and its bare name when it needs none. */
function stepSchemas({ step, description, parameters }: StepKind): readonly Schema[] {
  const given = schemaOf(parameters, 'input') as {
    readonly properties?: { readonly [name: string]: Schema };
    readonly required?: readonly string[];
  };
  const properties = Object.fromEntries(
    Object.entries(given.properties ?? {}).map(([name, schema]) => [
      name,
      { anyOf: [withReferences(schema), reference], ...describedAs(schema) },
    ]),
  );
  const whole = {
    type: 'object',
    description,
    properties: {
      step: { const: step, description },
      name: { type: 'string', description: 'Its name in thoughts and metrics; by default the kind' },
      when: { type: 'object', description: 'When it runs: `decision` and parameters with their values; all must hold' },
      needs: {
        type: ['string', 'array'],
        items: { type: 'string' },
        description: 'It runs only while these notes are not empty: note.NAME',
      },
      with: { ...given, properties },
    },
    required: ['step', ...(given.required?.length ? ['with'] : [])],
    additionalProperties: false,
  };
  return given.required?.length ? [whole] : [{ const: step, description }, whole];
}
