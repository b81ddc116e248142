import { describe, expect, it } from '@jest/globals';
import { bearerToken, secretMatcher } from './bearer.ts';

describe('bearerToken', () => {
  it('takes the token of a bearer header, whatever its case', () => {
    expect(bearerToken('Bearer a.b-c')).toBe('a.b-c');
    expect(bearerToken('bearer  abc ')).toBe('abc');
  });

  it('takes nothing from any other header', () => {
    for (const header of [undefined, '', 'Bearer', 'Bearer a b', 'Basic abc', 'abc']) expect(bearerToken(header)).toBeUndefined();
  });
});

describe('secretMatcher', () => {
  it('matches the whole secret only', () => {
    const matches = secretMatcher('secret');
    expect(['secret', 'secre', 'secrets', 'Secret', ''].map(matches)).toEqual([true, false, false, false, false]);
  });
});
