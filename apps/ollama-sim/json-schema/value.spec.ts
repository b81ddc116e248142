import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { seededRandom } from '../seeded-random.ts';
import { blindGuide } from './guide.ts';
import { type Schema, Unmeetable } from './schema.ts';
import { valueFor } from './value.ts';

const make = (schema: Schema, seed = 'a'): unknown => {
  const dice = seededRandom(seed);
  return valueFor(schema, blindGuide(dice), dice);
};

const ajv = new Ajv2020({ strict: false, validateFormats: false });
/** What the published validator finds wrong with values made by several seeds. */
const faultsOf = (schema: Schema): readonly string[] => {
  const validate = ajv.compile(schema);
  return ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((seed) => {
    const value = make(schema, seed);
    return validate(value) ? [] : [`${JSON.stringify(value)}: ${ajv.errorsText(validate.errors)}`];
  });
};

/** Schemas that can be met, of every kind the simulator promises. */
const anySchema = fc
  .letrec<{ schema: Record<string, unknown> }>((tie) => {
    const inner = tie('schema');
    const text = fc
      .record({ minLength: fc.nat(20), more: fc.nat(60) })
      .map(({ minLength, more }) => ({ type: 'string', minLength, maxLength: minLength + more }));
    const pattern = fc
      .constantFrom(
        '^[a-z]{3,8}$',
        '^(yes|no|maybe)$',
        '^\\d{4}-\\d{2}$',
        '^[A-Z][a-z]+( [A-Z][a-z]+)*$',
        'x+y?z*',
        '^[^\\s]{1,5}$',
        '^[\\w.-]+@[a-z]+\\.org$',
      )
      .map((p) => ({ type: 'string', pattern: p }));
    const format = fc
      .constantFrom('date', 'time', 'date-time', 'uuid', 'email', 'uri', 'hostname', 'ipv4', 'ipv6')
      .map((f) => ({ type: 'string', format: f }));
    const integer = fc
      .record({ minimum: fc.integer({ min: -50, max: 50 }), more: fc.nat(30) })
      .map(({ minimum, more }) => ({ type: 'integer', minimum, maximum: minimum + more }));
    const open = fc
      .record({ low: fc.integer({ min: -5, max: 5 }), more: fc.integer({ min: 1, max: 9 }) })
      .map(({ low, more }) => ({ type: 'number', exclusiveMinimum: low, exclusiveMaximum: low + more }));
    const step = fc.constantFrom(
      { type: 'integer', multipleOf: 7 },
      { type: 'number', multipleOf: 0.5, minimum: 3 },
      { type: 'integer', multipleOf: 0.25, maximum: -3 },
    );
    const plain = fc.constantFrom(
      { type: 'boolean' },
      { type: 'null' },
      { type: 'string' },
      { type: 'number' },
      { type: ['string', 'null'] },
      { const: { a: [1] } },
      { const: 'x' },
      { enum: [1, 'two', null, [3]] },
      { type: 'string', enum: ['a', 'bb', 'ccc'], minLength: 2 },
    );
    const list = fc
      .record({ items: inner, minItems: fc.nat(3), more: fc.nat(2) })
      .map(({ items, minItems, more }) => ({ type: 'array', items, minItems, maxItems: minItems + more }));
    const unique = fc.nat(3).map((minItems) => ({ type: 'array', uniqueItems: true, minItems, items: { enum: ['p', 'q', 'r', 's'] } }));
    const tuple = fc.tuple(inner, inner).map((prefixItems) => ({ type: 'array', prefixItems, items: false, minItems: 2 }));
    const object = fc
      .record({
        a: inner,
        b: inner,
        c: inner,
        required: fc.subarray(['a', 'b', 'c']),
        closed: fc.constantFrom(true, false, { type: 'integer' }),
      })
      .map(({ a, b, c, required, closed }) => ({ type: 'object', properties: { a, b, c }, required, additionalProperties: closed }));
    const map = fc.record({ values: inner, minProperties: fc.nat(3) }).map(({ values, minProperties }) => ({
      type: 'object',
      additionalProperties: values,
      minProperties,
      maxProperties: minProperties + 2,
    }));
    const anyOf = fc.array(inner, { minLength: 1, maxLength: 3 }).map((branches) => ({ anyOf: branches }));
    const oneOf = fc.tuple(inner, inner).map(([a, b]) => ({
      oneOf: [
        { type: 'object', properties: { kind: { const: 'a' }, is: a }, required: ['kind', 'is'], additionalProperties: false },
        { type: 'object', properties: { kind: { const: 'b' }, is: b }, required: ['kind'], additionalProperties: false },
      ],
    }));
    const allOf = fc.tuple(inner, inner).map(([a, b]) => ({
      allOf: [{ type: 'object', properties: { a }, required: ['a'] }, { properties: { b }, required: ['b'] }, { $ref: '#/$defs/extra' }],
    }));
    const reference = fc.constantFrom('#/$defs/extra', '#/$defs/tree', '#/$defs/seat').map(($ref) => ({ $ref }));
    return {
      schema: fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        text,
        pattern,
        format,
        integer,
        open,
        step,
        plain,
        unique,
        reference,
        list,
        tuple,
        object,
        map,
        anyOf,
        oneOf,
        allOf,
      ),
    };
  })
  .schema.map((schema) => ({
    ...(Object.hasOwn(schema, 'anyOf') ? schema : { allOf: [schema] }),
    $defs: {
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
    },
  }));

describe('a value made from a JSON Schema', () => {
  it('meets the schema, whatever the schema', () => {
    expect(() =>
      fc.assert(
        fc.property(anySchema, (schema) => expect(faultsOf(schema)).toEqual([])),
        { numRuns: 400 },
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
    ['two lengths at once', { allOf: [{ type: 'string', minLength: 5, maxLength: 20 }, { maxLength: 7 }] }],
    ['two least lengths at once', { allOf: [{ type: 'string', minLength: 5 }, { minLength: 90 }] }],
    ['two patterns at once', { allOf: [{ type: 'string', pattern: '^[a-c]+$' }, { pattern: '^.{4,6}$' }] }],
    ['a pattern that must be long', { type: 'string', pattern: '^[a-z]+$', minLength: 10, maxLength: 12 }],
    [
      'names of properties',
      { type: 'object', propertyNames: { enum: ['Ann', 'Bob', 'Cid'] }, additionalProperties: { type: 'integer' }, minProperties: 2 },
    ],
    [
      'properties by pattern',
      { type: 'object', patternProperties: { '^seat:\\d$': { type: 'boolean' } }, additionalProperties: false, minProperties: 1 },
    ],
    ['a property called __proto__', { type: 'object', properties: { ['__proto__']: { const: 1 } }, required: ['__proto__'] }],
    ['an excluded value', { enum: [1, 2, 3], not: { enum: [1, 3] } }],
    ['no types at all', { properties: { a: { minLength: 2 } }, required: ['a', 'b'] }],
    ['true', { type: 'object', properties: { a: true }, required: ['a'] }],
    ['an empty schema', {}],
  ])('meets %s', (_, schema) => {
    expect(faultsOf(schema)).toEqual([]);
  });

  it('is the same for the same seed, and another for another', () => {
    const schema = { type: 'array', minItems: 8, items: { type: 'integer' } };
    expect(make(schema, 'a')).toEqual(make(schema, 'a'));
    expect(make(schema, 'a')).not.toEqual(make(schema, 'b'));
  });

  it('keeps the order of the properties', () => {
    const schema = { type: 'object', properties: { z: { const: 1 }, a: { const: 2 } }, required: ['a', 'z'] };
    expect(JSON.stringify(make(schema))).toBe('{"z":1,"a":2}');
  });

  it('takes one of the examples where there are some that fit', () => {
    const schema = { type: 'string', maxLength: 10, examples: ['Skip', 'Over', 'a sentence that is too long', 3] };
    const made = new Set(Array.from({ length: 20 }, (_, i) => make(schema, `seed ${i}`)));
    expect(made).toEqual(new Set(['Skip', 'Over']));
    expect(make({ type: 'string', minLength: 1, maxLength: 10, examples: ['much too long a text'] })).toMatch(/^.{1,10}$/);
  });

  it('writes known formats as they are written', () => {
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
  ])('says so when %j cannot be met', (schema) => {
    expect(() => make(schema)).toThrow(Unmeetable);
  });
});
