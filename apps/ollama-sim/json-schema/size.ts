import {
  choicesOf,
  type Fields,
  isFields,
  numberIn,
  propertiesOf,
  requiredIn,
  resolve,
  type Schema,
  schemasIn,
  Unmeetable,
} from './schema.ts';

const MAX_VISITS = 5_000;
const MAX_VALUES = 20_000;
const MAX_CHARS = 100_000;
/** Of schemas within each other, by references too, and of objects and lists in the JSON of a schema. */
const MAX_DEPTH = 100;
const MAX_NESTING = 250;

interface Walk {
  readonly root: Schema;
  visits: number;
}

/**
 * Refuses a schema that would take unbounded time or memory: endless recursion, references that multiply, huge minimums.
 * @throws Unmeetable
 */
export const requireBounded = (schema: Schema): void => {
  const values = leastValues(schema, [], { root: schema, visits: 0 });
  if (values === Infinity) throw new Unmeetable('the schema refers to itself without end');
  if (values > MAX_VALUES) throw new Unmeetable(`the schema demands more than ${MAX_VALUES} values`);
};

/**
 * Refuses a schema that is nested so deep that recursive functions, such as `JSON.stringify`, would overflow the stack.
 * @throws Unmeetable
 */
export const requireShallow = (schema: unknown): void => {
  let level = [schema];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_NESTING) throw tooDeep();
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
};

const tooDeep = (): Unmeetable => new Unmeetable('the schema is nested too deep');

/** How many values the smallest one that meets the schema consists of; Infinity when it must contain itself. Looks at every branch once. */
const leastValues = (schema: Schema, above: readonly Schema[], walk: Walk): number => {
  if (!isFields(schema)) return 1;
  if (above.includes(schema)) return Infinity;
  if (above.length > MAX_DEPTH) throw tooDeep();
  if (++walk.visits > MAX_VISITS) throw new Unmeetable('the schema is too large');
  requireShort(schema);
  const inside = [...above, schema];
  const least = (one: unknown): number => (isFields(one) ? leastValues(one, inside, walk) : 1);
  const branches = [schema['anyOf'], schema['oneOf']].map(schemasIn).filter((group) => group.length > 0);
  const parts = [schema['$ref'] === undefined ? [] : [resolve(schema['$ref'], walk.root)], schemasIn(schema['allOf'])].flat();
  const groups = [...branches.map((group) => Math.min(...group.map(least))), ...parts.map(least)];
  const properties = propertiesOf(schema).map(([name, one]): [string, number] => [name, least(one)]);
  const own = properties.reduce((sum, [name, values]) => sum + (requiredIn(schema).includes(name) ? values : 0), 1);
  const minItems = numberIn(schema, 'minItems') ?? 0;
  const list = minItems > 0 ? minItems * Math.max(least(schema['items']), ...schemasIn(schema['prefixItems']).map(least)) : 0;
  return choicesOf(schema) === undefined ? Math.max(own + list, numberIn(schema, 'minProperties') ?? 0, ...groups) : 1;
};

const requireShort = (schema: Fields): void => {
  const { pattern } = schema;
  if ((numberIn(schema, 'minLength') ?? 0) > MAX_CHARS) throw new Unmeetable(`minLength is above ${MAX_CHARS}`);
  if (typeof pattern === 'string' && /\{\d*,?\d{5,}/.test(pattern))
    throw new Unmeetable(`pattern ${JSON.stringify(pattern)} repeats too often`);
};
