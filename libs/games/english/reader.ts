import type { Seat } from '../kernel/question.ts';
import { readClaims, readResults } from './claims.ts';
import { readOpinions, readTeam, readVotes } from './opinions.ts';
import { type Act, PLAYER, readReports, seatsIn, type Sentence } from './sentence.ts';
import { type Table, tagged } from './words.ts';

/** A line that was heard before. */
export interface Line {
  readonly by: Seat;
  readonly text: string;
}

/** Who speaks, and the lines before it in signs, which are made when they are needed. */
interface Scene {
  readonly speaker: Seat;
  earlier(): readonly Line[];
}

/**
 * Reads what somebody says in English, at a table of any of the games. A question, a condition, a quotation and what others are said to think
 * accuse nobody and claim nothing. Pronouns and answers without a name are understood by the lines before.
 * @param before the lines before, the last one last; two count. As a function it is called only where they matter
 */
export function read(speech: string, speaker: Seat, table: Table, before: readonly Line[] | (() => readonly Line[]) = []): readonly Act[] {
  let lines: readonly Line[] | undefined;
  const two = (): readonly Line[] => (typeof before === 'function' ? before() : before).slice(-2);
  const earlier = (): readonly Line[] => (lines ??= two().map(({ by, text }) => ({ by, text: tagged(text, table) })));
  const scene: Scene = { speaker, earlier };
  const text = resolve(tagged(speech, table).replaceAll(/["“”][^"“”]*["“”]/g, ' '), scene);
  const acts: Act[] = [];
  const sentences: Sentence[] = [];
  for (const [, words = '', end = ''] of text.replace(SPLIT_RESULT, '$1 :').matchAll(/([^.!?;\n]+)([.!?;\n]*)/g))
    for (const part of words.split(/ (?:but|although|though|however|\n) |^(?:but|no ,) /)) {
      const isQuestion = !GUESS.test(part) && ((end.includes('?') && !TAG.test(part)) || ASKING.test(part.trimStart()));
      const sentence = part
        .replaceAll(/^[ ,:]+|[ ,]+$/g, '')
        .replace(IDIOMS, '')
        .replace(TAG, '')
        .slice(0, LONGEST)
        .trim();
      if (sentence) sentences.push({ text: sentence, isQuestion, acts });
    }
  // a role that is claimed at the end makes results of what was said before
  for (const sentence of sentences) readClaims(sentence, table.roles, () => earlier().some((line) => /#(?:wolf|bad|sus)/.test(line.text)));
  for (const sentence of sentences) readSentence(sentence, table, scene);
  return unique(acts.length ? acts : readAnswer(text, scene), speaker);
}

/** Of a sentence; more is read by nobody, and takes time. */
const LONGEST = 400;
/** A player that somebody looked at, and what it saw as a sentence of its own. */
const SPLIT_RESULT = /((?:[@&]\d+|card|'s|last night|n\d|power))(?: \.)+(?= #[a-z-]+(?: [.!]|$))/;
/** Conditions that suppose nothing, and other words that sound like a doubt. */
const IDIOMS =
  /(?:^| )(?:(?:there (?:is|can be) )?no doubt(?: ,)?|(?:if|unless) (?:i|you (?:must|had to)|nobody|anybody|anyone) [^@&#,:]*?(?:,|(?= i\b|(?=[@&]))|(?= [@&])|$)|if (?:anybody|anyone) [^@&,]*,)/;
/** A name that somebody brings up. */
const GUESS = new RegExp(`^ ?(?:or )?(?:maybe ${PLAYER}|${PLAYER} maybe) ?$`);
/** A question that asks for consent only. */
const TAG = /(?: ,|(?<=#[a-z]+)) (?:right|no|yes|why not|agreed?|you agree|do not you think|ok)$/;
const ASKING =
  /^(?:(?:and|so|but|or|hey|wait|then|maybe|,) )*(?:(?:@\d+ (?:, )?)?(?:who|whom|what(?! i (?:saw|know|have|see))|why|how|which|where|when|whose)\b|(?:is|are|am|do|does|did|can|could|would|will|should|was|were|have|has) (?:i|we|you|he|she|it|they|there|anyone|anybody|[@&]\d+)\b|(?:anyone|anybody)\b|[@&]\d+ (?:, )?(?:are|do|did|can|could|would|will|should|were|have) (?:you|&\d+))/;
const DEMAND =
  /^(?:(?:[@&]\d+|everyone|everybody|all|so|and|then|can|you|#[a-z-]+|,|let us|come on) )*(?:tell us|explain|speak|say|talk|claim|reveal|defend|answer|give|come out|write|share|show)\b|\b(?:what|how) about\b|^#[a-z-]+ (?:should|must|needs to|has to|please)\b/;

/** Who is meant by `you`: at the beginning, at the end, or after it. */
const ADDRESSED = new RegExp(
  `^(?:and |so |hey |, )*(${PLAYER})(?= ,|(?: [a-z]+)? (?:you|your|why|what|who|are|do|did)\\b|(?: ,)? i .*\\byou\\b)|, (${PLAYER})[ .!?]*$|\\byour?\\b.* (?!to |for |of |with |on |about |trust |suspect |vote )[a-z]+ (${PLAYER})[ .!?]*$|\\byou (${PLAYER})`,
);
/** A sentence that goes on about whoever the one before was about. */
const GOES_ON =
  /^(?=(?:seems?|looks?|sounds?|keeps?|acts?|acting|is|because (?:is|keeps)) (?!you|he|she|it|like|we|they|there|@|any|that|this))/;

/** Puts players for `you`, `he` and the like, where somebody is addressed or was named before; the speaker by its own name is `i`. */
function resolve(given: string, { speaker, earlier }: Scene): string {
  const text = given
    .replace(GOES_ON, 'he ')
    .replace(/(?:^| )if you ask me(?: ,)?/, '')
    .replace(/^can we /, 'let us ')
    .replace(/\bif any\w+ is #(?:clean|good|villager) , it is /, 'i trust ')
    .replaceAll(` @${speaker} is `, ' i am ')
    .replace(new RegExp(`^@${speaker} is `), 'i am ');
  if (!/\b(?:you|he|she|him|her|they|them)\b/.test(text)) return text;
  const address = ADDRESSED.exec(text);
  const last = (): Seat | undefined => earlier().findLast(({ by }) => by !== speaker)?.by;
  const named = address?.slice(1).find(Boolean);
  const you = named ? Number(named.slice(1)) : undefined;
  let third: Seat | undefined;
  const thirdBefore = (): Seat | undefined =>
    earlier()
      .flatMap((line) => seatsIn(line.text))
      .findLast((seat) => seat !== speaker) ?? last();
  return text
    .split(' ')
    .map((word, at, words) => {
      if (word.startsWith('@')) third = Number(word.slice(1));
      if (words[at - 1] === 'so') third = seatsIn(text)[0] ?? third; // what somebody has done, and what follows
      const seat = word === 'you' ? (you ?? last()) : /^(?:he|she|him|her|they|them)$/.test(word) ? (third ??= thirdBefore()) : undefined;
      return seat === undefined || seat === speaker ? word : `&${seat}`;
    })
    .join(' ');
}

function readSentence(sentence: Sentence, { roles }: Table, scene: Scene): void {
  const { text, isQuestion, acts } = sentence;
  const count = acts.length;
  const { earlier } = scene;
  readResults(sentence, roles);
  if (/[@&]\d/.test(text)) {
    readOpinions(
      sentence,
      () => earlier().some((line) => line.text.includes('#bot')) && !earlier().some((line) => line.text.includes('#wolf')),
    );
    if (!/ (?:as|for|be) (?:sheriff|badge)\b/.test(text)) readVotes(sentence); // which is a vote for somebody
    if (roles.includes('merlin')) readTeam(sentence);
    if (!isQuestion) readReports(sentence);
  }
  if (acts.length === count && (isQuestion || DEMAND.test(text))) acts.push(asked(text, scene));
}

const ADDRESS = new RegExp(
  `^(?:(?:and|so|hey|what about|how about|what is with|,) )*(${PLAYER})(?: |$)|(?:,|about|me) (${PLAYER})$|&(\\d+)`,
);

/** Whom a question is put to. */
function asked(text: string, { speaker, earlier }: Scene): Act {
  const to = ADDRESS.exec(text);
  const seat = (to?.[1] ?? to?.[2])?.slice(1) ?? to?.[3];
  if (seat !== undefined) return { act: 'asks', about: Number(seat) };
  const last = earlier().at(-1);
  return last && last.by !== speaker && /^(?:why|which(?: one)?|what|how)\b.{0,12}$/.test(text)
    ? { act: 'asks', about: last.by }
    : { act: 'asks-all' };
}

const BARE =
  /^(?:(?:no|so|or|and|yes|maybe|,|\+|\d+|i say|say|for|me too|too|agreed|same|out|it is|for sure|i think|next|today|again|sorry|either|@\d+) ?)+$/;
const AGREED =
  /^(?:\+|\+ ?1|1|agree|agreed|i agree|i do agree|same|me too|yes|yep|yea|exactly|true|facts|i second|ditto|lets go|sure|good idea)\b|\bagree\b|\+ ?1\b/;
const JOINED = /^(?:\+|\+ ?1|same|me too|agreed|i agree|agree|ditto)$/;

/** What an answer without a verb means: a name, or that somebody agrees. */
function readAnswer(text: string, { speaker, earlier }: Scene): Act[] {
  const words = text.replaceAll(/[.!, ]+$/g, '');
  const isAgreed = /^\+/.test(words) || (AGREED.test(words) && !/\bnot\b/.test(words));
  const acts: Act[] = isAgreed ? [{ act: 'agrees' }] : [];
  const names = seatsIn(words);
  if (BARE.test(words) && names.length && names.length <= 2)
    return [...acts, ...names.map((about) => ({ act: 'calls-vote', about }) as const)];
  const last = JOINED.test(words) ? earlier().findLast(({ by }) => by !== speaker) : undefined;
  if (!last || /\?|\bnot\b/.test(last.text)) return acts;
  const meant = seatsIn(last.text).findLast((seat) => seat !== last.by && seat !== speaker);
  return meant === undefined ? acts : [...acts, { act: 'calls-vote', about: meant }];
}

/** Each act once; nobody accuses or asks itself. */
function unique(acts: readonly Act[], speaker: Seat): readonly Act[] {
  const seen = new Set<string>();
  return acts.filter((one) => {
    const key = JSON.stringify(one);
    const isSelf = 'about' in one && one.about === speaker && one.act !== 'claims-result';
    return !isSelf && !seen.has(key) && Boolean(seen.add(key));
  });
}
