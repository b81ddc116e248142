import type { Random } from '../seeded-random.ts';
import { choicesOf, type Fields, isFields, isSchema, labelOf, numberIn, propertiesOf, resolve, type Schema, schemasIn } from './schema.ts';

/** Decides what a schema leaves open, so that an answer makes sense and does not merely parse. */
export interface Guide {
  /** The index of the branch to take; each is known by its constants (`do: 'vote'`). */
  branch(labels: readonly string[]): number;
  /** One of the values allowed for a property; `taken` are in the same list already. */
  choose(property: string, options: readonly unknown[], taken: readonly unknown[]): unknown;
  /** Text for a property, of at most this many characters; it may be shorter than asked for. */
  text(property: string, maxChars: number): string;
  /** Names for the entries of an object that may have any. */
  keys(): readonly string[];
}

interface Narrowing {
  readonly root: Schema;
  readonly guide: Guide;
  readonly random: Random;
}

const MAX_DEPTH = 6;
const TEXT_CHARS = 200;

/**
 * The schema with the guide's decisions made: branches taken, choices and texts fixed. The result may contradict the rest of the schema, so
 * a value made from it has to be checked against the original.
 */
export const narrow = (schema: Schema, guide: Guide, random: Random): Schema => narrowed(schema, '', 0, { root: schema, guide, random });

const narrowed = (schema: Schema, property: string, depth: number, by: Narrowing): Schema => {
  if (!isFields(schema) || depth > MAX_DEPTH || schema['allOf'] !== undefined || schema['not'] !== undefined) return schema;
  const { $ref, anyOf, oneOf, ...rest } = schema;
  if ($ref !== undefined && Object.keys(rest).every((key) => key === '$defs' || key === 'definitions')) {
    const target = narrowed(resolve($ref, by.root), property, depth + 1, by);
    return isFields(target) ? { ...rest, ...target } : target;
  }
  const branches = schemasIn(anyOf ?? oneOf);
  if (branches.length > 0 && !(anyOf && oneOf)) {
    const branch = branches[by.guide.branch(branches.map((one) => labelOf(one, by.root)))] ?? branches[0]!;
    return { ...rest, anyOf: [narrowed(branch, property, depth + 1, by)] };
  }
  const choices = choicesOf(schema);
  if (choices) return constant(schema, by.guide.choose(property, choices, []));
  switch (typeOf(schema)) {
    case 'string':
      return narrowedText(schema, property, by);
    case 'array':
      return narrowedList(schema, property, depth, by);
    case 'object':
      return narrowedObject(schema, depth, by);
    default:
      return schema;
  }
};

const typeOf = (schema: Fields): unknown => {
  const types = [schema['type']].flat().filter((type) => type !== 'null');
  if (types[0] !== undefined) return types.length === 1 ? types[0] : undefined;
  return isFields(schema['properties']) ? 'object' : undefined;
};

const constant = ({ $defs, definitions }: Fields, value: unknown): Fields => ({ const: value, $defs, definitions });

/** An example if one is short enough, else the guide's text, cut or filled up to the limits. */
const narrowedText = (schema: Fields, property: string, { guide, random }: Narrowing): Schema => {
  if (schema['pattern'] !== undefined || schema['format'] !== undefined) return schema;
  const min = numberIn(schema, 'minLength') ?? 0;
  const max = numberIn(schema, 'maxLength') ?? Math.max(TEXT_CHARS, min);
  const fits = (text: unknown): boolean => typeof text === 'string' && Array.from(text).length >= min && Array.from(text).length <= max;
  const examples = Array.isArray(schema['examples']) ? schema['examples'].filter(fits) : [];
  return constant(schema, examples.length > 0 ? random.pick(examples) : fitted(guide.text(property, max), min, max));
};

const fitted = (text: string, min: number, max: number): string => {
  const symbols = Array.from(text);
  if (symbols.length < min)
    return Array.from(`${text}${` ${text || '.'}`.repeat(min)}`)
      .slice(0, min)
      .join('');
  if (symbols.length <= max) return text;
  const cut = symbols.slice(0, max).join('');
  const end = cut.lastIndexOf(' ');
  return end > max / 2 && end >= min ? cut.slice(0, end) : cut;
};

/** A list of choices, or of values that are narrowed one by one. */
const narrowedList = (schema: Fields, property: string, depth: number, by: Narrowing): Schema => {
  const { items } = schema;
  const choices = isFields(items) ? choicesOf(items) : undefined;
  if (!isFields(items) || schema['prefixItems'] !== undefined || schema['contains'] !== undefined) return schema;
  const least = numberIn(schema, 'minItems') ?? 0;
  const size = Math.min(numberIn(schema, 'maxItems') ?? Infinity, Math.max(least, 1 + by.random.below(2)));
  const list: unknown[] = [];
  if (choices) {
    for (let i = 0; i < size; i++) list.push(by.guide.choose(property, choices, list));
    return constant(schema, list);
  }
  const each = Array.from({ length: Math.min(size, 20) }, () => narrowed(items, property, depth + 1, by));
  return { ...schema, prefixItems: each, minItems: size, maxItems: size };
};

/** An object whose properties are narrowed in their order; one without known properties gets the guide's keys. */
const narrowedObject = (schema: Fields, depth: number, by: Narrowing): Schema => {
  const known = propertiesOf(schema);
  const values = schema['additionalProperties'];
  if (known.length > 0) {
    return { ...schema, properties: Object.fromEntries(known.map(([name, one]) => [name, narrowed(one, name, depth + 1, by)])) };
  }
  const { propertyNames } = schema;
  if (!isFields(values) || schema['patternProperties'] !== undefined) return schema;
  const names = (isFields(propertyNames) ? choicesOf(propertyNames) : undefined) ?? by.guide.keys();
  const wanted = Math.max(numberIn(schema, 'minProperties') ?? 0, 1 + by.random.below(3));
  const keys = names.map(String).slice(0, Math.min(numberIn(schema, 'maxProperties') ?? Infinity, wanted));
  const properties = Object.fromEntries(keys.map((name) => [name, isSchema(values) ? narrowed(values, name, depth + 1, by) : true]));
  return { ...schema, properties, required: keys, additionalProperties: false };
};
