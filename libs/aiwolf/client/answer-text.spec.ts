import { describe, expect, it } from '@jest/globals';
import { answerText } from './answer-text.ts';
import { naturalGame, protocolGame } from './packets.suite.ts';
import { naturalNotice } from './natural-notice.ts';
import { protocolNotice } from './protocol-notice.ts';
import { askedFor, beginView } from './seat-view.ts';

function viewOf({ terms, situation }: ReturnType<typeof protocolNotice>) {
  return beginView(terms!, situation!).view;
}
const protocol = () => viewOf(protocolNotice(protocolGame.packets[2]!));
const natural = () => viewOf(naturalNotice(naturalGame.packets[1]!));

describe('an answer', () => {
  it('is a number in JSON without a blank in the protocol division, and a bare name in the other', () => {
    const numbered = protocol();
    expect(answerText('protocol', numbered, askedFor(numbered, 'VOTE', 0).question, 'seat:2')).toBe('{"agentIdx":3}');
    const named = natural();
    expect(answerText('natural', named, askedFor(named, 'VOTE', 0).question, 'seat:2')).toBe('Cid');
  });

  it('of the protocol division is a sentence of its language, or Skip', () => {
    const view = protocol();
    const { question } = askedFor(view, 'TALK', 0);
    const text = (says: string) => answerText('protocol', view, question, says);
    expect(text('VOTE Agent[02]')).toBe('VOTE Agent[02]');
    expect(['I am human', '', 'Over\nOver'].map(text)).toEqual(['Skip', 'Skip', 'Skip']);
  });

  it.each([
    ['Well, I think,\nDot lies', 'Well I think Dot lies'],
    ['0123456789 0123456789 012', '0123456789 0123456789'], // 20 visible characters
    ['占い師です、ボブは人狼でした。一二三四五六七', '占い師です、ボブは人狼でした。一二三四五'],
    ['@Dot you and @Eve', '@Dot you and Eve'],
    ['I ask @Dot and @Eve', 'I ask Dot and Eve'],
    [' , ', 'Over'],
    ['Over', 'Over'],
  ])('of the natural-language division has no comma, line feed, late mention or excess: %j', (says, text) => {
    const view = natural();
    expect(answerText('natural', view, askedFor(view, 'TALK', 0).question, says)).toBe(text);
  });
});
