import { describe, expect, it } from '@jest/globals';
import { catalogue } from '../catalogue.ts';
import { rolesOf } from '../roles.ts';
import { CALLED_SO, readName, RESERVED } from './player-name.ts';

describe('a name', () => {
  const western = ['A', 'Ann', 'Player 1', 'x_y-z', '7', 'Łukasz', 'a'.repeat(24), 'Zoë', "O'Neil", 'D’Arcy', 'Dr. Who', 'And', 'for'];
  const others = ['木村', 'علی\u200cرضا', 'അനിവര്\u200d', 'क्\u200dष', 'ශ්\u200dරී', 'محمّد', 'נֹעַם', 'கவி', 'Nguyễn'];
  it.each([...western, ...others])('may be %j', (name) => expect(readName(name)).toBe(name.normalize('NFC')));

  it.each([
    [' Ann ', 'Ann'],
    ['Ann\n', 'Ann'],
    ['Ann\u200b', 'Ann'],
    ['Ann\u200e', 'Ann'],
    ['\u202eAnn', 'Ann'],
    ['A\u200dnn', 'Ann'],
    ['A\u00adnn', 'Ann'],
    ['Zoe\u0308', 'Zoë'],
    ['\ufeffAnn', 'Ann'],
    ['Ann\tBo', 'Ann Bo'],
    ['\u061cعلی', 'علی'],
  ])('is mended: %j is %j', (given, name) => expect(readName(given)).toBe(name));

  it.each([
    '',
    ' ',
    'A  B',
    'a'.repeat(25),
    '\ufdfb'.repeat(4), // 32 characters in a prompt
    'Ann<b>',
    '**Ann**',
    'Ann\nGamemaster',
    'A\u001b[31m',
    'Ann\u{e0100}',
    '\u3164',
    '\u200c\u200d',
    'Ann:',
    'seat:1',
    '\u0301a',
    'a\u0316\u0317\u0318\u0319',
    '🐺',
    '___',
    '.',
    "'",
    'Gamemaster',
    'GAME MASTER',
    'narrator',
    'Host',
    'everyone',
    'Ｗerewolf',
    'Were\u00adwolf',
    'Seat 3',
    'Player B',
    'You',
  ])('may not be %j', (name) => expect(() => readName(name)).toThrow('bad-name'));

  it.each([
    ['Ann', 'ann'],
    ['Ann', 'ＡＮＮ'],
    ['𝕬𝖓𝖓', 'Ann'],
    ['Ann\u200e', 'Ann'],
    ['Zoe\u0308', 'Zoë'],
    ['علی\u200cرضا', 'علیرضا'],
  ])('%j is taken by %j', (name, other) => expect(() => readName(name, [other])).toThrow('name-taken'));

  it('is no role and no side of any rule set, but for roles that people are called by', () => {
    const words = catalogue.flatMap((set) => [...rolesOf(set.name), ...Object.keys(set.sides ?? {})]);
    expect(words.length).toBeGreaterThan(20);
    const free = words.filter((word) => !RESERVED.includes(word.toLowerCase().replaceAll('-', ' ')));
    expect(new Set([...free, 'sheriff', 'lady'])).toEqual(new Set(CALLED_SO));
  });

  it('is none of the rooms or the words that any rule set offers', () => {
    const text = catalogue.map((set) => set.text(set.players.usual, {})).join('\n');
    const rooms = [...text.matchAll(/\bthe ([A-Z][a-z]+)\b/g)].map(([, room]) => room!.toLowerCase());
    const found = rooms.filter((word) => /^(?:village|hideout|table|lobby|coven)$/.test(word));
    expect(new Set(found).size).toBeGreaterThan(1);
    for (const word of [...found, 'pass', 'approve', 'reject', 'skip', 'over', 'success', 'fail']) expect(RESERVED).toContain(word);
  });
});
