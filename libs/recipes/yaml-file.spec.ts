import { describe, expect, it } from '@jest/globals';
import { openYaml, RecipeError } from './yaml-file.ts';

const mistakesOf = (text: string): readonly string[] => {
  try {
    openYaml('own.yaml', text);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(RecipeError);
    return (error as Error).message.split('\n');
  }
};

const bomb = [
  'a0: &a0 [x, x, x, x, x, x, x, x, x]',
  ...Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(9)}]`),
];

describe('a text of YAML', () => {
  it('is read as JSON could hold it, in the one form of text', () => {
    expect(openYaml('own.yaml', 'name: Zoe\u0308\r\nlist: [1, true, null, "were\u00adwolf"]\n').value).toEqual({
      name: 'Zoë',
      list: [1, true, null, 'werewolf'],
    });
  });

  it.each([
    ['an alias of itself', 'agents: &a [*a]', /^own\.yaml:1: \*a: aliases are not read; write out what it stands for$/],
    ['a merge of an alias', 'a: &a {x: 1}\nb:\n  <<: *a', /^own\.yaml:3: \*a: aliases/],
    ['a value in bytes', 'a: !!binary aGk=', /^own\.yaml:1: "aGk=": JSON has no such value/],
    ['no number', 'b: 1\na: .nan', /^own\.yaml:2: "\.nan": JSON has no such value/],
    ['an own tag', 'a: !go x', /^own\.yaml:1: it is not YAML: Unresolved tag/],
    ['a key twice', 'a: 1\nb: 2\na: 3', /^own\.yaml:3: a: it is there twice; remove one$/],
    ['a list as a key', '? [a, b]\n: 1', /^own\.yaml:1: a list or a set of fields is no name of a field$/],
    ['two documents', 'a: 1\n---\nb: 2', /^own\.yaml:\d: a second document begins; one is read$/],
    ['what is not closed', 'a: [1, 2', /^own\.yaml:\d: it is not YAML: /],
    ['many brackets', '['.repeat(60_000), /^own\.yaml:1: it nests more than 64 deep$/],
    ['many lists', '- '.repeat(30_000), /^own\.yaml:1: it nests more than 64 deep$/],
    ['many fields in fields', '{a: '.repeat(20_000), /^own\.yaml:1: it nests more than 64 deep$/],
    ['indentation without end', Array.from({ length: 200 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'), /^own\.yaml:\d+: it nests more than 64 deep$/], // prettier-ignore
    ['more than anybody writes', 'x'.repeat(2 ** 20 + 1), /^own\.yaml: it has 1048577 characters; at most 1048576 are read$/],
  ])('with %s is refused with its line', (_, text, wrong) => expect(mistakesOf(text)[0]).toMatch(wrong));

  it('that would expand to millions of values is refused, with ten mistakes told', () => {
    const mistakes = mistakesOf(bomb.join('\n'));
    expect(mistakes).toHaveLength(11);
    expect(mistakes.at(-1)).toBe('and 71 more mistakes');
  });

  it('takes time by its length, not by the square of it', () => {
    const took = (keys: number): number => {
      const text = Array.from({ length: keys }, (_, i) => `key${i}: &anchor${i} value`).join('\n');
      const before = process.cpuUsage();
      openYaml('own.yaml', text);
      return process.cpuUsage(before).user / 1_000;
    };
    took(1_000);
    expect(took(24_000)).toBeLessThan(24 * Math.max(20, took(3_000))); // a square would be 64 times, and a hundred at the start
  });
});
