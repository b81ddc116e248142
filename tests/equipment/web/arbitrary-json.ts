import fc from 'fast-check';

export type Schema = { readonly [keyword: string]: unknown };

/** Values that fit a JSON schema, as far as it says so. @param words texts that mean something to the system */
export function fitting(schema: Schema, words: readonly string[]): fc.Arbitrary<unknown> {
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
  if ('const' in schema) return fc.constant(schema['const']);
  for (const either of ['anyOf', 'oneOf'])
    if (Array.isArray(schema[either])) return fc.oneof(...(schema[either] as Schema[]).map((each) => fitting(each, words)));
  switch (schema['type']) {
    case 'object':
      return fittingObject(schema, words);
    case 'array':
      return fc.array(fitting(schema['items'] as Schema, words), { minLength: Number(schema['minItems'] ?? 0), maxLength: 8 });
    case 'integer':
      return fittingInteger(schema);
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'string':
      return fittingText(schema, words);
    default:
      return fc.jsonValue();
  }
}

/** Small numbers are likelier to be those of something. */
function fittingInteger({ minimum = 0, maximum = 1e6 }: Schema): fc.Arbitrary<number> {
  const [min, max] = [Number(minimum), Number(maximum)];
  const bounds = { min: Math.max(min, Number.MIN_SAFE_INTEGER), max: Math.min(max, Number.MAX_SAFE_INTEGER) };
  return fc.oneof(
    fc.integer({ ...bounds, max: Math.min(bounds.max, bounds.min + 6) }),
    fc.maxSafeInteger().map((n) => Math.min(Math.max(n, bounds.min), bounds.max)),
  );
}

function fittingText({ pattern, maxLength, minLength = 0 }: Schema, words: readonly string[]): fc.Arbitrary<string> {
  const expression = typeof pattern === 'string' ? new RegExp(pattern, 'u') : undefined;
  const most = Number(maxLength ?? Infinity);
  const isFitting = (text: string) => (expression?.test(text) ?? true) && text.length >= Number(minLength) && text.length <= most;
  const known = words.filter(isFitting);
  const random = fc
    .string({ unit: 'grapheme', minLength: Number(minLength), maxLength: Math.min(most, 40) })
    .filter((text) => isFitting(text));
  if (known.length) return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, expression ? fc.constantFrom(...known) : random);
  return expression ? fc.constantFrom(...words) : random;
}

function fittingObject(schema: Schema, words: readonly string[]): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
  const fields = Object.entries(properties as { readonly [name: string]: Schema }).map(
    ([name, each]) => [name, fitting(each, words)] as const,
  );
  const own = fc.record(Object.fromEntries(fields), { requiredKeys: required as string[] });
  if (typeof additionalProperties !== 'object' || additionalProperties === null) return own;
  const names = fittingText((propertyNames ?? {}) as Schema, words);
  const others = fc.dictionary(names, fitting(additionalProperties as Schema, words), { maxKeys: 3 });
  return fc.tuple(own, others).map(([first, more]) => ({ ...more, ...first }));
}

/** What is done to a value that fits, so that it may not. */
export const damage = (value: unknown): fc.Arbitrary<unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length
    ? fc.oneof(
        fc.constantFrom(...Object.keys(value)).map((name) => Object.fromEntries(Object.entries(value).filter(([own]) => own !== name))),
        fc.tuple(fc.constantFrom(...Object.keys(value)), fc.jsonValue()).map(([name, other]) => ({ ...value, [name]: other })),
      )
    : fc.jsonValue();
