import {
  choicesOf,
  type Fields,
  isFields,
  numberIn,
  propertiesOf,
  requiredOf,
  resolve,
  type Schema,
  schemaIn,
  schemasIn,
} from './schema.ts';

const MOST_VISITS = 5000;

/** How deep the smallest value of a schema must go; Infinity where it only leads back to itself. */
export const heightOf = (schema: Schema, root: Schema): number => {
  let visits = 0;
  const height = (one: Schema, above: ReadonlySet<Schema>): number => {
    if (typeof one === 'boolean') return 0;
    if (above.has(one) || ++visits > MOST_VISITS) return Infinity;
    const within = new Set([...above, one]);
    const of = (inner: Schema): number => height(inner, within);
    const branches = [one['anyOf'], one['oneOf']].filter(Array.isArray).map((group) => Math.min(...schemasIn(group).map(of)));
    const musts = [...(one['$ref'] === undefined ? [] : [resolve(one['$ref'], root)]), ...schemasIn(one['allOf'])].map(of);
    return Math.max(0, ...branches, ...musts, ...inside(one).map((inner) => 1 + of(inner)));
  };
  return height(schema, new Set());
};

const inside = (one: Fields): readonly Schema[] => {
  if (choicesOf(one) !== undefined) return [];
  const required = requiredOf(one).map((name) => propertiesOf(one).get(name) ?? true);
  return (numberIn(one, 'minItems') ?? 0) > 0 ? [...required, schemaIn(one['items'])] : required;
};

/** The words that tell a branch from its siblings: the texts its properties are pinned to, else its title. */
export const labelOf = (schema: Schema, root: Schema): string => {
  if (typeof schema === 'boolean') return '';
  const one = schema['$ref'] === undefined ? schema : resolve(schema['$ref'], root);
  if (typeof one === 'boolean') return '';
  const pinned = [...propertiesOf(one).values()].flatMap((property) =>
    (typeof property === 'boolean' ? [] : (choicesOf(property) ?? [])).slice(0, 2),
  );
  const single = [...propertiesOf(one).values()].flatMap((property) => {
    const choices = typeof property === 'boolean' ? undefined : choicesOf(property);
    return choices?.length === 1 ? choices : [];
  });
  const words = single.length > 0 ? single : (choicesOf(one) ?? pinned);
  const title = one['title'];
  return words.filter((word) => typeof word === 'string').join(' ') || (typeof title === 'string' ? title : '');
};

const TYPES = ['string', 'number', 'boolean', 'null', 'array', 'object'] as const;

/** The JSON types a schema may allow at its top; more than it does where it cannot tell. */
export const typesAllowed = (schema: Schema, root: Schema, depth = 0): ReadonlySet<string> => {
  if (schema === false) return new Set();
  if (schema === true || depth > 20) return new Set(TYPES);
  const choices = choicesOf(schema);
  const named = schema['type'];
  const own: readonly string[] =
    named === undefined ? TYPES : [named].flat().map((type) => (type === 'integer' ? 'number' : typeof type === 'string' ? type : ''));
  let allowed = new Set<string>(choices === undefined ? own : choices.map(typeOf).filter((type) => own.includes(type)));
  const narrow = (other: ReadonlySet<string>): void => {
    allowed = new Set([...allowed].filter((type) => other.has(type)));
  };
  if (schema['$ref'] !== undefined) narrow(typesAllowed(resolve(schema['$ref'], root), root, depth + 1));
  for (const one of schemasIn(schema['allOf'])) narrow(typesAllowed(one, root, depth + 1));
  for (const group of [schema['anyOf'], schema['oneOf']].filter(Array.isArray)) {
    narrow(new Set(schemasIn(group).flatMap((one) => [...typesAllowed(one, root, depth + 1)])));
  }
  return allowed;
};

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

const MOST_WORDS = 200;

/** All texts the schema allows by name anywhere: players to choose from, things to do. */
export const wordsIn = (schema: unknown): readonly string[] => {
  const words = new Set<string>();
  const walk = (at: unknown, depth: number): void => {
    if (typeof at !== 'object' || at === null || depth > 30 || words.size > MOST_WORDS) return;
    const choices = isFields(at) ? choicesOf(at) : undefined;
    for (const choice of choices ?? []) if (typeof choice === 'string') words.add(choice);
    for (const inner of Object.values(at)) walk(inner, depth + 1);
  };
  walk(schema, 0);
  return [...words];
};
