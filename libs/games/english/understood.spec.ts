import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { rolesOf } from '../roles.ts';
import { read } from './reader.ts';
import type { Act } from './sentence.ts';
import { readerRoles, understood } from './understood.ts';

const names = ['Ann', 'Ben', 'Cleo', 'Dan', '$& {of} | x', 'Max', 'Zac'];
const table = (rules: string) => ({ names, roles: readerRoles(rolesOf(rules)) });
/** What Zac is told when he says it. */
const told = (text: string, rules = 'werewolf-7'): string => understood(read(text, 6, table(rules)), table(rules));

it.each([
  ['Ben is lying', 'Ben is a Werewolf'],
  ['I do not think that Ben is a wolf', 'Ben is no Werewolf'],
  ['my vote goes to ben', 'you vote for Ben'],
  ['Lynch Ben!', 'all should vote for Ben'],
  ['I am the Seer and I asked about Ben: Werewolf!', 'you are the Seer; you know that Ben is a Werewolf'],
  ['I checked Cleo yesterday: she was a Villager.', 'you know that Cleo is no Werewolf'],
  ['vt here', 'you are a Villager'],
  ['i swear im not a wolf', 'you are no Werewolf'],
  ['im guard, protected ann last night', 'you are the Guard; you have protected Ann'],
  ['Ben voted for Dan, so he is a wolf', 'Ben is a Werewolf; Ben has said something about Dan'],
  ['ben what do you think', 'you ask Ben something'],
  ['who is the wolf?', 'you ask everybody something'],
  ['ben is the bot', 'Ben is a program'],
  ['+1', 'you agree'],
  ['hello everybody', ''],
])('tells who says %j: %s', (text, words) => expect(told(text)).toBe(words));

it.each([
  ['avalon', 'merlin here: dan and ann are evil', 'you are Merlin; you know that Dan is evil; you know that Ann is evil'],
  ['avalon', 'Ben is evil', 'Ben is evil'],
  ['avalon', 'ben is good', 'Ben is good'],
  ['avalon', 'take ben, leave out cleo', 'Cleo should not be on the team'],
  [
    'avalon',
    'im percy, ben or max is merlin',
    'you are Percival; you know that Ben is Merlin or Morgana; you know that Max is Merlin or Morgana',
  ],
  ['onuw', 'i looked at the middle: seer', 'you know that a card in the centre is the Seer'],
  ['onuw', 'woke up as robber', 'you know that your last card is the Robber'],
  ['onuw', 'I took werewolf from Ann', 'you took the card of Ann: a Werewolf'],
  ['onuw', 'robbed nobody', 'you have robbed nobody'],
  ['maw', 'I am a werewolf', 'you are a Werewolf'],
])('has the words of %s for %j', (rules, text, words) => expect(told(text, rules)).toBe(words));

it('keeps a name as it is', () => {
  expect(understood([{ act: 'reports', of: 4, about: 1 }], table('maw'))).toBe('$& {of} | x has said something about Ben');
  expect(understood([{ act: 'accuses', about: 4 }], table('maw'))).toBe('$& {of} | x is a Werewolf');
});

const SPEECH = new URL('../../../../shared/data/human-speech/', import.meta.url);
const linesOf = (file: string): readonly string[] =>
  existsSync(SPEECH) ? readFileSync(new URL(file, SPEECH), 'utf8').trim().split('\n') : []; // nothing where the games of people are not at hand
it('has words without codes for all that people say, each player by name', () => {
  for (const line of ['claims.jsonl', 'llmafia.jsonl'].flatMap(linesOf)) {
    const { text, players, speaker, by } = JSON.parse(line) as { text: string; players: string[]; speaker?: string; by?: string };
    for (const rules of ['maw', 'onuw', 'avalon']) {
      const at = { names: players, roles: readerRoles(rolesOf(rules)) };
      const acts = read(text, players.indexOf((speaker ?? by)!), at);
      const words = understood(acts, at);
      expect(words).not.toMatch(/[{}|#@&]|undefined|seat \d|not-/);
      const named = acts.flatMap((one: Act) => ('about' in one && typeof one.about === 'number' ? [players[one.about]!] : []));
      expect(named.filter((name) => !words.includes(name))).toEqual([]);
    }
  }
});
