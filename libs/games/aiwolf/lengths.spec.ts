import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { readOptions } from '../kernel/options.ts';
import { cut, shareOf, uncutChars } from './lengths.ts';
import { aiwolfOptions } from './options.ts';

const OTHERS = ['Asuka', 'Toshio', 'Takumi'];
const limits = (given: object = {}) => readOptions(aiwolfOptions, { preset: 'nlp-2026', ...given });
const fit = (text: string, given: object = {}, share = 0) => cut(text, OTHERS, share, limits(given));
const JAPANESE = { baseLength: 50, mentionLength: 50 };

describe('an utterance', () => {
  it.each([
    ['letters', 'a', {}, 125],
    ['Japanese', '村', JAPANESE, 50],
    ['emoji', '🐺', JAPANESE, 50],
  ])('of %s is cut after so many characters', (_, letter, given, length) => {
    expect(fit(letter.repeat(length), given)).toBe(letter.repeat(length));
    expect(fit(letter.repeat(length + 1), given)).toBe(letter.repeat(length));
  });

  it('keeps its blanks, which do not count, and ends with the last character that fits', () => {
    expect(fit('  blanks  ')).toBe('  blanks  ');
    expect(fit('b c '.repeat(100))).toBe(`${'b c '.repeat(62)}b`);
    expect(fit('村\u3000'.repeat(60), JAPANESE)).toBe('村\u3000'.repeat(50).trimEnd());
  });

  it('has room after a mention, which always gets blanks around it', () => {
    expect(fit('Hello @Takumi and')).toBe('Hello  @Takumi  and');
    expect(fit('@Takumi hi')).toBe(' @Takumi  hi');
    expect(fit(`${'x'.repeat(130)}@Takumi${'y'.repeat(130)}`)).toBe(`${'x'.repeat(125)} @Takumi ${'y'.repeat(125)}`);
    expect(fit(`${'村'.repeat(60)}@Takumi${'🐺'.repeat(60)}`, JAPANESE)).toBe(`${'村'.repeat(50)} @Takumi ${'🐺'.repeat(50)}`);
    expect(fit('Hello @Takumi and', { mentionLength: 0 })).toBe('Hello @Takumi and');
    expect(fit('Hello @Nobody and')).toBe('Hello @Nobody and');
  });

  it('mentions whom the text names first, or the lowest seat', () => {
    const text = 'Hello @Toshio and @Asuka dear';
    expect(fit(text)).toBe('Hello  @Toshio  and @Asuka dear');
    expect(fit(text, { mention: 'lowest' })).toBe('Hello @Toshio and  @Asuka  dear');
  });

  it('takes from the share of the day what is beyond its length', () => {
    const shared = { baseLength: 10, mentionLength: 5, lengthPerDay: 8 };
    expect(fit('a'.repeat(30), shared, 8)).toBe('a'.repeat(18));
    const both = fit(`${'a'.repeat(13)}@Takumi${'b'.repeat(30)}`, shared, 8);
    expect(both).toBe(`${'a'.repeat(13)} @Takumi ${'b'.repeat(10)}`);
    expect(shareOf(both, OTHERS, limits(shared))).toBe(8);
    expect(shareOf('a'.repeat(12), OTHERS, limits(shared))).toBe(2);
    expect(shareOf('short', OTHERS, limits(shared))).toBe(0);
  });

  it('has a limit of its own for both parts together', () => {
    const most = { baseLength: 10, mentionLength: 10, lengthPerTalk: 12 };
    expect(fit(`${'a'.repeat(20)}@Takumi${'b'.repeat(20)}`, most)).toBe(`${'a'.repeat(10)} @Takumi bb`);
    expect(fit('a'.repeat(20), { baseLength: 0, lengthPerTalk: 12 })).toBe('a'.repeat(12));
    expect(fit(`${'a'.repeat(20)}@Takumi b`, { ...most, lengthPerTalk: 5 })).toBe('aaaaa');
  });

  it('is counted in words or in all characters as well', () => {
    expect(fit('one  two three', { baseLength: 2, lengthIn: 'words' })).toBe('one two');
    expect(fit('one  two', { baseLength: 2, lengthIn: 'words' })).toBe('one  two');
    expect(fit('a b c', { baseLength: 3, lengthIn: 'characters' })).toBe('a b');
  });

  const captured = (name: string) => new URL(`../../../../shared/data/aiwolf-nlp/probe-odd-answers${name}`, import.meta.url);
  const there = existsSync(captured('.log')) ? it : it.skip; // the captures are no part of the repository

  there.each([
    [3, ['Asuka', 'Mizuki', 'May', 'Benjamin']],
    [5, ['Asuka', 'Mizuki', 'Toshio', 'May']],
  ])('is cut as the published server cuts what agent %i says', (agent, others) => {
    const packets = readFileSync(captured(`-seat${agent}.jsonl`), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly dir: 'S' | 'C'; readonly text: string });
    const sent = packets.flatMap(({ dir, text }, i) => (dir === 'C' && packets[i - 1]!.text.startsWith('{"request":"TALK"') ? [text] : []));
    const log = readFileSync(captured('.log'), 'utf8').split('\n');
    const stored = log.flatMap((line) => RegExp(`^\\d+,talk,\\d+,\\d+,${agent},(.*)$`).exec(line)?.[1] ?? []);
    expect(sent.length).toBeGreaterThan(7);
    expect(sent.map((text) => cut(text.replaceAll('\n', ''), others, 0, limits({ mention: 'lowest' })))).toEqual(stored);
  });

  it('is said to be as long as what is never cut', () => {
    expect(uncutChars(limits())).toBe(125);
    expect(uncutChars(limits({ lengthPerDay: 50 }))).toBe(175);
    expect(uncutChars(limits({ lengthPerTalk: 100 }))).toBe(100);
    expect(uncutChars(limits({ lengthIn: 'words' }))).toBe(500);
    expect(uncutChars(limits({ preset: 'protocol-2021' }))).toBe(500);
  });
});
