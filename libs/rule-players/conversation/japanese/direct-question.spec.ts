import { describe, expect, it } from '@jest/globals';
import { japaneseQuestionsTo } from './direct-question.ts';

const names = ['ミナト', 'Bob', 'さくら', '健太'];
const toMinato = (speech: string) => japaneseQuestionsTo(0, speech, 1, names).map(({ by: _, ...question }) => question);

describe('japaneseQuestionsTo', () => {
  it.each([
    ['ミナトさん、誰を疑っていますか？', { subject: 'suspect' }],
    ['ミナトさんは誰に投票しますか', { subject: 'suspect' }],
    ['静かですね、ミナトくん。あなたはどう思う？', { subject: 'suspect' }],
    ['ミナトさん、占い師ですか？', { subject: 'role', role: 'seer' }],
    ['ミナトさんの役職は何ですか？', { subject: 'role' }],
    ['@ミナト なぜ私に投票したのですか？', { subject: 'why', about: 1 }],
    ['ミナトさん、健太さんを疑う理由は何ですか？', { subject: 'why', about: 3 }],
    ['ミナトさん、さくらさんをどう思いますか？', { subject: 'opinion', about: 2 }],
    ['ミナトさん、誰を信じていますか？', { subject: 'trust' }],
    ['ミナトさん、眠いですか？', { subject: 'other' }],
  ])('reads %s', (speech, question) => expect(toMinato(speech)).toEqual([question]));

  it.each([
    'さくらさん、ミナトさんをどう思いますか？',
    'ミナトさんは怪しい。誰が賛成しますか、健太さん？',
    'ミナトさんの言うとおりです。',
    'ミナトン、誰ですか？',
    'ミナト, whom do you suspect?',
    '',
  ])('finds no question to ミナト in %s', (speech) => expect(toMinato(speech)).toEqual([]));

  it('ignores own speech', () => expect(japaneseQuestionsTo(0, 'ミナトさん、誰ですか？', 0, names)).toEqual([]));
});
