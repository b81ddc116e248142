/** What a speech in Japanese states. Expressions are tried on single clauses and repeat within bounds, so that no text takes long. */
import type { Role } from '@maw/games/aiwolf/state.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { markNames, PLAYER, seatOfSign, sentencesIn } from '../../conversation/japanese/mark-names.ts';
import type { Sight, Statement } from '../statement.ts';

const ROLE_WORDS: { readonly [role in Exclude<Role, 'fox' | 'immoralist'>]: string } = {
  seer: '占い師|占師|予言者',
  medium: '霊媒師|霊能者|霊能力者',
  bodyguard: '騎士|狩人|ボディーガード|護衛',
  villager: '素村|村人|市民',
  werewolf: '人狼|狼',
  possessed: '狂人|裏切り者',
};
/** Short words for roles, as players write them when they come out: `占いCO`. */
const SHORT_WORDS: { readonly [role in Role]?: string } = {
  seer: '占い?',
  medium: '霊[媒能]?',
  bodyguard: '狩',
  villager: '村',
  possessed: '狂',
};
const ROLE = Object.values(ROLE_WORDS).join('|');
const SHORT = Object.values(SHORT_WORDS).join('|');
const roleOf = (word: string): Role =>
  (Object.keys(ROLE_WORDS) as (keyof typeof ROLE_WORDS)[]).find((role) =>
    new RegExp(`^(?:${ROLE_WORDS[role]}|${SHORT_WORDS[role] ?? '(?!)'})$`).test(word),
  )!;

/** What is said only if something else holds, and what others say. */
const SUPPOSED = /(?<!か)もし|仮に|(?<!それ)なら|だったら|でしたら|とすれば|場合/;
const HEARSAY = /と(?:言|いう|い[いっ]て|主張|聞|の(?:こと|話))|らしい|だそう|によると|いわく|曰く/;
/** Where one clause ends and another begins: at a comma, and behind a conjunction. */
const BETWEEN_CLAUSES = /,|(?<=(?:です|ます|した|だ|い|る|た|な)(?:ので|から|けれど|けど|が))/;

const SELF = '(?:私|わたくし|わたし|あたし|僕|ぼく|俺|おれ|自分|わし)';
const TRULY = '(?:実は|本当は|真の|本物の|この村の|村の|ただの|普通の|唯一の)';
const OPENING = `(?:はい|では|じゃあ|えーと|えっと|皆さん|みなさん|みんな|改めて|ここで|まず|${TRULY}|${SELF}(?:は|が|こそ|も|の役職は)?)`;
const IS =
  '(?:です(?!か|と)|で(?:ある|あります|ございます)(?!か|と)|な(?:ので|ん(?:です|だ)(?!か|と|ろ))|だ(?=$|よ|ぞ|ぜ|ね|わ|が|から|けど|けれど))';
const WAS = '(?:でした|だった)(?!か|ら|と)';
const COMES_OUT =
  '(?:[のを]|として|で)?,?(?:co|カミングアウト)を?(?:$|します(?!か|と)|する$|した$|しました$|しておきます|しちゃいます|いたします|させてもらいます|させていただきます|したい$|したいと思います|だ|です(?!か))';

const OWN_ROLE = new RegExp(`${SELF}(?:は|が|こそ|こそが|も|の役職は|の正体は)?,?${TRULY}{0,2}(${ROLE})(?:${IS}|${WAS}|で?$)`);
/** Without a subject only at the beginning, and not of a wolf: that is what a result sounds like. */
const BARE_ROLE = new RegExp(`^${OPENING}{0,4}(?!人?狼)(${ROLE})${IS}`);
const COMING_OUT = new RegExp(`^${OPENING}{0,4}(${ROLE}|${SHORT})(?:${COMES_OUT}|co(?=${PLAYER}))`);
const THE_ROLE_IS_ME = new RegExp(`(${ROLE})(?:は|が)${SELF}(?:です(?!か|と)|だ(?=$|よ|ぞ))`);
const AS_ROLE = new RegExp(`^${OPENING}{0,4}(占い師|霊媒師|霊能者)として(?!は|も|お|怪|信)`);

/** The speaker's own role, in one clause. */
function roleIn(clause: string, before = ''): Role | undefined {
  const isAddressed = new RegExp(`${PLAYER}$`).test(before); // `Ann, the seer`
  const found =
    OWN_ROLE.exec(clause) ?? THE_ROLE_IS_ME.exec(clause) ?? (isAddressed ? null : (COMING_OUT.exec(clause) ?? BARE_ROLE.exec(clause)));
  return found ? roleOf(found[1]!) : undefined;
}

const LOOKED = /占い?の?(?:結果|判定)|占い師の結果|占い(?:まし|先)|占って|占った/;
const IDENTIFIED = /霊[媒能](?:師|者)?の?(?:結果|判定)|霊[媒能]し/;
/** `Ann divined Bob`, `Ann's result is: Bob`. */
const OTHERS_RESULT = new RegExp(
  `${PLAYER}(?:が(?:${PLAYER}を)?占|(?:は|が|も)${PLAYER}|の(?:占い?|霊[媒能])の?(?:結果|判定)[はで][^\\ue000-\\uf8ff]{0,9}${PLAYER})`,
);
const WOLF = '人狼|狼|黒|クロ|●';
const HUMAN = '人間|白|シロ|○|村人(?:陣営|側)?';
const LINK =
  '(?:は|が|も|を|の|[,:=→]|->|について|占い?|霊[媒能]|結果|判定|正体|調べ|まし|した|し|った|って|た|ところ|ら|で|昨日|昨夜|今日|やはり|残念ながら|なんと|間違いなく)';
const VERDICT_ENDS = '(?:判定|側|陣営)?(?:と(?:出|判明|わか|分か|の結果)|という結果|が出|を引|$|[,!])';
const TOLD = new RegExp(
  `^${LINK}{0,10}?(?:(${WOLF})|${HUMAN})(?:側|陣営)?(?:(で(?:は|も)?な(?!いか|いで)|じゃな(?!いか|いで)|で(?:は|も)?あり(?!ませんか|ませんでしたか)|じゃあり(?!ませんか))|${IS}|${WAS}|${VERDICT_ENDS}|で$)`,
);
const SHARED = /^(?:と|や|も|,|&|・)$/;

/** The results that a sentence tells of players. */
function resultsIn(sentence: string): readonly { readonly about: Seat; readonly isWolf: boolean }[] {
  const shared: Seat[] = [];
  return playersIn(sentence).flatMap(({ seat, rest }) => {
    if (SHARED.test(rest)) {
      shared.push(seat);
      return [];
    }
    const told = TOLD.exec(rest);
    const about = [...shared.splice(0), seat];
    return told ? about.map((one) => ({ about: one, isWolf: (told[1] !== undefined) !== (told[2] !== undefined) })) : [];
  });
}

/** The players of a text, each with the text up to the next one. */
const playersIn = (text: string): readonly { readonly seat: Seat; readonly rest: string }[] =>
  [...text.matchAll(new RegExp(`(${PLAYER})([^\\ue000-\\uf8ff]*)`, 'g'))].map(([, sign, rest]) => ({
    seat: seatOfSign(sign!),
    rest: rest!,
  }));

const ASKED = '(?:ください|下さい|ほしい|欲しい|いただ|くれ)';
const DONE = `を?(?:します(?!か|と言)|する(?=$|ね|よ|べき|しか|つもりです|つもりだ|予定|ことに|ほうが|方が)|したい(?!わけ|とは|人)|しましょう|しよう(?!とし)|し(?:て)?${ASKED}|すべき|を?お願い|を?希望(?!し(?:な|ませ))|いたします|予定(?:です|だ|$)|です(?!か)|で$|で(?=お願い)|$)`;
const HUNG = `吊(?:り(?:たい(?!わけ|とは)|ましょう|ます|希望|で?$)|る(?=$|べき|しか|ね|よ)|ろう(?!とし)|って${ASKED})`;
const BITTEN = `(?:噛み|喰い|襲い)(?:ます|たい|ましょう)|(?:噛む|喰う|襲う)(?=$|べき|ね|よ)|(?:噛もう|喰おう|襲おう)(?!とし)`;
/** Said of a player just before: an intention, or a request to others. */
const WANTED = new RegExp(
  `^(?:(?:に|へ)(?:は|今日|,|一票|1票|を){0,3}(?:投票${DONE}|入れ(?:ます|たい|ましょう|よう|る(?=$|べき|ね|よ)|て${ASKED}))|(?:を|は)?(?:今日|今夜|今晩|先に|は|,|一緒に|みんなで){0,3}(?:(?:処刑|追放|襲撃)${DONE}|${HUNG}|${BITTEN}))`,
);
const REQUESTED = new RegExp(`(?:${ASKED}|お願い|ましょう|べき)`);
/** Said of a player just before: a suspicion. */
const THINKS =
  '(?:思い(?!ませ)|思う(?!わけ)|思って(?:い(?!ませ|な)|る|ます)|考えて(?:い(?!ませ|な)|る|ます)|見て(?:い(?!ませ|な)|る|ます)|睨んで)';
const NOT_SO = '(?!とは|と(?:も|思い?(?:ま|え|わ)(?:せ|な|ま))|わけ|という|と言|と主張|そうで|かどうか|人|の(?:は|が)|で(?:は|も)な)';
const SUSPECTED = new RegExp(
  `^(?:(?:を|は)(?:一番|かなり|とても|少し|今は|やはり|ずっと|,){0,3}(?:疑って(?:います|いる(?=$|ね|よ|の|んで)|ます|る(?=$|ね|よ|の))|疑(?:います|いたい|わざる|うべき|う$)|怪し(?:んでいます|んでいる$|んでます|みます|む$))|(?:は|が|も|こそ)(?:一番|いちばん|かなり|とても|少し|最も|ちょっと|どうも|やはり|正直|今のところ|私は|,){0,3}(?:(?:怪しい|あやしい|疑わしい|黒い|黒っぽい|黒そう|人狼っぽい|狼っぽい)${NOT_SO}|怪しく(?:見え|思え|感じ)(?:ます|る)|人?狼(?:だと${THINKS}|だろう|でしょう|かも|に見え(?:ます|る)|ではないか|じゃないか|の可能性が高|候補です|${IS}${NOT_SO})))`,
);
/** `my vote is for Ann`, `the suspicious one is Ann`. */
const NAMED = new RegExp(
  `(?:(投票先?|吊り先?|処刑先|希望|襲撃先)|(?:怪しい|疑わしい|疑っている|黒い)のは|(?:人狼|狼)は|最有力候補)(?:は|も|:|が)?(?:今日|やはり|今のところ|一番|多分|たぶん|,){0,3}(${PLAYER})(?:です(?!か|と)|だ(?=$|と${THINKS}|よ|ね)|で(?:$|お願い|いき)|に(?:します|決め|しま|する$|したい|しよう)|かな|でしょう|だろう|$)`,
);
const TOPIC = new RegExp(`${PLAYER}(?:は|が|も)[^\\ue000-\\uf8ff]{0,20}$`);

interface Wish {
  readonly about: Seat;
  readonly isVote: boolean;
}

/** Whom the speaker of a clause wants executed or attacked, or suspects. What another player does is no wish, what it is asked to do is one. */
function wishesIn(clause: string): readonly Wish[] {
  const named = NAMED.exec(clause);
  const wishes: Wish[] = named ? [{ about: seatOfSign(named[2]!), isVote: named[1] !== undefined }] : [];
  let at = 0;
  for (const { seat, rest } of playersIn(clause)) {
    at = clause.indexOf(String.fromCharCode(0xe000 + seat), at);
    const isOthers = TOPIC.test(clause.slice(Math.max(0, at - 24), at));
    const wanted = WANTED.exec(rest);
    if (wanted && (!isOthers || REQUESTED.test(wanted[0]))) wishes.push({ about: seat, isVote: true });
    else if (!isOthers && SUSPECTED.test(rest)) wishes.push({ about: seat, isVote: false });
    at++;
  }
  return wishes;
}

/** A sentence that begins with the result goes on from the one before. */
const RESULT_FOLLOWS = /[。.!](?=(?:その)?(?:結果|判定))/g;

/** What a speaker states in its own name in Japanese; nothing in questions, suppositions, quotations and hearsay. */
export function statementsInJapanese(speech: string, by: Seat, names: readonly string[]): readonly Statement[] {
  const marked = markNames(speech, names);
  if (marked === undefined) return [];
  const sentences = sentencesIn(marked.replaceAll(RESULT_FOLLOWS, ',')).map((sentence) => ({
    ...sentence,
    clauses: sentence.text.split(BETWEEN_CLAUSES),
  }));
  // a claim stands in the clauses before that of a question
  const roles = sentences.flatMap(({ clauses, isQuestion }) =>
    (isQuestion ? clauses.slice(0, -1) : clauses).flatMap((clause, i) => roleIn(clause, clauses[i - 1]) ?? []),
  );
  const stated = sentences.filter(({ text, isQuestion }) => !isQuestion && !SUPPOSED.test(text));
  const reported = stated.flatMap(({ text }) => AS_ROLE.exec(text)?.[1] ?? []).map(roleOf);
  const told = [...roles, ...reported].find((role): role is Sight => role === 'seer' || role === 'medium');
  const found: Statement[] = [];
  const wishes: Wish[] = [];
  for (const { text, clauses } of stated) {
    const as = LOOKED.test(text) ? 'seer' : IDENTIFIED.test(text) ? 'medium' : told;
    const results = as && !HEARSAY.test(text) && !OTHERS_RESULT.test(text) ? resultsIn(text) : [];
    for (const result of results) found.push({ states: 'found', as: as!, ...result });
    const known = new Set(results.map(({ about }) => about));
    wishes.push(...clauses.flatMap(wishesIn).filter(({ about, isVote }) => isVote || !known.has(about)));
  }
  const others = wishes.filter(({ about }) => about !== by);
  const wish = others.findLast(({ isVote }) => isVote) ?? others[0];
  return [
    ...[...new Set(roles)].map((role) => ({ states: 'role', role }) as const),
    ...found,
    ...(wish ? [{ states: 'wish', about: wish.about } as const] : []),
  ];
}
