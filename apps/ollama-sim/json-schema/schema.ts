/** A JSON Schema as it comes from outside: nothing about it is known yet. */
export type Schema = boolean | Fields;
export type Fields = Readonly<Record<string, unknown>>;

/** The schema cannot be met, or uses what the simulator does not know. */
export class Unmeetable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Unmeetable';
  }
}

export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
export const isSchema = (value: unknown): value is Schema => typeof value === 'boolean' || isFields(value);

export const schemaIn = (value: unknown): Schema => (isSchema(value) ? value : true);
export const schemasIn = (value: unknown): readonly Schema[] => (Array.isArray(value) ? value.filter(isSchema) : []);
export const propertiesOf = (schema: Fields): ReadonlyMap<string, Schema> =>
  new Map(isFields(schema['properties']) ? Object.entries(schema['properties']).map(([name, one]) => [name, schemaIn(one)]) : []);
export const requiredOf = (schema: Fields): readonly string[] =>
  Array.isArray(schema['required']) ? schema['required'].filter((name) => typeof name === 'string') : [];
export const numberIn = (schema: Fields, key: string): number | undefined => {
  const value = schema[key];
  return typeof value === 'number' ? value : undefined;
};

/** What `$ref` points at in the whole schema. Throws `Unmeetable` when there is nothing. */
export const resolve = (ref: unknown, root: Schema): Schema => {
  if (typeof ref !== 'string' || !ref.startsWith('#'))
    throw new Unmeetable(`$ref ${JSON.stringify(ref)} does not point into the schema itself`);
  let at: unknown = root;
  for (const part of ref.slice(1).split('/').slice(1)) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    at = Array.isArray(at) ? at[Number(key)] : isFields(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  if (!isSchema(at)) throw new Unmeetable(`$ref "${ref}" points at nothing`);
  return at;
};

/** The regular expression of a `pattern`, read as Unicode where it can be. Throws `Unmeetable` when it is none. */
export const regexOf = (pattern: string): RegExp => {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      // not valid with these flags: patterns in the wild are written for either reading
    }
  }
  throw new Unmeetable(`pattern ${JSON.stringify(pattern)} is not a regular expression`);
};

/** Two JSON values are the same, whatever the order of keys. */
export const same = (a: unknown, b: unknown): boolean => {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((value, at) => same(value, b[at]));
  if (isFields(a) && isFields(b)) {
    const keys = Object.keys(a);
    return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
  }
  return a === b;
};

/** The values an `enum` or a `const` leaves, if it has either. */
export const choicesOf = (schema: Fields): readonly unknown[] | undefined => {
  if (!Object.hasOwn(schema, 'const')) return Array.isArray(schema['enum']) ? schema['enum'] : undefined;
  const only = schema['const'];
  return Array.isArray(schema['enum']) && !schema['enum'].some((value) => same(value, only)) ? [] : [only];
};
