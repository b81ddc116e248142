import { describe, expect, it } from '@jest/globals';
import { cleanLine, cleanText, firstUnprintable, foldCase, isPrintable, printable } from './clean.ts';

const ENGLAND = '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}';

describe('a text in the one form', () => {
  it.each([
    ['a line ended as on Windows', 'a\r\nb', 'a\nb'],
    ['a line ended as on old systems', 'a\rb', 'a\nb'],
    ['a separator of lines', 'a\u2028b', 'a\nb'],
    ['a tab', 'a\tb', 'a b'],
    ['a letter in parts', 'Zoe\u0308', 'Zoë'],
    ['a letter in parts, with a mark between', 'Zoe\u200b\u0308', 'Zoë'],
    ['a soft hyphen', 'were\u00adwolf', 'werewolf'],
    ['a zero-width space', 'a\u200bb', 'ab'],
    ['a byte order mark', '\ufeffa', 'a'],
    ['a word joiner', 'a\u2060b', 'ab'],
    ['a mark of a phone’s Arabic keyboard', '\u061cسلام', 'سلام'],
    ['direction marks in Hebrew', '\u200fשלום\u200f, Ann', 'שלום, Ann'],
    ['marks that turn the text', 'a\u202eb\u202c', 'ab'],
    ['a joiner between Latin letters', 'A\u200dnn', 'Ann'],
    ['a joiner beside a blank', 'a \u200db', 'a b'],
    ['tags that are no flag', 'a\u{e0041}\u{e007f}', 'a'],
  ])('has mended %s', (_, given, clean) => {
    expect(cleanText(given)).toBe(clean);
    expect(cleanText(clean)).toBe(clean);
  });

  it.each([
    ['Persian', 'می\u200cخواهم'],
    ['a Persian name', 'علی\u200cرضا'],
    ['Malayalam, at the end of a word', 'അനിവര്\u200d'],
    ['Hindi', 'क्\u200dष और क्\u200cष'],
    ['Bengali, with a joiner before a mark', 'র\u200d্যাব'],
    ['Sinhala', 'ශ්\u200dරී'],
    ['a family', '👩\u200d👩\u200d👧\u200d👦'],
    ['a flag of many colours', '🏳\ufe0f\u200d🌈'],
    ['a skin tone', '👩🏽\u200d🚀'],
    ['England’s flag', `Go ${ENGLAND}!`],
  ])('keeps what the script needs: %s', (_, text) => {
    expect(cleanText(text)).toBe(text);
    expect([isPrintable(text), printable(text)]).toEqual([true, text]);
  });

  it('is one line where a line is wanted, without blanks around it', () => {
    expect(cleanLine(' Hello.\r\n\r\n I am\ta villager.\n')).toBe('Hello. I am a villager.');
    expect(cleanLine('\u00ad\u200b \n')).toBe('');
  });

  it('keeps what cannot be mended, which is told by its place', () => {
    const wrong = [cleanLine('a\u001b[2Jb'), cleanLine('می\u200cخ\u0000'), cleanLine('\u00adx\ud800'), cleanLine('\ue000')];
    expect(wrong.map(firstUnprintable)).toEqual([
      { at: 2, code: 'U+001B' },
      { at: 5, code: 'U+0000' },
      { at: 2, code: 'U+D800' },
      { at: 1, code: 'U+E000' },
    ]);
    expect(wrong.map(printable)).toEqual(['a [2Jb', 'می\u200cخ', 'x', '']);
  });
});

it('folds case, width and what nobody sees, and no accents', () => {
  const [one, ...same] = ['Zoë', 'ZOE\u0308', 'Ｚoë', 'Zo\u00adë'].map(foldCase);
  expect(same).toEqual([one, one, one]);
  expect(foldCase('Zoe')).not.toBe(one);
});
