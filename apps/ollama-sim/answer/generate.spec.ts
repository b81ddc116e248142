import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { seededRandom } from '../seeded-random.ts';
import { generateValue, type Schema, Unmeetable } from './generate.ts';

const make = (schema: Schema, seed = 'a'): unknown => generateValue(schema, seededRandom(seed));

const ajv = new Ajv2020({ strict: false, validateFormats: false });
/** What Ajv objects to in the values of three seeds. */
const violationsOf = (schema: Schema): readonly string[] => {
  const validate = ajv.compile(schema);
  return ['a', 'b', 'c'].flatMap((seed) => {
    const value = make(schema, seed);
    return validate(value) ? [] : [`${JSON.stringify(value)}: ${ajv.errorsText(validate.errors)}`];
  });
};

const SCALARS: readonly object[] = [
  ...['^[a-z]{3,8}$', '^(yes|no|maybe)$', '^\\d{4}-\\d{2}$', '^[A-Z][a-z]+( [A-Z][a-z]+)*$', 'x+y?z*', '^[^\\s]{1,5}$'].map((pattern) => ({
    type: 'string',
    pattern,
  })),
  ...['date', 'time', 'date-time', 'uuid', 'email', 'uri', 'hostname', 'ipv4', 'ipv6'].map((format) => ({ type: 'string', format })),
  { type: 'integer', multipleOf: 7 },
  { type: 'number', multipleOf: 0.5, minimum: 3 },
  { type: 'number', exclusiveMinimum: -2, exclusiveMaximum: -1 },
  { type: 'boolean' },
  { type: 'null' },
  { type: ['string', 'null'] },
  { const: { a: [1] } },
  { enum: [1, 'two', null, [3]] },
  { type: 'string', enum: ['a', 'bb', 'ccc'], minLength: 2 },
  { type: 'array', uniqueItems: true, minItems: 3, items: { enum: ['p', 'q', 'r', 's'] } },
  ...['extra', 'tree', 'seat'].map((name) => ({ $ref: `#/$defs/${name}` })),
];
const $defs = {
  extra: { type: 'object', properties: { note: { type: 'string', maxLength: 9 } } },
  seat: { type: 'string', enum: ['Ann', 'Bob'] },
  tree: {
    type: 'object',
    properties: {
      name: { $ref: '#/$defs/seat' },
      children: { type: 'array', minItems: 1, items: { anyOf: [{ $ref: '#/$defs/tree' }, { type: 'null' }] } },
    },
    required: ['name', 'children'],
  },
};
const range = (low: string, high: string, type: string): fc.Arbitrary<object> =>
  fc.tuple(fc.nat(20), fc.nat(60)).map(([least, more]) => ({ type, [low]: least, [high]: least + more }));
const variant = (kind: string, is: object): object => ({
  type: 'object',
  properties: { kind: { const: kind }, is },
  required: ['kind', 'is'],
  additionalProperties: false,
});

/** Schemas that can be met, of every kind the simulator supports. */
const anySchema = fc
  .letrec<{ schema: object }>((tie) => {
    const [a, b] = [tie('schema'), tie('schema')];
    const sizes = fc.nat(3);
    return {
      schema: fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        fc.constantFrom(...SCALARS),
        range('minLength', 'maxLength', 'string'),
        range('minimum', 'maximum', 'integer'),
        fc.tuple(a, sizes).map(([items, size]) => ({ type: 'array', items, minItems: size, maxItems: size + 1 })),
        fc.tuple(a, b).map((prefixItems) => ({ type: 'array', prefixItems, items: false, minItems: 2 })),
        fc
          .tuple(a, b, fc.subarray(['a', 'b']), fc.constantFrom<(boolean | object)[]>(true, false, { type: 'integer' }))
          .map(([one, two, required, rest]) => ({ type: 'object', properties: { a: one, b: two }, required, additionalProperties: rest })),
        fc.tuple(a, sizes).map(([values, size]) => ({ type: 'object', additionalProperties: values, minProperties: size })),
        fc.array(a, { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
        fc.tuple(a, b).map(([one, two]) => ({ oneOf: [variant('a', one), variant('b', two)] })),
        fc.tuple(a, b).map(([one, two]) => ({
          allOf: [
            { type: 'object', properties: { a: one }, required: ['a'] },
            { properties: { b: two }, required: ['b'] },
            { $ref: '#/$defs/extra' },
          ],
        })),
      ),
    };
  })
  .schema.map((schema) => ({ ...(Object.hasOwn(schema, 'anyOf') ? schema : { allOf: [schema] }), $defs }));

describe('generating a value from a JSON Schema', () => {
  it('meets any supported schema', () => {
    expect(() =>
      fc.assert(
        fc.property(anySchema, (schema) => expect(violationsOf(schema)).toEqual([])),
        { numRuns: 60 },
      ),
    ).not.toThrow();
  });

  it.each([
    [
      'a recursive reference to the whole',
      { type: 'object', properties: { child: { anyOf: [{ $ref: '#' }, { type: 'null' }] } }, required: ['child'] },
    ],
    [
      'branches beside properties',
      {
        type: 'object',
        properties: { a: { type: 'integer' } },
        required: ['a'],
        anyOf: [
          { properties: { b: { const: 1 } }, required: ['b'] },
          { properties: { c: { const: 2 } }, required: ['c'] },
        ],
      },
    ],
    [
      'branches of which the first cannot be met',
      { anyOf: [{ type: 'integer', minimum: 5, maximum: 1 }, { allOf: [{ type: 'string' }, { type: 'null' }] }, { const: 'this' }] },
    ],
    [
      'overlapping alternatives of which one must hold',
      {
        oneOf: [
          { type: 'integer', minimum: 0, maximum: 10 },
          { type: 'integer', minimum: 5, maximum: 12 },
        ],
      },
    ],
    ['several recursive values at once', { type: 'array', items: { $ref: '#/$defs/tree' }, minItems: 6, $defs }],
    ['two lengths at once', { allOf: [{ type: 'string', minLength: 5, maxLength: 20 }, { maxLength: 7 }] }],
    ['two least lengths at once', { allOf: [{ type: 'string', minLength: 5 }, { minLength: 90 }] }],
    ['a property called __proto__', { type: 'object', properties: { ['__proto__']: { const: 1 } }, required: ['__proto__'] }],
    ['an excluded value', { enum: [1, 2, 3], not: { enum: [1, 3] } }],
    ['no types at all', { properties: { a: { minLength: 2 } }, required: ['a', 'b'] }],
    ['true', { type: 'object', properties: { a: true }, required: ['a'] }],
    ['an empty schema', {}],
  ])('meets %s', (_, schema) => {
    expect(violationsOf(schema)).toEqual([]);
  });

  it('depends on the seed alone', () => {
    const schema = { type: 'array', minItems: 8, items: { type: 'integer' } };
    expect(make(schema, 'a')).toEqual(make(schema, 'a'));
    expect(make(schema, 'a')).not.toEqual(make(schema, 'b'));
  });

  it('takes another schema with the same $id within', () => {
    for (const value of [1, 2])
      expect(make({ $ref: '#/$defs/a', $defs: { a: { $id: 'http://example.org/a', const: value } } })).toBe(value);
  });

  it('keeps the order of properties', () => {
    const schema = { type: 'object', properties: { z: { const: 1 }, a: { const: 2 } }, required: ['a', 'z'] };
    expect(JSON.stringify(make(schema))).toBe('{"z":1,"a":2}');
  });

  it('uses an example that fits', () => {
    const schema = { type: 'string', maxLength: 10, examples: ['Skip', 'Over', 'a sentence that is too long', 3] };
    const made = new Set(Array.from({ length: 20 }, (_, i) => make(schema, `seed ${i}`)));
    expect(made).toEqual(new Set(['Skip', 'Over']));
    expect(make({ type: 'string', minLength: 1, maxLength: 10, examples: ['much too long a text'] })).toMatch(/^.{1,10}$/);
  });

  it('writes known formats', () => {
    expect(make({ type: 'string', format: 'uuid' })).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect(make({ type: 'string', format: 'date-time' })).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/);
  });

  it.each([
    false,
    { type: 'integer', minimum: 2, maximum: 1 },
    { $ref: '#/$defs/none' },
    { $ref: 'http://example.org/x' },
    { $ref: '#' },
    { enum: [] },
    { type: 'string', pattern: '(?=a)b\\1' },
    { type: 'object', properties: { a: { $ref: '#' } }, required: ['a'] },
    { type: 'tree' },
    // Beyond the generator: an open pattern with a length, two patterns at once.
    { type: 'string', pattern: '^[a-z]+$', minLength: 10, maxLength: 12 },
    { allOf: [{ type: 'string', pattern: '^[a-c]+$' }, { pattern: '^.{4,6}$' }] },
  ])('refuses %j, which cannot be met', (schema) => {
    expect(() => make(schema)).toThrow(Unmeetable);
  });

  it.each<[string, Schema]>([
    ['a list of 100 million', { type: 'array', minItems: 1e8 }],
    ['a text of a billion characters', { type: 'string', minLength: 1e9 }],
    ['a pattern that repeats 100 million times', { type: 'string', pattern: '^a{100000000}$' }],
    ['an object of 10 million properties', { type: 'object', minProperties: 1e7 }],
  ])('refuses %s at once', (_, schema) => {
    const started = performance.now();
    expect(() => make(schema)).toThrow(Unmeetable);
    expect(performance.now() - started).toBeLessThan(60_000);
  });
});
