import type { SmallTalk } from '../small-talk.ts';
import type { Book } from '../voice.ts';

/** The same small talk in Japanese. With names of ten characters each sentence is at most 50 characters long; names come with their `さん`. */
export const japaneseSmallTalk = {
  replySuspect: {
    any: [
      '{asker}、今いちばん気になるのは{name}です。',
      '{asker}への答えは{name}です。',
      '強いて言えば{name}ですね、{asker}。',
      '{asker}、考えてみましたが、{name}です。',
    ],
    blunt: ['{asker}、{name}だ。以上。'],
    cautious: ['外れかもしれませんが、{name}が気がかりです。'],
    chatty: ['よく聞いてくれました、{asker}！{name}ですよ。'],
  },
  replySuspectAsker: {
    any: ['正直に言うと、あなたです、{asker}。', '言いにくいのですが、{asker}、あなたです。'],
    dry: ['よりによってあなたが聞きますか、{asker}。'],
  },
  replyNobody: {
    any: ['まだ誰とも言えません、{asker}。', '{asker}、まだ名前は挙げられません。'],
    dry: ['それがわかれば苦労しませんよ、{asker}。'],
  },
  replyTrust: {
    any: ['{asker}、頼りにしているのは{name}です。', '今のところ{name}なら安心です、{asker}。'],
    blunt: ['{asker}、{name}だ。'],
  },
  replyTrustNobody: {
    any: ['自分だけです、{asker}。', '{asker}、今はまだ誰もいません。'],
  },
  replyOpinionBad: {
    any: ['{name}には不安があります、{asker}。', '{asker}、{name}からは目を離せません。'],
  },
  replyOpinionFine: {
    any: ['{asker}、{name}におかしな点はありません。', '{name}は大丈夫そうです、{asker}。'],
  },
  replyOpinionOpen: {
    any: ['{name}のことはまだわかりません、{asker}。', '{asker}、{name}はどちらとも言えません。'],
  },
  replyWhy: {
    any: ['{reason}からです、{asker}。', '{asker}、理由は単純です。{reason}からです。'],
    blunt: ['{reason}からだ、{asker}。'],
  },
  replyWhyOpen: {
    any: ['見たままに判断しました、{asker}。', '{asker}、あれが最善だと思ったのです。'],
  },
  replyNotSo: {
    any: ['{target}には入れていませんよ、{asker}。', '{asker}、人違いです。{target}の件は知りません。'],
  },
  replyGuilty: {
    any: ['違います、{asker}。', 'まさか。違いますよ、{asker}。'],
    blunt: ['違う、{asker}。'],
    dry: ['そうだとしても言いませんよ、{asker}。'],
  },
  replyRole: {
    any: ['{role}のことは今は話せません、{asker}。', '{asker}、{role}が誰かはまだ伏せておきましょう。'],
    blunt: ['言わない、{asker}。'],
  },
  replyPlain: { any: ['そこはまだ秘密です、{asker}。', '{asker}、それは後でわかります。'] },
  replyClaimed: {
    any: ['もうお話ししたとおりです、{asker}。', '{asker}、言ったことに変わりはありません。'],
  },
  replyOther: {
    any: ['それにはまだ答えられません、{asker}。', '少し考えさせてください、{asker}。'],
    dry: ['難しい質問ですね、{asker}。'],
  },
  replyAnswer: { any: ['お答えします、{asker}。', '{asker}、名前ですね。'] },
  because: { any: ['{reason}からです。', '{reason}のを覚えていますか。'] },
  turned: { any: ['{name}への考えを改めました。', '{name}のことは取り消します。'] },
  conceded: { any: ['{name}のことは私の間違いでした。'] },
  replyUnsaid: { any: ['{asker}、そのようなことは言っていません。', 'それは私の言葉ではありません、{asker}。'] },
  untrue: { any: ['{by}、{name}は{target}に入れていません。'] },
  clauseFound: { any: ['{by}が{who}を人狼と見た'] },
  clauseVote: { any: ['{who}が人間の{target}に入れた'] },
  clauseTurn: { any: ['{who}が{target}を疑って{other}に入れた'] },
  clauseCritic: { any: ['{who}が私に入れた'] },
  clauseAccuser: { any: ['{who}に名指しされた'] },
  clauseQuiet: { any: ['{who}が何も話さなかった'] },
  clauseHunch: { any: ['直感が働いた', 'ほかに手がかりがなかった'] },
  protest: {
    any: ['なぜ私なんですか、{by}。', '見当違いですよ、{by}。', '{by}、それは誤解です。'],
    blunt: ['ばかばかしい、{by}。'],
    cautious: ['お気持ちはわかりますが、誤解です、{by}。'],
    dry: ['私とは、独創的ですね、{by}。'],
  },
  thanks: {
    any: ['ありがとうございます、{by}。', '{by}、うれしいです。'],
    blunt: ['どうも、{by}。'],
  },
  claimHeard: {
    any: ['大きな話が出ましたね、{by}。', '{by}、証拠を待っています。', '聞きましたよ、{by}。対抗はいるのでしょうか。'],
    blunt: ['大きく出たな、{by}。'],
    dry: ['ずいぶん都合のいい話ですね、{by}。'],
  },
  confessed: { any: ['ご冗談でしょう、{by}。', '{by}、聞かなかったことにします。'] },
  agree: {
    any: ['{by}と同じ考えです。', '{by}の言うとおりです。', '{by}の意見に賛成です。'],
    blunt: ['{by}に賛成だ。'],
    cautious: ['{by}の意見には一理ありそうです。'],
  },
  disagree: {
    any: ['{by}の意見には賛成できません。', '{about}については意見が違います、{by}。', '{by}、少し急ぎすぎです。'],
    blunt: ['{by}には反対だ。'],
  },
  mourn: {
    any: ['{dead}を失いました。', '{dead}がいなくなるとは思いませんでした。', '{dead}のことは残念です。'],
    chatty: ['{dead}ともっと話したかったです。'],
  },
  ask: {
    any: ['{name}、誰が怪しいと思いますか？', '{name}はどう考えていますか？', '{name}、ご意見を聞かせてもらえますか？'],
    blunt: ['{name}、誰なのか言ってくれますか？'],
    cautious: ['よければ、{name}、誰が気になりますか？'],
  },
  askQuiet: {
    any: ['{name}、静かですね。どう考えていますか？', '{name}の声をあまり聞いていません。どう思いますか？'],
  },
} as const satisfies Book<SmallTalk>;
