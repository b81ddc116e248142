import type { Seat } from '@maw/games/kernel/question.ts';
import type { DirectQuestion } from '../direct-question.ts';
import { roleWords } from '../wording.ts';
import { markNames, PLAYER, seatOfSign, sentencesIn } from './mark-names.ts';

/** The player whom a sentence addresses: at its beginning or its end. */
const FIRST = new RegExp(
  `^(?:では|じゃあ|それで|ところで|よければ|すみません|,){0,3}(${PLAYER})(?:,|に(?:質問|聞き)|(?:は|の)(?=.{0,30}(?:誰|どう|どなた|なぜ|どうして|何|聞いて|です|ます)))`,
);
const LAST = new RegExp(`,(${PLAYER})$`);

/** The questions in a Japanese speech that are put to one player by name; `あなた`, or nobody in particular, means whoever was named last. */
export function japaneseQuestionsTo(me: Seat, speech: string, by: Seat, names: readonly string[]): readonly DirectQuestion[] {
  const marked = by === me ? undefined : markNames(speech, names);
  const found: DirectQuestion[] = [];
  let to: Seat | undefined;
  for (const { text, isQuestion } of marked === undefined ? [] : sentencesIn(marked)) {
    const sign = (FIRST.exec(text) ?? LAST.exec(text))?.[1];
    if (sign !== undefined) to = seatOfSign(sign);
    if (isQuestion && to === me) found.push({ by, ...subjectOf(text, me, by) });
  }
  return found;
}

const ROLE_ASKED = new RegExp(`(${Object.values(roleWords).join('|')}|霊能者|狩人)(?:です|なのです|なんです|でしょう|な)`);
/** Other words for the same roles. */
const SYNONYMS: { readonly [word: string]: string } = { 霊能者: 'medium', 狩人: 'bodyguard' };
const roleOf = (word: string): string => SYNONYMS[word] ?? Object.keys(roleWords).find((role) => roleWords[role] === word)!;

function subjectOf(question: string, me: Seat, by: Seat): Omit<DirectQuestion, 'by'> {
  const named = [...question.matchAll(new RegExp(PLAYER, 'g'))].map(([sign]) => seatOfSign(sign)).find((seat) => seat !== me);
  const about = named ?? (/私|僕|俺/.test(question) ? by : undefined);
  const of = about === undefined ? {} : { about };
  if (/なぜ|どうして|何で(?!す|し)|なんで|理由|根拠/.test(question)) return { subject: 'why', ...of };
  const role = named === undefined ? ROLE_ASKED.exec(question)?.[1] : undefined;
  if (role) return { subject: 'role', role: roleOf(role) };
  if (/役職|役は|何者|正体/.test(question)) return { subject: 'role' };
  if (/信(?:じ|用|頼)/.test(question)) return { subject: 'trust' };
  if (named !== undefined) return { subject: 'opinion', about: named };
  return { subject: /誰|どなた|怪し|疑|投票|どう|考え|意見|気にな/.test(question) ? 'suspect' : 'other' };
}
