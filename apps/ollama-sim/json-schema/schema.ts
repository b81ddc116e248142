/** A JSON Schema as a client sent it: unchecked. */
export type Schema = boolean | Fields;
export type Fields = Readonly<Record<string, unknown>>;

/** The schema is invalid, too large, or no value was found that meets it. */
export class Unmeetable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Unmeetable';
  }
}

export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
export const isSchema = (value: unknown): value is Schema => typeof value === 'boolean' || isFields(value);

export const schemasIn = (value: unknown): readonly Schema[] => (Array.isArray(value) ? value.filter(isSchema) : []);
export const propertiesOf = ({ properties }: Fields): readonly (readonly [string, Schema])[] =>
  Object.entries(isFields(properties) ? properties : {}).filter((entry): entry is [string, Schema] => isSchema(entry[1]));
export const requiredIn = ({ required }: Fields): readonly unknown[] => (Array.isArray(required) ? required : []);
export const numberIn = (schema: Fields, key: string): number | undefined => {
  const value = schema[key];
  return typeof value === 'number' ? value : undefined;
};

/** The schema that a local `$ref` points at. @throws Unmeetable when there is none */
export const resolve = (ref: unknown, root: Schema): Schema => {
  if (typeof ref !== 'string' || !ref.startsWith('#')) throw new Unmeetable(`$ref ${JSON.stringify(ref)} is not local`);
  let at: unknown = root;
  for (const part of ref.slice(1).split('/').slice(1)) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    at = Array.isArray(at) ? at[Number(key)] : isFields(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  if (!isSchema(at)) throw new Unmeetable(`$ref "${ref}" cannot be resolved`);
  return at;
};

/** The values that `const` or `enum` allows; undefined without either. */
export const choicesOf = (schema: Fields): readonly unknown[] | undefined =>
  Object.hasOwn(schema, 'const') ? [schema['const']] : Array.isArray(schema['enum']) ? schema['enum'] : undefined;

/** The words that tell a branch from its siblings: the constants among its properties, else its first choices, else its title. */
export const labelOf = (schema: Schema, root: Schema): string => {
  const one = isFields(schema) && schema['$ref'] !== undefined ? resolve(schema['$ref'], root) : schema;
  if (!isFields(one)) return '';
  const choices = propertiesOf(one).map(([, property]) => (isFields(property) ? (choicesOf(property) ?? []) : []));
  const constants = choices.filter((each) => each.length === 1).flat();
  const words = constants.length > 0 ? constants : (choicesOf(one) ?? choices.flatMap((each) => each.slice(0, 2)));
  return words.filter((word) => typeof word === 'string').join(' ') || (typeof one['title'] === 'string' ? one['title'] : '');
};

const MAX_WORDS = 200;

/** Every string that a `const` or an `enum` anywhere in the schema allows: names of players and of actions. */
export const wordsIn = (schema: unknown): readonly string[] => {
  const words = new Set<string>();
  const walk = (at: unknown, depth: number): void => {
    if (typeof at !== 'object' || at === null || depth > 30 || words.size > MAX_WORDS) return;
    for (const choice of (isFields(at) ? choicesOf(at) : undefined) ?? []) if (typeof choice === 'string') words.add(choice);
    for (const inner of Object.values(at)) walk(inner, depth + 1);
  };
  walk(schema, 0);
  return [...words];
};
