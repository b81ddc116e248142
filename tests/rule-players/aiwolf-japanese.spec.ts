import { describe, expect, it } from '@jest/globals';
import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { playGame } from '@maw/minds/arena/arena.ts';
import { findRecipe } from '@maw/minds/recipes.ts';
import { japaneseSentences } from '@maw/rule-players/aiwolf/japanese/sentences.ts';
import { statementsInJapanese } from '@maw/rule-players/aiwolf/japanese/speech.ts';
import { appeal, attackOn, comingOut, inSentences, result, statementsOf, voteFor } from '@maw/rule-players/aiwolf/speech.ts';
import type { Statement } from '@maw/rule-players/aiwolf/statement.ts';
import { fill, type Filling, sentencesOf, voiceOf } from '@maw/rule-players/conversation/voice.ts';
import { japanese } from '@maw/rule-players/conversation/wording.ts';

const names = ['ミナト', 'Alice', '健太', 'さくら', '人狼', 'Minato'];
/** What Minato says. */
const read = (speech: string, of = names) => statementsOf({ speech, by: 5, names: of });

const role = (one: 'seer' | 'medium' | 'bodyguard' | 'possessed' | 'werewolf' | 'villager'): Statement => ({ states: 'role', role: one });
const found = (as: 'seer' | 'medium', about: number, isWolf: boolean): Statement => ({ states: 'found', as, about, isWolf });
const wish = (about: number): Statement => ({ states: 'wish', about });

describe('a speech in Japanese', () => {
  it.each<[string, readonly Statement[]]>([
    ['私は占い師です。', [role('seer')]],
    ['占い師COします！', [role('seer')]],
    ['占いＣＯ', [role('seer')]],
    ['霊能CO。', [role('medium')]],
    ['実は、僕が霊媒師だよ。', [role('medium')]],
    ['皆さん、おはようございます。私は騎士でした。', [role('bodyguard')]],
    ['狩人です。', [role('bodyguard')]],
    ['ただの村人です。', [role('villager')]],
    ['私は狂人なので、一緒に勝ちましょう。', [role('possessed')]],
    ['俺が人狼だ', [role('werewolf')]],
    ['私は占い師ですが、ミナトさんはどう思いますか？', [role('seer')]],
    ['占い師は私です。', [role('seer')]],
    ['私は、占い師としてカミングアウトします', [role('seer')]],
    ['私は占い師です。ミナトさんは人狼でした。', [role('seer'), found('seer', 0, true)]],
    ['占いCO ミナト 白', [role('seer'), found('seer', 0, false)]],
    ['占いCO、ミナト○', [role('seer'), found('seer', 0, false)]],
    ['占い師COします。健太くんは黒、さくらちゃんは白です。', [role('seer'), found('seer', 2, true), found('seer', 3, false)]],
    ['ミナトさんを占った結果、人狼ではありませんでした。', [found('seer', 0, false)]],
    ['昨夜はアリスではなく@Aliceを占いました。結果は黒でした。', [found('seer', 1, true)]],
    ['占い結果：Aliceは人間です', [found('seer', 1, false)]],
    ['ミナトさんの占い結果は白でした。', [found('seer', 0, false)]],
    ['霊媒結果、ミナトさんとAliceさんは白でした。', [found('medium', 0, false), found('medium', 1, false)]],
    ['霊媒師として、健太様は人狼だったので安心です。', [found('medium', 2, true)]],
    ['占い師として、健太氏は人狼です。健太氏に投票しましょう。', [found('seer', 2, true), wish(2)]],
    ['ミナトに投票します', [wish(0)]],
    ['今日はAliceさんに投票したいと思います。', [wish(1)]],
    ['Alice-sanに一票を入れます。', [wish(1)]],
    ['Aliceさん、ミナトさんに投票してください。', [wish(0)]],
    ['Aliceさんはミナトさんに投票してください。', [wish(0)]],
    ['投票先は健太です。', [wish(2)]],
    ['怪しいのはさくらさんだと思います。', [wish(3)]],
    ['ミナトくんが怪しいと思います。', [wish(0)]],
    ['ミナトさんを疑っています。', [wish(0)]],
    ['ミナトさんは人狼かもしれません。', [wish(0)]],
    ['ミナトさんは人狼だと思います。', [wish(0)]],
    ['健太さんは白っぽいので、ミナトさんを吊りたい。', [wish(0)]],
    ['ミナトさんも怪しいですが、Aliceさんに投票します。', [wish(1)]],
    ['今夜はさくらさんを噛みましょう。', [wish(3)]],
    ['今夜はさくらさんを襲撃します。', [wish(3)]],
    ['人狼さんに投票します。', [wish(4)]],
    ['「ミナトさんに投票します」', [wish(0)]],
  ])('is understood: %s', (speech, statements) => expect(read(speech)).toEqual(statements));

  it.each([
    '占い師ですか？',
    'ミナトさんは占い師ですか。',
    '占い師ではありません。',
    '私は占い師じゃないです。',
    '私は人狼ではない。',
    'ミナトさんは占い師です。',
    'ミナトさんは、占い師だと言っています。',
    'ミナトさんが占い師COしました。',
    '占い師COお願いします。',
    '占い師の方はCOしてください。',
    '占い師COしません。',
    '占い師COはありますか？',
    'もし私が占い師なら、ミナトさんを占います。',
    '私が占い師だとしたら、嘘はつきません。',
    '私は占い師だと思われています。',
    '私は占い師を信じます。',
    '「私は占い師です」とミナトさんが言いました。',
    'ミナトさんは人狼ですか？',
    'ミナトさんは人狼ではないと思います。',
    'ミナトさんは人狼だとは思いません。',
    'ミナトさんは怪しくないです。',
    'ミナトさんが怪しいとは思いません。',
    'ミナトさんを疑っていません。',
    'ミナトさんには投票しません。',
    'ミナトさんに投票したくないです。',
    'ミナトさんに投票しました。',
    'ミナトさんに投票しますか？',
    'Aliceさんはミナトさんに投票すると言いました。',
    'Aliceさんはミナトさんを疑っています。',
    'Aliceさんがミナトさんを占って白でした。',
    'ミナトさんが占った結果は白でした。',
    'ミナトさんを占います。',
    'ミナトさんは白です。',
    'Minatoさんに投票します。',
    'ミナトンさんに投票します。',
    '人狼に投票します。',
    'おはようございます。',
    'Alice 健太 ミナト',
    '',
  ])('states nothing: %s', (speech) => expect(read(speech)).toEqual([]));

  it('names players of any name', () => {
    const odd = ['a.b*(c', 'さん', '占い師', '', 'ａｌｉｃｅ', '星'];
    const wishes = odd.map((name) => statementsInJapanese(`${name}さんに投票します。`, 99, odd));
    expect(wishes).toEqual([[wish(0)], [wish(1)], [wish(2)], [], [wish(4)], [wish(5)]]);
    expect(statementsInJapanese('占い師に投票します。', 99, odd)).toEqual([]);
  });

  it('is read without delay, however hostile', () => {
    const parts = [
      '私は',
      '占い師',
      '占いました',
      'ミナトさんは',
      'ミナトさんと',
      'は,',
      '実は',
      'だ',
      '今日は',
      '「',
      ' ',
      '結果',
      '。',
      '\ufdfa',
      'と',
      'で',
      'か',
      'co',
    ];
    for (const a of parts)
      for (const b of parts) for (const end of ['', '人狼', '?']) read((a + b).repeat(2000).slice(0, 2000 - end.length) + end);
    expect(read(`${'あ'.repeat(1990)}。私は占い師です。`)).toEqual([role('seer')]);
  });
});

/** Ten characters each. */
const long = Array.from({ length: 15 }, (_, seat) => `ナマエノナガイヒト${String.fromCharCode(0x4e00 + seat)}`);
const visible = (text: string): number => [...text].filter((each) => each.trim()).length;

describe('the sentences of a mind in Japanese', () => {
  const all = [
    comingOut(1, 'SEER'),
    comingOut(1, 'MEDIUM'),
    comingOut(1, 'POSSESSED'),
    voteFor(2),
    attackOn(14),
    ...(['seer', 'medium'] as const).flatMap((as) =>
      [0, 3].flatMap((about) => [true, false].map((isWolf) => result({ as, about, isWolf }))),
    ),
    appeal({ as: 'seer', about: 3, isWolf: true }),
    appeal({ as: 'medium', about: 3, isWolf: true }),
  ];

  it('state what the utterance states, within 50 characters', () => {
    for (const others of [long, ['Ann', '蓮', 'Minato', 'さくら', ...long.slice(4)]])
      for (let i = 0; i < 20; i++) {
        const voice = voiceOf(japaneseSentences, { table: `${i}`, seat: i % 15, phase: `${i}`, iteration: i, players: [] });
        const spoken = all.map((text) => inSentences(text, { names: others, dead: [0], voice, wording: japanese }));
        expect(spoken.map((text) => statementsOf({ speech: text, by: 1, names: others }))).toEqual(
          all.map((text) => statementsOf({ speech: text, by: 1, names: others })),
        );
        expect(spoken.filter((text) => visible(text) > 50 || /[,\n]/.test(text))).toEqual([]);
      }
  });

  it('have at most 50 characters each, and so have a result and a vote together', () => {
    const name = japanese.name(long[0]!);
    const words: Filling = { name, asker: name, by: name, about: name, target: name, dead: name, who: name, role: japanese.role('seer') };
    const reasons = ['clauseCritic', 'clauseQuiet', 'clauseHunch'] as const;
    const filled = (occasion: keyof typeof japaneseSentences, filling = words) =>
      sentencesOf(japaneseSentences[occasion]).map((sentence) => fill(sentence, filling));
    const occasions = Object.keys(japaneseSentences) as (keyof typeof japaneseSentences)[];
    const spoken = [
      ...occasions.flatMap((occasion) => filled(occasion)),
      ...reasons.flatMap((clause) => filled(clause)).flatMap((reason) => filled('replyWhy', { ...words, reason })),
      ...filled('found').flatMap((one) => filled('vote').map((vote) => one + vote)),
    ];
    expect(spoken.filter((text) => visible(text) > 50 || /[,\n{]/.test(text))).toEqual([]);
  });
});

describe('a game of minds in Japanese', () => {
  const ja = findRecipe('rules', undefined, { language: 'ja' });
  const en = findRecipe('rules');
  const spokenAt = async (recipeFor: (seat: number) => typeof ja, options: object, rules = 'aiwolf') => {
    const { tape, outcome } = await playGame({
      rules: ruleSetNamed(rules),
      players: 5,
      options: { ...options },
      seed: 'japanese',
      names: long.slice(0, 5),
      recipeFor,
    });
    const said = tape.flatMap(({ type, answer, question }) =>
      type === 'answered' && String(question).endsWith('/talk') ? [(answer as { says: readonly string[] }).says[0]!] : [],
    );
    return { outcome, said: said.filter((text) => text !== 'Over') };
  };

  it('ends, and every speech fits the contest', async () => {
    const { outcome, said } = await spokenAt(() => ja, { preset: 'nlp-2025', baseLength: 50 });
    expect(outcome.points).toHaveLength(5);
    expect(said.length).toBeGreaterThan(4);
    expect(said.filter((text) => visible(text) > 50 || /[,\n]/.test(text) || !/[。？]$/.test(text))).toEqual([]);
    expect(said.filter((text) => statementsOf({ speech: text, by: 0, names: long }).length)).not.toEqual([]);
  });

  it('keeps to the language of the protocol where that is spoken, and to English in other games', async () => {
    for (const [options, rules] of [
      [{}, 'aiwolf'],
      [{ maxDays: 1 }, 'maw'],
    ] as const)
      expect((await spokenAt(() => ja, options, rules)).said).toEqual((await spokenAt(() => en, options, rules)).said);
  });
});
