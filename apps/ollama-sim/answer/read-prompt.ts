import { wordPattern, linesIn, type Line, stripName } from './lines.ts';

export interface Message {
  readonly role: string;
  readonly content: string;
}

/** What the prompt says about the table. */
export interface PromptFacts {
  readonly me: string | undefined;
  readonly role: string | undefined;
  readonly isWolf: boolean;
  readonly partners: readonly string[];
  /** The other living players, in the order of the options and then of appearance. */
  readonly others: readonly string[];
  /** Whose death the prompt lists, as in `Dead: Ann, Bob.` */
  readonly dead: readonly string[];
  /** Whether the rules speak of wolves, and of quests. */
  readonly hasWolves: boolean;
  readonly hasQuests: boolean;
  readonly lines: readonly Line[];
  /** Rows that no player said. */
  readonly statements: readonly string[];
  /** The beginning and the end of the last user message. */
  readonly task: string;
  readonly isNight: boolean;
  /** The whole prompt, capped. */
  readonly text: string;
  /** The model's earlier replies. */
  readonly ownReplies: readonly string[];
}

const MAX_CHARS = 60_000;
const TASK_CHARS = 800;

const ROLES =
  'werewolf|werewolves|wolf|wolves|villager|seer|witch|guard|bodyguard|hunter|doctor|medium|possessed|freemason|mason|minion|robber|troublemaker|drunk|insomniac|tanner|mafioso|mafia|detective|merlin|percival|servant|assassin|morgana|mordred|oberon|spy';
const EVIL = /wol(f|ves)|mafi|minion|assassin|morgana|mordred|oberon|spy|possessed/i;
const MY_ROLE = new RegExp(`\\b(?:your (?:secret )?(?:role|card)(?: is|:|=)|role:)\\s*(?:an? |the )?["']?(?:loyal )?(${ROLES})\\b`, 'i');
const I_AM_ROLE = new RegExp(`\\byou are (?:[^\\s,.]{1,30}(?: \\d+)?,? )?(?:an? |the |one of the )(?:\\w+ )?(${ROLES})\\b`, 'i');
const MY_NAME =
  /\b(?:you are|your name is|your name:|you play as|known as)\s+(?:called |named |player (?!\p{N}))?["'“«]?(\p{L}[\p{L}\p{N}_'’:-]{0,30}(?: \p{N}{1,3})?)/giu;
const NOT_A_NAME = new RegExp(
  `^(an?|the|playing|now|in|one|not|alive|dead|asked|to|on|at|seated|player|still|also|free|about|going|allowed|only|very|your|part|of|${ROLES})$`,
  'i',
);
const NOT_A_PERSON = new RegExp(
  `^(speak|say|vote|listen|wait|pass|skip|over|whisper|none|nobody|kill|see|guard|approve|reject|success|fail|yes|no|good|evil|unknown|${ROLES})$`,
  'i',
);
const DEAD = /\bdead:\s*([^\n]*?)\.(?=\s|$)/gi;
const PARTNERS =
  /\b(?:partners?|fellow (?:were)?wol(?:f|ves)|other (?:were)?wol(?:f|ves)|team ?mates?|allies|pack ?mates?|companions?)\b[^:.\n]{0,40}?(?:\b(?:is|are)\b\s*:?|:)\s*([^.\n]{1,200})/gi;

/** Parses a prompt; `options` are the names and words that the schema allows. */
export const readPrompt = (messages: readonly Message[], options: readonly string[]): PromptFacts => {
  const system = messages
    .filter((message) => message.role === 'system')
    .map((message) => message.content)
    .join('\n')
    .slice(-MAX_CHARS);
  const heard = messages
    .filter((message) => message.role === 'user' || message.role === 'tool')
    .map((message) => message.content)
    .join('\n')
    .slice(-MAX_CHARS);
  const mine = messages
    .filter((message) => message.role === 'assistant')
    .map((message) => message.content)
    .slice(-50);
  const text = `${system}\n${heard}`;
  const task = endsOf(messages.findLast((message) => message.role === 'user')?.content ?? system);
  const me = nameIn(system) ?? nameIn(heard);
  const role = (MY_ROLE.exec(text) ?? I_AM_ROLE.exec(text))?.[1]?.toLowerCase();
  const partners = partnersIn(text).filter((name) => name !== me);
  const { lines, statements: told } = linesIn(heard, new Set([...options, ...partners, ...(me === undefined ? [] : [me])]), me);
  const speakers = lines.map((line) => line.who);
  const dead = [...system.matchAll(DEAD)].flatMap(([, names = '']) => names.split(',').map(stripName));
  const others = [
    ...new Set([
      ...options.filter((option) => speakers.includes(option) || (looksLikeName(option) && !NOT_A_PERSON.test(option))),
      ...speakers,
      ...partners,
    ]),
  ];
  return {
    me,
    role,
    isWolf: role !== undefined && EVIL.test(role),
    partners,
    others: others.filter((name) => name !== me && !dead.includes(name)).slice(0, 60),
    dead,
    hasWolves: /\b(?:were)?wol(?:f|ves)\b/i.test(text),
    hasQuests: /\bquests?\b/i.test(system),
    lines,
    statements: [...system.split('\n').slice(-300), ...told],
    task,
    isNight:
      /\bit is night\b/i.test(system) ||
      (!/\bit is day\b/i.test(system) &&
        lastOf(task, /\b(night|kill|devour|victim|prey)\b/gi) > lastOf(task, /\b(day|daytime|lynch|execute|dawn)\b/gi)),
    text,
    ownReplies: mine,
  };
};

const endsOf = (text: string): string =>
  text.length <= TASK_CHARS ? text : `${text.slice(0, TASK_CHARS / 4)}\n${text.slice(-TASK_CHARS)}`;

const nameIn = (text: string): string | undefined => {
  for (const match of text.matchAll(MY_NAME)) {
    const name = stripName(match[1] ?? '');
    if (name !== '' && !NOT_A_NAME.test(name) && !NOT_A_NAME.test(name.replace(/ \P{N}.*$/u, ''))) return name;
  }
  return undefined;
};

const partnersIn = (text: string): readonly string[] => {
  const lists = [...text.matchAll(PARTNERS)].map((match) => match[1] ?? '');
  const names = lists.flatMap((list) => list.split(/,|\band\b|&|\//)).map(stripName);
  return [...new Set(names.filter((name) => looksLikeName(name) && !NOT_A_NAME.test(name)))];
};

const looksLikeName = (word: string): boolean =>
  /^\p{Lu}[\p{L}\p{N}_'’.-]{0,30}(?: (?:\p{Lu}\p{L}{0,20}|\p{N}{1,3}))?$/u.test(word) ||
  /^(?:seat|player|agent)[ :_[-]*\d+\]?$/i.test(word);

const lastOf = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].at(-1)?.index ?? -1;

/** Whether the text contains the name as a whole word. */
export const mentions = (text: string, name: string): boolean => wordPattern(name).test(text);
