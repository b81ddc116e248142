import { describe, expect, it } from '@jest/globals';
import type { News } from '../../news.ts';
import { scoreOf } from './score.ts';

const event = (type: string, more: object = {}): News => ({ at: 0, event: { type, ...more }, text: '.' });
const speech = (text: string): News => ({ at: 0, by: 1, speech: text, text });

describe('the score of a message', () => {
  it.each<[string, News, string, number]>([
    ['a result of the Seer', event('inspected'), 'maw', 5],
    ['what Merlin sees', event('saw', { of: [1] }), 'avalon', 5],
    ['a card that was looked at', event('looked'), 'onuw', 5],
    ['what the medium learns', event('identified'), 'aiwolf', 5],
    ['a death', event('dawned', { dead: [{ seat: 1 }] }), 'werewolf-7', 4],
    ['a night without a death', event('dawned', { dead: [] }), 'werewolf-7', 1],
    ['the end of a quest', event('quested'), 'avalon', 4],
    ['an antidote', event('saved'), 'werewolf-7', 2],
    ['the own claim', speech('Well, I am the Seer.'), 'maw', 3],
    ['a guess', speech('I think that Bob might be a werewolf'), 'werewolf-7', 3],
    ['a guess about a side', speech('Bob must be evil.'), 'avalon', 3],
    ['a sentence of the protocol', speech('ESTIMATE Agent[02] WEREWOLF'), 'aiwolf', 3],
    ['a role that belongs to another game', speech('I am the Witch.'), 'maw', 1],
    ['talk about roles in general', speech('The Seer should speak first.'), 'maw', 1],
    ['anything else', speech('Hello. Who is there?'), 'maw', 1],
  ])('of %s', (_, news, rules, score) => {
    expect(scoreOf(news, rules)).toBe(score);
  });
});
