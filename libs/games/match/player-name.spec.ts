import { describe, expect, it } from '@jest/globals';
import { readName } from './player-name.ts';

describe('a name', () => {
  it.each(['A', 'Ann', 'Player 1', 'x_y-z', '7', 'Łukasz', '木村', 'a'.repeat(24), 'Zoë'])('may be %j', (name) => {
    expect(readName(name)).toBe(name.normalize('NFC'));
  });

  it.each([
    '',
    ' ',
    ' Ann',
    'Ann ',
    'A  B',
    'a'.repeat(25),
    '\ufdfb'.repeat(4), // 32 characters in a prompt
    'Ann<b>',
    '**Ann**',
    'Ann\n',
    'A\u001b[31m',
    'Ann\u200b',
    'Ann\u{e0100}',
    '\u3164',
    '\u202eann',
    'Ann:',
    'seat:1',
    '\u0301a',
    '🐺',
    'Gamemaster',
    'GAME MASTER',
    'narrator',
  ])('may not be %j', (name) => expect(() => readName(name)).toThrow('bad-name'));

  it.each([
    ['Ann', 'ann'],
    ['Ann', 'ＡＮＮ'],
    ['Zoe\u0308', 'Zoë'],
  ])('%j is taken by %j', (name, other) => expect(() => readName(name, [other])).toThrow('name-taken'));
});
