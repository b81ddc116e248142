import type { Speaker } from '../../kernel/language.ts';
import { escapePattern } from '../../kernel/name-pattern.ts';
import { numberedName } from './agent-names.ts';
import { type Agent, agentOf, ANY } from './content-reader.ts';

/** Who speaks, and when: the day or night of the language. */
export interface Talker extends Speaker {
  readonly day: number;
  readonly channel: 'TALK' | 'WHISPER';
}

/** A sentence that cannot be translated. Without a message it is not understood at all. */
export class Unclear extends Error {
  override readonly name = 'Unclear';
}

export const shown = (agent: Agent, { names }: Speaker): string =>
  agent === ANY ? 'everybody' : numberedName(names[agent - 1] ?? 'Agent', agent - 1);

const SIGNS = /^(?:[@#%][\p{L}\p{N}]+|[,.?])$/u;

/** Replacements in their order. Before the last ones `did` marks the past, and `seem` what only another player is. Articles and words that add nothing go. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bi'?m\b/g, 'i am'],
  [/\blet'?s\b/g, 'let us'],
  [/\b(?:wo|ca)n'?t\b/g, 'will not'],
  [/\b(do|does|did|is|are|was|have|has|would|could|should)n'?t\b/g, '$1 not'],
  [/\bdid not\b/g, 'not did'],
  [/'ll\b/g, ' will'],
  [/'ve\b/g, ' have'],
  [/\b(what|who|he|she|they|it|you|that)'(?:s|re)\b/g, '$1 is'],
  [/\byour\b/g, 'you'],
  [/\b(?:(?:were)?wol(?:f|ves|fs)|(?<!\bi am (?:\w+ )?)(?:suspicious|evil))\b/g, '#WEREWOLF'],
  [/\b(?:seers?|fortune tellers?)\b/g, '#SEER'],
  [/\bmediums?\b/g, '#MEDIUM'],
  [/\b(?:possessed|madm[ae]n)\b/g, '#POSSESSED'],
  [/\b(?:bodyguards?|(?<=\bthe )guard)\b/g, '#BODYGUARD'],
  [/\b(?:villagers?|townsfolk)\b/g, '#VILLAGER'],
  [/\b(?:humans?|innocent|(?<!\bi am (?:\w+ )?)good)\b/g, '#HUMAN'],
  [/\b(?:everybody|everyone|all of you|you all|all)\b/g, '@all'],
  [/\b(?:day ?(\d+))\b/g, '%$1'],
  [
    /\b(?:an?|the|that(?! is\b)|please|really|definitely|probably|maybe|perhaps|just|now|today|tonight|also|too|well|ok|okay|hello|hi|hmm|certainly|surely|clearly|still|have|has|real|true)\b/g,
    '',
  ],
  [/\b(?:seems?(?: to be)?|looks?(?: like)?(?! at\b)|(?:must|may|might|could|would|should) be)\b/g, 'seem'],
  [/\b(?:to be|am|are|be)\b/g, 'is'],
  [/\b(?:needs?|ought|must) to\b|\bmust\b/g, 'should'],
  [/\b(?:does|do|will|would|can|could)\s+not\b|\bcannot\b/g, 'not'],
  [/(?<=(?:@\d+|\b(?:he|she|they))\s+)(?:not\s+(?:seem|is)|(?:seem|is)\s+not)\b/g, 'is not'],
  [/(?<=(?:@\d+|\b(?:he|she|they))\s+)seem\b/g, 'is'],
  [/\bis (vot|divin)ing\b/g, '$1e'],
  [/\bis (guard|attack|protect)ing\b/g, '$1'],
  [/\bis going to\b|\b(?:want|plan|intend|would like) to\b|\b(?:shall|would)\b/g, 'will'],
  [/\b(vote[sd]?)\s+(?:for|against|out)\b/g, '$1'],
  [/\b(?:looked at|inspected|checked)\b/g, 'divined'],
  [/\b(?:look at|inspect|check)s?\b/g, 'divine'],
  [/\bprotected\b/g, 'guarded'],
  [/\bprotects?\b/g, 'guard'],
  [/\b(?:killed|ate|hunted)\b/g, 'attacked'],
  [/\b(?:kill|eat|hunt)s?\b/g, 'attack'],
  [/\b(?:is (?:sure|certain|convinced)|(?:suppose|guess|reckon|assume|(?<!\bnot\s+)know|think|estimate)s?)\b/g, 'think'],
  [/\b(?:accuse|distrust)s?\b/g, 'suspect'],
  [/\b(?:claim|pretend)s?(?: is)?\b|\b(?:(?:come|comes|came) out as|co)\b/g, 'claim'],
  [/\b(vote|divine|guard|attack|suspect|trust|believe|agree|disagree|ask)s\b/g, '$1'],
  [/\bwhom\b/g, 'who'],
  [/\b(?:since|for reason)\b/g, 'because'],
  [/\b(?:therefore|thus|hence)\b/g, 'so'],
  [/\bif\b/g, 'whether'],
  [/\bdid (vote|divine)\b/g, '$1d'],
  [/\bdid (guard|attack)\b/g, '$1ed'],
];

const reword = (text: string): string => WORDS.reduce((words, [from, to]) => words.replaceAll(from, to), text);

/** Words of the grammar that no replacement makes, and others that are nobody's name. */
const KNOWN = new Set(
  `i you he she they him her them we us me myself my it is was not no nobody never none yes and or but then nor neither either to of for in
  on at by with who whom what why how if whether will shall would can could may might must should do does did let ask tell want say says said
  agree disagree agent player seat number day vote voted divine divined divination guard guarded attack attacked identified identification
  result suspect trust believe think claim found skip pass over done finished nothing more because so as role whispered talk
  somebody someone anybody anyone there this that tomorrow dont hey guys`.split(/\s+/),
);
export const isKnownWord = (word: string): boolean => KNOWN.has(word);

/** Whether a name means its player without the number too: it is no word that others need, and no single letter. */
export const isPlainName = (name: string): boolean => {
  const word = name.toLowerCase();
  return word.length > 1 && !/^\d+$/.test(word) && !KNOWN.has(word) && reword(word) === word;
};

/** A text in the words of the grammar: lower case, single blanks, with signs for players, roles and days. @throws Unclear for unknown numbers and pronouns */
export function normalize(text: string, speaker: Talker): string {
  const { names, seat, day } = speaker;
  const named = names
    .map((name, at) => ({ name: name.toLowerCase(), at }))
    .filter(({ name }) => isPlainName(name))
    .toSorted((a, b) => b.name.length - a.name.length);
  let words = text
    .toLowerCase()
    .replaceAll(/[\u2018\u2019]/g, "'")
    .replaceAll(/[@#%]/g, ' ');
  for (const { name, at } of named)
    words = words.replaceAll(new RegExp(`(?<![\\p{L}\\p{N}@])${escapePattern(name)}(?:'s)?(?![\\p{L}\\p{N}])`, 'gu'), ` @${agentOf(at)} `);
  words = words.replaceAll(/\b(?:agent|player|seat|number)\s*\[?\s*(\d+)\]?/g, ' @$1 ');
  words = words.replaceAll(/\byesterday\b/g, `%${day - 1}`);
  words = reword(words)
    .replaceAll(/(?<![@%\p{L}\p{N}])(\d+)\b/gu, '@$1')
    .replaceAll(/\b(?:me|myself)\b/g, `@${agentOf(seat)}`)
    .replaceAll(/[!;.]+/g, ' . ')
    .replaceAll(/[?]+/g, ' ? ')
    .replaceAll(/[,:()"\u2013\u2014-]+/g, ' , ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const stranger = [...words.matchAll(/@(\d+)/g)].find(([, number]) => Number(number) < 1 || Number(number) > names.length)?.[1];
  if (stranger !== undefined) throw new Unclear(`There is no player ${stranger}: they are ${playersOf(speaker)}.`);
  return withoutPronouns(words, speaker);
}

export const playersOf = ({ names }: Speaker): string => names.map(numberedName).join(', ');

/** Puts players for `he`, `she` and `they`, and for `you` whoever is addressed. @throws Unclear when nobody or several may be meant */
function withoutPronouns(words: string, speaker: Speaker): string {
  const others = new Set<string>();
  const me = `@${agentOf(speaker.seat)}`;
  return words
    .split(' ')
    .map((word) => {
      if (word.startsWith('@') && word !== '@all' && word !== me) others.add(word);
      if (!/^(?:he|she|they|him|her|them)$/.test(word)) return word;
      const [first] = others;
      if (others.size === 1) return first!;
      const meant = [...others].map((other) => shown(Number(other.slice(1)), speaker)).join(' or ');
      throw new Unclear(meant ? `“${word}” may be ${meant}: say the name.` : `Whom do you mean by “${word}”? Say the name or the number.`);
    })
    .join(' ');
}

/** The words of a normalised text that may be names which nobody has. */
export const looseWords = (words: string): readonly string[] => words.split(' ').filter((word) => word && !SIGNS.test(word));
