import { describe, expect, it } from '@jest/globals';
import { applied, mutantAt, placesOf } from './mutant.ts';

const mutations = (code: string) => placesOf('a.ts', code).map((place) => applied(mutantAt(1, 'a.ts', code, place), code));

describe('placesOf', () => {
  it.each([
    ['const a = b < c;', ['const a = b <= c;']],
    ['const a = b && c;', ['const a = b || c;']],
    ['const a = true;', ['const a = false;']],
    ['const a = 5;', ['const a = (5 * 2);']],
    ['const a = 0;', ['const a = 1;']],
    ['const a = !b;', ['const a = !!b;']],
    ['const a = b ? c : d;', ['const a = !(b) ? c : d;']],
    ['a();', [';']],
    ["const a = 'x' + b;", []],
    ["import a from 'x'; type A = 1 | true;", []],
    ["'use strict';", []],
  ])('mutates %s', (code, expected) => {
    expect(mutations(`${code}\n`)).toEqual(expected.map((each) => `${each}\n`));
  });
});

describe('applied', () => {
  const code = 'const a = 1 + 1;\nconst b = 1 + 1;\n';
  const second = placesOf('a.ts', code).filter(({ kind }) => kind === 'number')[3]!;

  it('mutates the occurrence that was chosen', () => {
    expect(applied(mutantAt(1, 'a.ts', code, second), code)).toBe('const a = 1 + 1;\nconst b = 1 + (1 * 2);\n');
  });

  it('finds the place again after lines were added above it', () => {
    expect(applied(mutantAt(1, 'a.ts', code, second), `// more\n\n${code}`)).toBe('// more\n\nconst a = 1 + 1;\nconst b = 1 + (1 * 2);\n');
  });

  it('reports a place that is gone', () => {
    expect(applied(mutantAt(1, 'a.ts', code, second), 'const c = 2;\n')).toBeUndefined();
  });
});
