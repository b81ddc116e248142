import { japaneseSmallTalk } from '../../conversation/japanese/small-talk.ts';
import type { Book } from '../../conversation/voice.ts';
import type { Occasion } from '../sentences.ts';

/** What is said at AIWolf in Japanese. A result and a vote together have at most 50 characters, with names of ten. */
export const japaneseSentences = {
  ...japaneseSmallTalk,
  claim: {
    any: ['私は{role}です。', '{role}COします。', '実は私が{role}です。', 'お伝えします。私は{role}です。'],
    blunt: ['聞いてくれ。私が{role}だ。'],
    dry: ['もう隠しても仕方ありません。私は{role}です。'],
  },
  vote: {
    any: ['{name}に投票します。', '今日は{name}に投票します。', '{name}が怪しいです。', '{name}を疑っています。', '投票先は{name}です。'],
    blunt: ['{name}に投票する。'],
    cautious: ['{name}が少し怪しいです。'],
  },
  attack: { any: ['{name}を襲撃します。', '今夜は{name}を襲撃しましょう。'] },
  found: { any: ['{role}として、{name}は人狼です。', '{role}としての結果、{name}は黒です。'] },
  cleared: { any: ['{role}として、{name}は人間です。', '{role}としての結果、{name}は白です。'] },
  foundDead: { any: ['{role}として、{name}は人狼でした。', '{role}としての結果、{name}は黒でした。'] },
  clearedDead: { any: ['{role}として、{name}は人間でした。', '{role}としての結果、{name}は人狼ではありませんでした。'] },
} as const satisfies Book<Occasion>;
