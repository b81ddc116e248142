import { describe, expect, it } from '@jest/globals';
import { wholeSentences } from './whole-sentences.ts';

describe('the whole sentences of a text', () => {
  it.each([
    ['Bob lies. I saw it. And then', undefined, 'Bob lies. I saw it.'],
    ['Bob lies. I saw it.', undefined, 'Bob lies. I saw it.'],
    ['Bob lies. I saw it.', 12, 'Bob lies.'],
    ['Bob lies.', 9, 'Bob lies.'],
    ['Bob lies.', 8, ''],
    ['He said "Bob lies." Then he', undefined, 'He said "Bob lies."'],
    ['- Bob: wolf\n- Ann: vil', undefined, '- Bob: wolf'],
    ['She has 3.5 points and', undefined, ''],
    ['ボブは狼です。私は', undefined, 'ボブは狼です。'],
    ['Is it Bob?! Or', undefined, 'Is it Bob?!'],
    ['and so on and on', undefined, ''],
    ['', undefined, ''],
  ])('of %j with at most %s characters are %j', (text, maxChars, whole) => expect(wholeSentences(text, maxChars)).toBe(whole));
});
