import { describe, expect, it } from '@jest/globals';
import { chat, type Open, type Question, secret, vote } from './question.ts';
import { objection } from './refusal.ts';

const open = (q: Question): Open => ({ ...q, answers: [], passed: [] });
const talk = open(chat('day-1/talk', [0, 1], 100));
const said = (text: string) => objection(talk, { by: 0, says: [text] });

describe('speech', () => {
  it.each([
    ['a family of emoji', '👩\u200d👩\u200d👧\u200d👦'],
    ['a flag with a variation selector', '🏳\ufe0f\u200d🌈'],
    ['a skin tone before a joiner', '👩🏽\u200d🚀'],
    ['Persian', 'می\u200cخواهم'],
    ['Hindi', 'क्\u200dष और क्\u200cष'],
    ['Bengali, with a joiner before a mark', 'র\u200d্যাব'],
  ])('may hold the joiners of %s', (_, text) => expect(said(text)).toBeUndefined());

  it.each([
    ['a line break', 'a\nb', 'character 2 is U+000A'],
    ['a mark that turns text', '🐺\u202eb', 'character 2 is U+202E'],
    ['a hidden space', 'ab\u200bc', 'character 3 is U+200B'],
    ['a tag character', 'a\u{e0041}', 'character 2 is U+E0041'],
    ['half a character', 'a\ud800', 'character 2 is U+D800'],
    ['a joiner at the start', '\u200da', 'character 1 is U+200D'],
    ['a joiner at the end', 'a\u200c', 'character 2 is U+200C'],
    ['a joiner beside a space', 'a\u200d b', 'character 2 is U+200D'],
    ['two joiners in a row', 'a\u200d\u200db', 'character 2 is U+200D'],
    ['joiners between signs', '1\u200d2', 'character 2 is U+200D'],
  ])('may not hold %s, which is named', (_, text, named) => {
    const why = said(text)!;
    expect(why.reason).toBe('unprintable');
    expect(why.detail).toMatch(new RegExp(`^${named.replace('+', '[+]')};`));
  });
});

describe('a text', () => {
  it.each([
    [' ', 'nothing-said'],
    ['x'.repeat(501), 'too-long'],
    ['🐺'.repeat(501), 'too-long'],
    ['🐺'.repeat(500), undefined],
  ])('is counted in characters, and blanks are nothing', (text, reason) => expect(said(text)?.reason).toBe(reason));
});

describe('a choice that is no option', () => {
  it('is repeated in the refusal, cut where it is long', () => {
    const ballot = open(vote('day-1/vote', [0, 1], ['seat:0', 'seat:1'], 100, { self: false }));
    expect(objection(ballot, { by: 0, says: ['seat:0'] })).toMatchObject({
      reason: 'not-an-option',
      detail: '"seat:0" is no option; choose from seat:1',
    });
    const two = open(secret('night/swap', [0], ['a', 'b', 'c'], 100, { pick: 2 }));
    expect(objection(two, { by: 0, says: ['b', 'x'] })!.detail).toBe('"x" is no option; choose from a, b, c');
    expect(objection(ballot, { by: 0, says: ['x'.repeat(9_000)] })!.detail.length).toBeLessThan(200);
  });
});
