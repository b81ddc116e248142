import { describe, expect, it } from '@jest/globals';
import { importsOf } from './imports.ts';

describe('importsOf', () => {
  it.each([
    ["import a from 'x'", ['x']],
    ["import type { A } from 'x'", ['x']],
    ["export * from 'x'; export { a } from 'y'; export const b = 1", ['x', 'y']],
    ["const a = await import('x')", ['x']],
    ["type A = import('x').B", ['x']],
    ["const a = require('x')", ['x']],
    ['const a = await import(name)', ['?']],
    ["// import a from 'x'\nconst s = \"follows from 'y'\"", []],
  ])('reads %s', (code, found) => {
    expect(importsOf('a.ts', code)).toEqual(found);
  });
});
