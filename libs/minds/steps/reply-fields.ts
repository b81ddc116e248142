import { z } from 'zod';
import { schemaOf } from '../prompts/json-schema.ts';
import type { Moment } from '../mind.ts';
import { sanitize } from '../sanitize.ts';

const maxChars = z.int().min(1).max(2000).default(600).describe('The longest text, in characters');
const about = { about: z.string().optional().describe('What it is, for the model') };
const whom = z.enum(['players', 'others']).describe('players: the living; others: the living but oneself');

const field = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), maxChars, ...about }),
  z.strictObject({ type: z.literal('list'), least: z.int().min(0).default(1), most: z.int().min(1).max(100), maxChars, ...about }),
  z.strictObject({ type: z.literal('choice'), of: z.union([whom, z.array(z.string().min(1)).min(1)]), ...about }),
  z.strictObject({ type: z.literal('choices'), of: z.union([whom, z.array(z.string().min(1)).min(1)]), least: z.int().min(0).default(1), most: z.int().min(1).max(100), ...about }), // prettier-ignore
  z.strictObject({ type: z.literal('integer'), least: z.int(), most: z.int(), ...about }),
  z.strictObject({ type: z.literal('each'), of: whom.default('others'), maxChars, ...about }).describe('A text for each player, by name'),
]);
type Field = z.output<typeof field>;

/** The fields of a reply in JSON, in order: `{ thought: { type: text }, target: { type: choice, of: others } }`. */
export const replyFieldsShape = z.record(z.string().regex(/^[a-z]\w{0,29}$/), field);
export type ReplyFields = z.output<typeof replyFieldsShape>;

export interface ReplySchema {
  readonly shape: z.ZodType<{ readonly [field: string]: unknown }>;
  /** The JSON schema for the model. */
  readonly format: { readonly [keyword: string]: unknown };
}

/** The schema of a reply for one decision: the names are those at the table. */
export function replySchema(fields: ReplyFields, moment: Moment): ReplySchema {
  const shape = z.object(Object.fromEntries(Object.entries(fields).map(([name, each]) => [name, shapeOf(each, moment)])));
  return { shape, format: schemaOf(shape, 'input') };
}

function shapeOf(given: Field, moment: Moment): z.ZodType {
  const text = (chars: number) => z.string().max(chars);
  const described = (shape: z.ZodType): z.ZodType => (given.about === undefined ? shape : shape.describe(given.about));
  const words = (of: readonly string[] | 'players' | 'others') =>
    z.enum((typeof of === 'string' ? namesOf(of, moment) : of) as [string, ...string[]]);
  switch (given.type) {
    case 'text':
      return described(text(given.maxChars).min(1));
    case 'list':
      return described(z.array(text(given.maxChars).min(1)).min(given.least).max(given.most));
    case 'choice':
      return described(words(given.of));
    case 'choices':
      return described(z.array(words(given.of)).min(given.least).max(given.most));
    case 'integer':
      return described(z.int().min(given.least).max(given.most));
    case 'each':
      return described(z.object(Object.fromEntries(namesOf(given.of, moment).map((name) => [name, text(given.maxChars)]))));
  }
}

function namesOf(of: 'players' | 'others', { players, seat }: Moment): readonly string[] {
  const names = players.filter((player) => player.alive && (of === 'players' || player.seat !== seat)).map(({ name }) => sanitize(name));
  return names.length ? names : ['nobody'];
}
