import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { isTest, root, sourceFiles } from '../equipment/source/repository.ts';
import { crowdedState, MAX_STATE_FIELDS } from './state.ts';

const product = sourceFiles().filter((path) => /^(libs|services|apps)\//.test(path) && !isTest(path));

it('keeps no state of the product in more fields than one reader can follow', () => {
  const found = product.flatMap((path) => crowdedState(path, readFileSync(join(root, path), 'utf8')).map((each) => `${path}: ${each}`));
  expect(found).toEqual([]);
});

const fields = (count: number, field: (n: number) => string) => Array.from({ length: count }, (_, n) => field(n)).join('\n');
const assigned = (count: number) => fields(count, (n) => `  f${n}: number;`);

describe('crowdedState', () => {
  it.each([
    ['an interface', `interface Bag {\n${assigned(9)}\n}`, 'line 1: Bag has 9 fields that change'],
    ['a type', `\ntype Bag = {\n${assigned(9)}\n};`, 'line 2: Bag has 9 fields that change'],
    ['a class', `class Bag {\n${fields(9, (n) => `  #f${n} = 0;`)}\n}`, 'line 1: Bag has 9 fields that change'],
    ['maps', `interface Bag {\n${assigned(8)}\n  readonly m: Map<string, number>;\n}`, 'line 1: Bag has 9 fields that change'],
    ['arrays', `interface Bag {\n${assigned(8)}\n  readonly a: string[];\n}`, 'line 1: Bag has 9 fields that change'],
    ['arrays of types', `interface Bag {\n${assigned(8)}\n  readonly a: Map<'a', number>[];\n}`, 'line 1: Bag has 9 fields that change'],
    ['sets of a class', `class Bag {\n${assigned(8)}\n  readonly #s = new Set<string>();\n}`, 'line 1: Bag has 9 fields that change'],
    ['lists of a class', `class Bag {\n${assigned(8)}\n  readonly #l = [];\n}`, 'line 1: Bag has 9 fields that change'],
  ])('reports too much state in %s', (_, code, expected) => {
    expect(crowdedState('a.ts', code)).toEqual([expected]);
  });

  it('accepts state at the limit, beside any number of fields that never change', () => {
    const fixed = fields(
      20,
      (n) => `  readonly r${n}: readonly string[];\n  readonly m${n}: ReadonlyMap<string, number>;\n  do${n}(): void;`,
    );
    expect(crowdedState('a.ts', `interface Bag {\n${assigned(MAX_STATE_FIELDS)}\n${fixed}\n}`)).toEqual([]);
    expect(crowdedState('a.ts', `class Bag {\n${fields(20, (n) => `  readonly r${n} = ${n};\n  static s${n} = 1;`)}\n}`)).toEqual([]);
  });

  it('counts what an interface extends, and each part for itself', () => {
    const part = `interface Part {\n${assigned(8)}\n}\n`;
    expect(crowdedState('a.ts', `${part}interface Whole { readonly part: Part; other: Part }`)).toEqual([]);
    expect(crowdedState('a.ts', `${part}interface Whole extends Part { more: 1 }`)).toEqual(['line 11: Whole has 9 fields that change']);
  });
});
