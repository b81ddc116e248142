import { describe, expect, it } from '@jest/globals';
import { Refusal } from '@maw/contracts/refusal.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { z } from 'zod';
import { resolveReferences, schemaCompiler } from './answer-schema.ts';

const vote = z.object({ do: z.literal('vote'), target: z.enum(['Ada', 'Bo']) });
const inspect = z.object({
  do: z.literal('inspect'),
  targets: z
    .array(z.enum(['Ada', 'Bo']))
    .length(2)
    .meta({ uniqueItems: true }),
});
const refused = (format: object): unknown => {
  try {
    schemaCompiler()(format as { [keyword: string]: unknown });
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('schemaCompiler', () => {
  it('checks answers against a Zod schema and names the faulty path', () => {
    const check = schemaCompiler()(z.toJSONSchema(z.union([vote, inspect])));
    expect(check('{"do":"vote","target":"Ada"}')).toBeUndefined();
    expect(check('{"do":"inspect","targets":["Ada","Bo"]}')).toBeUndefined();
    expect(check('{"do":"inspect","targets":["Ada","Ada"]}')).toBeDefined();
    expect(check('{"do":"vote","target":"Cy"}')).toContain('/target');
    expect(check('{"do":"vote","target":"Ada","more":1}')).toBeDefined();
    expect(check('<think>hm</think>{"do":"vote","target":"Ada"}')).toBe('not JSON');
    expect(check('{"do":"vote","targ')).toBe('not JSON');
  });

  it('requires an object for "json"', () => {
    const check = schemaCompiler()('json');
    expect(check('{}')).toBeUndefined();
    for (const wrong of ['[]', 'null', '"text"', '']) expect(check(wrong)).toBeDefined();
  });

  it.each([
    ['a reference', { $ref: '#' }],
    ['a reference within', { anyOf: [{ properties: { a: { $ref: '#' } } }] }],
    ['a regular expression that is none', { type: 'string', pattern: '(a' }],
    ['names by regular expression', { patternProperties: { '(a+)+$': {} } }],
    ['unbounded uniqueness', { type: 'array', uniqueItems: true }],
    ['nonsense', { type: 'nonsense' }],
    ['a number that is none', { type: 'string', maxLength: 'five' }],
    ['a name for itself', { properties: { a: { $id: 'http://x/y' } } }],
    ['depth', Array.from({ length: 60 }).reduce<object>((inner) => ({ items: inner }), {})],
    ['depth in its data', { const: Array.from({ length: 60 }).reduce<unknown>((inner) => [inner], 1) }],
    ['depth that no stack can hold', { enum: [Array.from({ length: 20_000 }).reduce<unknown>((inner) => [inner], 1)] }],
    ['a promise for a verdict', { $async: true, type: 'object' }],
    ['very many parts', { anyOf: Array.from({ length: 300 }, (_, n) => ({ minLength: n })) }],
    ['size', { enum: Array.from({ length: 20_000 }, (_, n) => `name ${n}`) }],
  ])('refuses a schema with %s', (_, schema) => {
    const error = refused(schema);
    expect(error).toBeInstanceOf(Refusal);
    expect(error).toMatchObject({ reason: 'unreadable', detail: expect.stringContaining('the schema in format cannot be used') });
  });

  it('accepts properties and enum values named like keywords', () => {
    const check = schemaCompiler()({
      type: 'object',
      properties: { pattern: { enum: ['$ref'] }, $ref: { const: { pattern: 1 } } },
      required: ['pattern'],
    });
    expect(check('{"pattern":"$ref"}')).toBeUndefined();
    expect(check('{"pattern":"x"}')).toBeDefined();
  });

  it('accepts 300 subschemas, and properties named like inherited ones', () => {
    const many = schemaCompiler()({ anyOf: Array.from({ length: 299 }, (_, n) => ({ const: n })) });
    expect([many('298'), many('299')]).toEqual([undefined, expect.any(String)]);
    const inherited = { properties: { constructor: { type: 'number' }, toString: { type: 'number' } } };
    expect(schemaCompiler()(inherited)('{}')).toBeUndefined();
    expect(schemaCompiler()(inherited)('{"toString":"x"}')).toBe('/toString must be number');
    expect(schemaCompiler()({ required: ['constructor'] })('{}')).toBeDefined();
    expect(schemaCompiler()({ required: ['constructor'] })('{"constructor":1}')).toBeUndefined();
  });

  it('aborts a check that takes too long', () => {
    // Each subschema scans the whole answer: 14 million comparisons, and as many errors.
    const check = schemaCompiler()({ anyOf: Array.from({ length: 140 }, (_, n) => ({ contains: { const: `q${n}` } })) });
    expect(check(JSON.stringify(Array.from({ length: 100_000 }, () => 1)))).toMatch(/^it cannot be checked in time/);
    const long = schemaCompiler()({ type: 'array', items: { enum: Array.from({ length: 100 }, (_, n) => n) } });
    const answer = Array.from({ length: 10_000 }, (_, n) => n % 100);
    expect(long(JSON.stringify(answer))).toBeUndefined();
    expect(long(JSON.stringify([...answer, 100]))).toBe('/10000 must be equal to one of the allowed values');
  });

  it('checks regular expressions, and aborts one that backtracks without end', () => {
    const check = schemaCompiler()({ type: 'object', properties: { seat: { type: 'string', pattern: '^S[0-9]+$' } }, required: ['seat'] });
    expect([check('{"seat":"S12"}'), check('{"seat":"12"}')]).toEqual([undefined, expect.stringContaining('/seat must match pattern')]);
    const endless = schemaCompiler()({ type: 'string', pattern: '^(a+)+$' });
    expect(endless('"aaa"')).toBeUndefined();
    expect(endless(JSON.stringify(`${'a'.repeat(60)}b`))).toMatch(/^it cannot be checked in time/);
  });

  it('caches the two hundred checks used last', () => {
    const checkOf = schemaCompiler();
    const first = checkOf({ const: 0 });
    expect(checkOf({ const: 0 })).toBe(first);
    for (let n = 1; n <= 200; n++) checkOf({ const: n });
    expect(checkOf({ const: 0 })).not.toBe(first);
  });
});

describe('resolveReferences', () => {
  const text = { type: 'string' };
  it.each<[string, object, object]>([
    ['a nested model', { properties: { a: { $ref: '#/$defs/T' } }, $defs: { T: text } }, { properties: { a: text } }],
    ['one at the root', { $ref: '#/$defs/T', $defs: { T: text } }, text],
    ['one of an old draft', { items: { $ref: '#/definitions/T' }, definitions: { T: text } }, { items: text }],
    ['one within one', { $ref: '#/$defs/A', $defs: { A: { items: { $ref: '#/$defs/T' } }, T: text } }, { items: text }],
    ['the same one twice', { anyOf: [{ $ref: '#/$defs/T' }, { $ref: '#/$defs/T' }], $defs: { T: text } }, { anyOf: [text, text] }],
    ['one with a description', { $ref: '#/$defs/T', description: 'x', $defs: { T: text } }, { ...text, description: 'x' }],
    ['one with more to hold', { $ref: '#/$defs/T', minLength: 2, $defs: { T: text } }, { allOf: [text, { minLength: 2 }] }],
    ['one to a property', { properties: { a: text, b: { $ref: '#/properties/a' } } }, { properties: { a: text, b: text } }],
    ['an escaped name', { $ref: '#/$defs/a~1b~0c', $defs: { 'a/b~c': text } }, text],
    [
      'names and data like keywords',
      { properties: { $ref: text, $defs: text }, enum: [{ $ref: '#/x' }] },
      {
        properties: { $ref: text, $defs: text },
        enum: [{ $ref: '#/x' }],
      },
    ],
  ])('writes out %s', (_, schema, resolved) => {
    expect(resolveReferences({ ...schema })).toEqual(resolved);
    expect(schemaCompiler()(resolveReferences({ ...schema }))).toBeInstanceOf(Function);
  });

  /** Each refers twice to the next: 2^n subschemas. */
  const doubling = Object.fromEntries(
    Array.from({ length: 9 }, (_, n) => [`A${n}`, { anyOf: [{ $ref: `#/$defs/A${n + 1}` }, { $ref: `#/$defs/A${n + 1}` }] }]),
  );
  it.each<[string, object, string]>([
    ['into itself', { $ref: '#' }, 'refers to itself'],
    ['back into itself', { $ref: '#/$defs/N', $defs: { N: { properties: { next: { $ref: '#/$defs/N' } } } } }, 'refers to itself'],
    ['in a circle', { $ref: '#/$defs/A', $defs: { A: { $ref: '#/$defs/B' }, B: { $ref: '#/$defs/A' } } }, 'refers to itself'],
    ['to another document', { $ref: 'http://127.0.0.1/secret.json' }, 'is no schema'],
    ['to nothing', { $ref: '#/$defs/T' }, 'is no schema'],
    ['to what every object inherits', { $ref: '#/constructor' }, 'is no schema'],
    ['to data', { $ref: '#/title', title: 'x' }, 'is no schema'],
    ['to more than 300 subschemas', { $ref: '#/$defs/A0', $defs: { ...doubling, A9: text } }, '300 subschemas'],
    [
      'to depth',
      { $ref: '#/$defs/A', $defs: { A: Array.from({ length: 30 }).reduce<object>((items) => ({ items }), {}) } },
      'deeper than 24',
    ],
  ])('refuses references that lead %s', (_, schema, why) => {
    expect(() => resolveReferences({ ...schema })).toThrow(
      expect.objectContaining({ reason: 'unreadable', detail: expect.stringContaining(why) }),
    );
  });
});

describe('the metric of schema failures counts', () => {
  const nested = (deep: number): object => (deep === 0 ? {} : { not: nested(deep - 1) });
  it.each([
    ['an answer that is not JSON', 'not_json', () => schemaCompiler()('json')('{')],
    ['one that is not JSON for a schema', 'not_json', () => schemaCompiler()({ type: 'string' })('text')],
    ['one of another shape', 'wrong_shape', () => schemaCompiler()({ type: 'string' })('1')],
    ['one that is no object', 'wrong_shape', () => schemaCompiler()('json')('[]')],
    ['a keyword that is not taken', 'hostile', () => refused({ patternProperties: {} })],
    ['uniqueItems without end', 'hostile', () => refused({ uniqueItems: true })],
    ['one that is too deep', 'too_large', () => refused(nested(30))],
    ['one of too many schemas', 'too_large', () => refused({ anyOf: Array.from({ length: 301 }, () => ({})) })],
    ['one that is too long', 'too_large', () => refused({ title: 'x'.repeat(60_001) })],
    ['one that is no schema', 'unusable', () => refused({ type: 'whatever' })],
    ['an answer that is right', undefined, () => schemaCompiler()({ type: 'string' })('"text"')],
  ] as const)('%s', async (_, kind, act) => {
    metrics.schemaFailures.reset();
    act();
    expect((await metrics.schemaFailures.get()).values).toEqual(kind ? [{ labels: { kind }, value: 1 }] : []);
  });
});
