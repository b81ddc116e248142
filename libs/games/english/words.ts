import { escapePattern, wordPattern } from '../kernel/name-pattern.ts';
import type { Seat } from '../kernel/question.ts';
import { commonWords } from './common-words.ts';

/** Who sits at the table, and which roles its rules have, in lower case: `werewolf`, `seer`. */
export interface Table {
  readonly names: readonly string[];
  readonly roles: readonly string[];
}

/**
 * What words stand for. A sign begins with `#`: a role (`#seer`), or `#wolf`, `#clean`, `#sus`, `#bot`, `#out`. Words that add nothing go.
 * `#bad` and `#good` are sides only where they are said of somebody.
 */
const MEANINGS: { readonly [meaning: string]: string } = {
  '': `a an the really also still just very pretty kinda totally literally actually honestly
    definitely def defo clearly obviously obv surely certainly lol haha ahahaha lmao omg guys please pls pleas now already confirmed tbh imo imho though tho hmm
    hm um uh oh ah okay ok well fine yeah cc simply truly quite rather somehow secretly yesterday first finally personally hereby lil btw da jk 100 sure`,
  'maybe': 'prob probably maybe perhaps possibly',
  '#wolf':
    'wolf wolfs wolves wolfy werewolf werewolves ww mafia mafias maf mafioso mafiosi killer killers murderer murderers murder scum w',
  '#bad': 'evil bad baddie baddies traitor traitors villain spy spies guilty red minion',
  '#sus': `sus suspicious sketchy shady fishy weird weirdly strange strangely liar lying lies lied scummy sussy untrustworthy
    suspiciously nervous dangerous dodgy hostile aggressive problematic odd scary creepy dishonest unreliable`,
  '#clean': 'clean clear cleared innocent inno human humans town townie townies safe loyal trustworthy legit green',
  '#villager': 'villager villagers bystander bystanders civilian civilians townsperson vanilla vt v',
  '#good': 'good',
  '#bot': 'bot bots llm llms ai robot chatgpt gpt model machine computer',
  '#guard': 'bodyguard bg protector',
  '#seer': 'fortuneteller',
  '#percival': 'perci percy',
  '#troublemaker': 'tm',
  'you': 'u ya yall yourself',
  'you are': "ur you're youre u're",
  'are': 'r',
  'and': 'n & nd plus',
  'why': 'y',
  'i am': "im i'm iam",
  'i have': "ive i've",
  'i will': "ill i'll",
  'i would': "id i'd",
  'he is': "hes he's shes she's they're theyre",
  'it is': "its it's thats that's tis",
  'let us': 'lets',
  'let us ': "let's",
  'who is': "who's whos",
  'there is': "there's theres",
  'going to': 'gonna',
  'want to': 'wanna',
  'got to': 'gotta',
  'out of': 'outta',
  'because': 'bc cuz cause coz cos since becuz beacuse becuase',
  'can not': "can't cant cannot",
  'will not': "won't wont",
  'is not': "ain't aint",
  'centre': 'center middle',
  'voted': 'votes lynched',
  'vote': 'vot voting lynch hang execute eliminate exile yeet burn',
  'think': 'thinks thought guess reckon assume suppose bet feel thinking',
  'checked': `inspected investigated scanned divined verified peeked copped viewed checks`,
  'protected': 'guarded guarding protecting',
  'robbed': 'stole',
  'swapped': 'switched exchanged',
  'nobody': 'noone',
};

const WORDS = new Map(
  Object.entries(MEANINGS).flatMap(([meaning, words]) => [meaning, ...words.split(/\s+/)].map((word) => [word, meaning] as const)),
);
/** More words for cards of ONUW that not all tables have; whoever copies a card sees it. */
const CARD_WORDS: { readonly [card: string]: string } = {
  mason: 'freemason freemasons',
  drunk: 'drunkard',
  doppelganger: 'doppelgänger doppelgängers doppelgaenger dopplegänger doppel dg copied',
};
/** Cards that are meant by their whole word only, however misspelt: `hunt`, `min` and `tan` are words. */
const WHOLE = /^(?:minion|mason|drunk|tanner|hunter)$/;
/** How people call the cards of the centre: `the first centre card`, `the middle one`. */
const FIRST_OR_MIDDLE = /\b(first|middle) (?=(?:card|one|cent(?:re|er))\b)/gi;

/** Who was drunk, without an article or a capital letter, does not speak of the card, unless a card or a place of one is named too. */
const TIPSY =
  /\b(was|been|got)((?: (?:so|too|very|really|pretty|a bit|a little))*) drunk\b(?!.*\b(?:cards?|took|swapped|exchanged|centre|center|middle)\b)/g;

/** Words that are near a name, and no name. */
const CHAT = new Set(
  `hi hey hello bye bro dude mate man men girl boy gay joke jokes kids sorry thanks thank yes nope nah yep cool nice lame love hate like liked likes
  been them then than they this these here there where went want wait what when can any and are all but big bit see saw seen sees him
  her his hers got get let lot say said day may might hope rose mark art grace faith joy bill rob sue drew ever live lead game name same came
  come done dont gone one two three four five six seven eight nine ten act acts acting along awake poison protect swap rest rent real`.split(
    /\s+/,
  ),
);
const TOKEN = /[@&]\d+|'s\b|#?[\p{L}\p{N}&]+(?:['-][\p{L}\p{N}]+)*|[+\d]+|[.,:;!?\n]|["“”]/gu;
const NEGATED = /^(is|was|are|were|do|does|did|have|has|had|would|should|could|must|need)n'?t$/;

/** What does not depend on the speech: the names as one expression, and what a word that is no name by itself stands for. */
interface Lexicon {
  readonly names: RegExp;
  readonly seats: ReadonlyMap<string, Seat>;
  readonly known: ReadonlyMap<string, string>;
  readonly guessed: Map<string, string>;
}
const lexicons = new Map<string, Lexicon>();
/** As many tables and unknown words are kept as one process hosts within some minutes. */
const KEPT = { tables: 50, words: 5_000 };

function lexiconOf({ names, roles }: Table): Lexicon {
  const key = `${names.join('\n')}\n\n${roles.join()}`;
  const found = lexicons.get(key);
  if (found) return found;
  if (lexicons.size >= KEPT.tables) lexicons.clear();
  const all = names.filter(Boolean).toSorted((a, b) => b.length - a.length);
  const known = new Map(WORDS);
  const lexicon: Lexicon = {
    names: new RegExp(wordPattern(`(?:${all.map(escapePattern).join('|') || '(?!)'})`), 'giu'),
    seats: new Map(names.map((name, seat) => [name.toLowerCase(), seat])),
    known,
    guessed: new Map(),
  };
  for (const role of roles) {
    const meaning = role === 'werewolf' ? '#wolf' : `#${role}`;
    for (const word of [role, `${role}s`]) known.set(word, meaning);
  }
  for (const role of roles)
    for (const word of CARD_WORDS[role]?.split(' ') ?? []) known.set(word, word === 'copied' ? 'checked' : `#${role}`);
  if (roles.includes('merlin')) for (const evil of ['evil', 'red', 'minion']) known.set(evil, '#wolf');
  lexicons.set(key, lexicon);
  return lexicon;
}

/** Whether one letter more, less or other, or two that changed places, makes one word of the other. */
export function isMisspelt(word: string, meant: string): boolean {
  let start = 0;
  while (start < word.length && word[start] === meant[start]) start++;
  const [rest, other] = [word.slice(start), meant.slice(start)];
  if (rest.slice(1) === other || rest === other.slice(1) || rest.slice(1) === other.slice(1)) return true;
  return rest[0] === other[1] && rest[1] === other[0] && rest.slice(2) === other.slice(2);
}

/** Words that matter enough to be known when they are misspelt. */
const CONTENT = [
  'suspicious',
  'mafia',
  'werewolf',
  'villager',
  'bystander',
  'innocent',
  'checked',
  'protected',
  'poisoned',
  'aggressive',
].map((word) => [word, WORDS.get(word) ?? word] as const);

/** Roles of few casts that are names of people: they are known by their whole names only, so that Isobel may be called Iso. */
const PEOPLE: ReadonlySet<string> = new Set(['tristan', 'isolde']);

/** What a word stands for that no list has: a name or a role, shortened or misspelt, if it can be one only. */
function guess(word: string, { names, roles }: Table): string {
  const negated = NEGATED.exec(word);
  if (negated) return `${negated[1]} not`;
  if (word.length < 3 || commonWords.has(word) || CHAT.has(word)) return word;
  const hasCards = roles.includes('troublemaker');
  const meant = [
    ...CONTENT,
    ...names.map((name, seat) => [name.toLowerCase(), `@${seat}`] as const),
    ...roles.filter((role) => !PEOPLE.has(role)).map((role) => [role, `#${role}`] as const),
  ];
  for (const isLike of [
    (name: string) => (name.startsWith(word) && !(hasCards && WHOLE.test(name))) || (name.includes(' ') && name.split(' ').includes(word)),
    (name: string) => name.length > 3 && isMisspelt(word, name),
  ]) {
    const [first, ...others] = new Set(meant.flatMap(([name, meaning]) => (isLike(name) ? [meaning] : [])));
    if (first && !others.length) return first === '#werewolf' ? '#wolf' : first;
  }
  return word;
}

/** Words by which a name that is a word too is known to be one: before it, and after it. */
const BEFORE_NAME =
  /(?:\b(?:vote|vote for|suspect|trust|accuse|about|is|checked|check|see|saw|robbed|swapped|protected|guarded|saved|poisoned|think|say|lynch|or|with|and|against|on|it's|its|not)|@) $/i;
const AFTER_NAME = /^(?:'s\b| (?:is|was|are|looks|seems|acts|said|says|voted)\b|[,:])/i;

/** Whether a name in a speech means its player: always, unless it is a word that stands in small letters or begins a sentence. */
function isMeant(name: string, at: number, speech: string): boolean {
  const word = name.toLowerCase();
  if (word === 'max' || (!commonWords.has(word) && !CHAT.has(word) && !WORDS.has(word))) return true;
  const [before, after] = [speech.slice(0, at), speech.slice(at + name.length)];
  const isBegin = /(?:^|[.!?\n])\s*$/.test(before);
  if ((name !== word && !isBegin) || /^[\s.!?]*$/.test(after) || BEFORE_NAME.test(before)) return true;
  return isBegin ? AFTER_NAME.test(after) || !/^(?:will|may|can|mark|max|rob)$/.test(word) : AFTER_NAME.test(after) && word !== 'will';
}

/** A speech in signs and plain words, with single blanks: `@3` is the player of seat 3. */
export function tagged(speech: string, table: Table): string {
  const { roles } = table;
  const { names, seats, known, guessed } = lexiconOf(table);
  const placed = roles.includes('drunk')
    ? speech.replaceAll(TIPSY, '$1$2 tired').replaceAll(FIRST_OR_MIDDLE, (_, which: string) => (/^f/i.test(which) ? 'left ' : 'second '))
    : speech;
  const named = placed
    .replaceAll(/[@#]/g, ' ')
    .replaceAll(/[‘’´`]/g, "'")
    .replaceAll(names, (name: string, at: number) => (isMeant(name, at, placed) ? ` @${seats.get(name.toLowerCase())} ` : name));
  const words =
    named
      .toLowerCase()
      .replaceAll(/(@\d+) +'s\b/g, "$1 's")
      .match(TOKEN) ?? [];
  const meanings: string[] = [];
  for (const word of words) {
    let meaning = known.get(word) ?? guessed.get(word);
    if (meaning === undefined) {
      meaning = guess(word, table);
      if (guessed.size > KEPT.words) guessed.clear();
      guessed.set(word, meaning);
    }
    if (meaning !== '') meanings.push(meaning.trim());
  }
  return meanings.join(' ');
}
