import { expect, it } from '@jest/globals';
import { diffLines, foldEqual } from './line-diff.ts';

const signed = (before: string, after: string): string[] => diffLines([...before], [...after]).map(({ sign, text }) => sign + text);

it('keeps the lines that both texts have in order, and signs the others', () => {
  expect(signed('abcde', 'abxde')).toEqual([' a', ' b', '-c', '+x', ' d', ' e']);
  expect(signed('acbd', 'abcd')).toEqual([' a', '-c', ' b', '+c', ' d']);
  expect(signed('aaa', 'aa')).toEqual([' a', ' a', '-a']);
  expect(signed('', 'ab')).toEqual(['+a', '+b']);
  expect(signed('ab', 'ab')).toEqual([' a', ' b']);
});

it('counts a middle that is too large as replaced', () => {
  const many = (name: string): string[] => Array.from({ length: 2100 }, (_, i) => `${name} ${i}`);
  const diff = diffLines(['first', ...many('old'), 'last'], ['first', ...many('new'), 'last']);
  expect(diff).toHaveLength(4202);
  expect(diff.filter(({ sign }) => sign === ' ').map(({ text }) => text)).toEqual(['first', 'last']);
});

it('leaves out equal lines that are far from a change', () => {
  const parts = foldEqual(diffLines([...'abcdefgh'], [...'abcdefgX']), 2);
  expect(parts).toEqual([{ skipped: 5 }, { lines: [' f', ' g', '-h', '+X'].map((line) => ({ sign: line[0], text: line[1] })) }]);
  expect(foldEqual(diffLines([...'abcd'], [...'abcX']), 2)).toHaveLength(2); // a single line is shown
});
