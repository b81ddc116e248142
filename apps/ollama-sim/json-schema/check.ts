import {
  choicesOf,
  type Fields,
  isFields,
  numberIn,
  propertiesOf,
  regexOf,
  requiredOf,
  resolve,
  type Schema,
  same,
  schemaIn,
  schemasIn,
} from './schema.ts';

/** Whether a value meets a JSON Schema, as far as the simulator knows the language. */
export const meets = (schema: Schema, value: unknown, root: Schema): boolean => {
  if (typeof schema === 'boolean') return schema;
  return (
    rightType(schema['type'], value) &&
    (choicesOf(schema)?.some((choice) => same(choice, value)) ?? true) &&
    (schema['$ref'] === undefined || meets(resolve(schema['$ref'], root), value, root)) &&
    schemasIn(schema['allOf']).every((one) => meets(one, value, root)) &&
    (!Array.isArray(schema['anyOf']) || schemasIn(schema['anyOf']).some((one) => meets(one, value, root))) &&
    (!Array.isArray(schema['oneOf']) || schemasIn(schema['oneOf']).filter((one) => meets(one, value, root)).length === 1) &&
    (schema['not'] === undefined || !meets(schemaIn(schema['not']), value, root)) &&
    (typeof value !== 'string' || rightText(schema, value)) &&
    (typeof value !== 'number' || rightNumber(schema, value)) &&
    (!Array.isArray(value) || rightArray(schema, value, root)) &&
    (!isFields(value) || rightObject(schema, value, root))
  );
};

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: isFields,
};

const rightType = (type: unknown, value: unknown): boolean => {
  if (type === undefined) return true;
  return (Array.isArray(type) ? type : [type]).some((name) => typeof name === 'string' && (TYPES[name]?.(value) ?? false));
};

const rightText = (schema: Fields, text: string): boolean => {
  const length = Array.from(text).length;
  const pattern = schema['pattern'];
  return (
    length >= (numberIn(schema, 'minLength') ?? 0) &&
    length <= (numberIn(schema, 'maxLength') ?? Infinity) &&
    (typeof pattern !== 'string' || regexOf(pattern).test(text))
  );
};

const rightNumber = (schema: Fields, number: number): boolean => {
  const step = numberIn(schema, 'multipleOf');
  return (
    number >= (numberIn(schema, 'minimum') ?? -Infinity) &&
    number <= (numberIn(schema, 'maximum') ?? Infinity) &&
    number > (numberIn(schema, 'exclusiveMinimum') ?? -Infinity) &&
    number < (numberIn(schema, 'exclusiveMaximum') ?? Infinity) &&
    (step === undefined || Number.isInteger(number / step))
  );
};

const rightArray = (schema: Fields, list: readonly unknown[], root: Schema): boolean => {
  const first = schemasIn(schema['prefixItems']);
  return (
    list.length >= (numberIn(schema, 'minItems') ?? 0) &&
    list.length <= (numberIn(schema, 'maxItems') ?? Infinity) &&
    (schema['uniqueItems'] !== true || list.every((value, at) => !list.slice(0, at).some((other) => same(other, value)))) &&
    list.every((value, at) => meets(first[at] ?? schemaIn(schema['items']), value, root)) &&
    (schema['contains'] === undefined || list.some((value) => meets(schemaIn(schema['contains']), value, root)))
  );
};

const rightObject = (schema: Fields, value: Fields, root: Schema): boolean => {
  const keys = Object.keys(value);
  return (
    keys.length >= (numberIn(schema, 'minProperties') ?? 0) &&
    keys.length <= (numberIn(schema, 'maxProperties') ?? Infinity) &&
    requiredOf(schema).every((name) => Object.hasOwn(value, name)) &&
    keys.every(
      (key) => meets(schemaIn(schema['propertyNames']), key, root) && schemasFor(schema, key).every((one) => meets(one, value[key], root)),
    )
  );
};

/** All that a schema says of the property of this name. */
export const schemasFor = (schema: Fields, name: string): readonly Schema[] => {
  const own = propertiesOf(schema).get(name);
  const byPattern = isFields(schema['patternProperties']) ? Object.entries(schema['patternProperties']) : [];
  const matching = byPattern.filter(([pattern]) => regexOf(pattern).test(name)).map(([, one]) => schemaIn(one));
  const known = own === undefined ? matching : [own, ...matching];
  return known.length > 0 ? known : [schemaIn(schema['additionalProperties'])];
};
