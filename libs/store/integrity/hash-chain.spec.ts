import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { canonicalJson, eventDigest, chainLink } from './hash-chain.ts';

const sha256 = (of: string | Buffer) => createHash('sha256').update(of).digest('hex');

describe('the canonical form', () => {
  it('is that of RFC 8785: its own example', () => {
    // Section 3.2.3, sorted by code units: the emoji (a surrogate pair) comes before U+FB33.
    const keys = JSON.parse(
      '{"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control","\\u00f6":"Latin Small Letter O With Diaeresis"}',
    );
    expect(Object.values(JSON.parse(canonicalJson(keys)))).toContain('One');
    expect(canonicalJson(keys)).toBe(
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    );
    // Section 3.2.2.
    expect(
      canonicalJson({
        numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
        literals: [null, true, false],
      }),
    ).toBe('{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27]}');
  });

  it.each([
    [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
    [{ aa: 1, b: 2, B: 3 }, '{"B":3,"aa":1,"b":2}'],
    [{ 10: 1, 9: 2 }, '{"10":1,"9":2}'],
    [[-0, 1.0, 1e21, 1e-7], '[0,1,1e+21,1e-7]'],
    [{ gone: undefined, deep: { gone: undefined, kept: [undefined, Number.NaN] } }, '{"deep":{"kept":[null,null]}}'],
    [JSON.parse('{"__proto__":{"a":1},"toString":2}'), '{"__proto__":{"a":1},"toString":2}'],
    [{ at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
    [[], '[]'],
    [{}, '{}'],
    ['', '""'],
  ])('of %j is %s', (value, text) => expect(canonicalJson(value)).toBe(text));

  it('is lossless, and equal for equal JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const copy: unknown = JSON.parse(JSON.stringify(value));
        expect(canonicalJson(value)).toBe(canonicalJson(copy));
        expect(JSON.parse(canonicalJson(value))).toEqual(copy);
      }),
      { numRuns: 300 },
    );
  });

  it('ignores the order of keys but not of list items', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 2, maxLength: 6 }), (keys) => {
        const one = Object.fromEntries(keys.map((key, i) => [key, i]));
        const other = Object.fromEntries(keys.map((key, i) => [key, i] as const).toReversed());
        expect(canonicalJson(one)).toBe(canonicalJson(other));
        expect(canonicalJson(keys)).not.toBe(canonicalJson(keys.toReversed()));
      }),
    );
  });
});

describe('an event', () => {
  const event = { table: 't1', sequence: 2, at: 1_767_225_600_123, cause: 'm1', event: { type: 'said', text: 'Grüße' } };

  it('has the digest of its canonical form', () => {
    expect(eventDigest(event)).toBe(sha256('["t1",2,1767225600123,"m1",{"text":"Grüße","type":"said"}]'));
  });

  it.each([
    { table: 't2' },
    { sequence: 3 },
    { at: 1_767_225_600_124 },
    { cause: 'm2' },
    { event: { type: 'said', text: 'Grüsse' } },
    { event: { type: 'said', text: 'Grüße', by: null } },
  ])('has another with %j', (other) => expect(eventDigest({ ...event, ...other })).not.toBe(eventDigest(event)));

  it('is linked to its predecessor by the bytes of both hashes', () => {
    const digest = eventDigest(event);
    expect(chainLink(undefined, digest)).toBe(sha256(Buffer.from(digest, 'hex')));
    expect(chainLink(sha256('before'), digest)).toBe(
      sha256(Buffer.concat([Buffer.from(sha256('before'), 'hex'), Buffer.from(digest, 'hex')])),
    );
  });
});
