/**
 * The language of AIWolf, protocol 3.6: the meaning of an utterance and how to read it. content-writer.ts writes it.
 * The reader accepts what the published parser accepts (class Content of AIWolfCommon 0.6.2), which is slightly more than that parser
 * writes. Texts on which the parser throws, or finds nothing in an unclosed group, are rejected.
 */
import type { Seat } from '../../kernel/question.ts';

/** A player as the language counts: from 1. `ANY`, which is 0, means everybody or nobody in particular. */
export type Agent = number;
export const ANY: Agent = 0;
export const agentOf = (seat: Seat): Agent => seat + 1;

const ROLES = ['BODYGUARD', 'FREEMASON', 'MEDIUM', 'POSSESSED', 'SEER', 'VILLAGER', 'WEREWOLF', 'FOX', 'ANY'] as const;
const RESULTS = ['HUMAN', 'WEREWOLF', 'ANY'] as const;
/** What is done to somebody. */
const ACTS = ['DIVINATION', 'GUARD', 'GUARDED', 'VOTE', 'VOTED', 'ATTACK', 'ATTACKED'] as const;
const CHANNELS = ['TALK', 'WHISPER'] as const;

/** Who does or says it. Absent: the speaker. */
interface Sentence<K extends string> {
  readonly kind: K;
  readonly subject?: Agent;
}
type One = readonly [Content, ...Content[]];
type Two = readonly [Content, Content, ...Content[]];

/**
 * What an utterance says, one of 23 kinds. Parts have complete subjects: an inherited subject is filled in.
 * AND and OR use all parts, BECAUSE (reason, consequence) and XOR use two, the others one. Further parts are read but not written.
 */
export type Content =
  | Sentence<'SKIP'>
  | Sentence<'OVER'>
  | (Sentence<'ESTIMATE' | 'COMINGOUT'> & { readonly target: Agent; readonly role: (typeof ROLES)[number] })
  | (Sentence<'DIVINED' | 'IDENTIFIED'> & { readonly target: Agent; readonly result: (typeof RESULTS)[number] })
  | (Sentence<(typeof ACTS)[number]> & { readonly target: Agent })
  | (Sentence<'AGREE' | 'DISAGREE'> & {
      readonly channel: (typeof CHANNELS)[number];
      readonly day: number;
      /** The index of the utterance within that day, from 0. */
      readonly number: number;
    })
  | (Sentence<'REQUEST' | 'INQUIRE'> & { readonly target: Agent; readonly parts: One })
  | (Sentence<'AND' | 'OR' | 'NOT'> & { readonly parts: One })
  | (Sentence<'BECAUSE' | 'XOR'> & { readonly parts: Two })
  | (Sentence<'DAY'> & { readonly day: number; readonly parts: One });

/** Maximum nesting depth of groups. Deeper text is rejected, so that no reader's recursion overflows. */
const DEEPEST = 256;
/** The largest number the published parser accepts. */
const MAX_NUMBER = 2_147_483_647;

/** Whether a text belongs to the language. */
export const isUtterance = (text: string): boolean => readContent(text) !== undefined;

/** Reads a text. Undefined when it is not of the language. Linear in the length of the text; never throws. */
export function readContent(text: string): Content | undefined {
  const groups = text.includes('(') ? groupsOf(text) : new Map<number, number>();
  return groups && readSentence({ text, groups }, 0, text.length, undefined);
}

interface Source {
  readonly text: string;
  /** Where the group opening here closes; Infinity when it never does. */
  readonly groups: ReadonlyMap<number, number>;
}

/** The published parser's expressions do not match across line ends within groups. */
const LINE_END = /[\n\r\u0085\u2028\u2029]/;

/** Finds the groups of a text with a single counter. The next opening parenthesis balances a surplus closing one, as in the published parser. */
function groupsOf(text: string): Map<number, number> | undefined {
  const groups = new Map<number, number>();
  const open: number[] = [];
  let surplus = 0;
  const from = text.indexOf('(');
  if (LINE_END.test(text.slice(from).trimEnd())) return undefined;
  for (let i = from; i < text.length; i++) {
    const sign = text[i];
    if (sign === '(' && surplus && !open.length) surplus--;
    else if (sign === '(') {
      if (open.push(i) > DEEPEST) return undefined;
    } else if (sign === ')') {
      const opened = open.pop();
      if (opened === undefined) surplus++;
      else groups.set(opened, i);
    }
  }
  for (const opened of open) groups.set(opened, Infinity);
  return groups;
}

/** The text before the groups of a sentence: `Agent[01] REQUEST ANY `. */
const HEAD = /^(?:(Agent\[\d+\]|ANY)[ \t\n\v\f\r]*)?([A-Z]+)(?![^ \t\n\v\f\r])(.*)$/s;
const BLANKS = /[ \t\n\v\f\r]+/;

interface Head {
  readonly subject: Agent | undefined;
  readonly keyword: string;
  readonly words: readonly string[];
}

function readHead({ text }: Source, from: number, to: number): Head | undefined {
  const found = HEAD.exec(text.slice(from, to));
  if (!found) return undefined;
  const subject = found[1] === undefined ? undefined : readAgent(found[1]);
  if (found[1] !== undefined && subject === undefined) return undefined;
  return { subject, keyword: found[2]!, words: found[3]!.split(BLANKS).filter((word) => word) };
}

/** Reads the sentence in [from, to). Its subject is `inherited` unless it names its own. */
function readSentence(source: Source, from: number, to: number, inherited: Agent | undefined): Content | undefined {
  const { text } = source;
  while (from < to && text.charCodeAt(from) <= 32) from++;
  while (to > from && text.charCodeAt(to - 1) <= 32) to--;
  const word = to - from === 4 ? text.slice(from, to) : '';
  if (word === 'Skip' || word === 'Over') return { kind: word === 'Skip' ? 'SKIP' : 'OVER', ...subjectOf(inherited) };
  const opens = text.indexOf('(', from);
  const hasGroups = opens >= 0 && opens < to;
  const head = readHead(source, from, hasGroups ? opens : to);
  if (!head) return undefined;
  const subject = subjectOf(head.subject ?? inherited);
  if (!hasGroups) return readClause(head, subject);
  if (text[to - 1] !== ')' || !BLANKS.test(text[opens - 1] ?? '')) return undefined;
  return readOperator(source, head, subject, groupsBetween(source, opens, to));
}

/** The top-level groups of a stretch of text, as [from, to). Text between them is ignored. */
function groupsBetween({ text, groups }: Source, from: number, to: number): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  for (let i = from; i >= 0 && i < to; i = text.indexOf('(', i + 1)) {
    const closes = groups.get(i);
    if (closes === undefined) continue;
    if (closes >= to) break;
    found.push([i + 1, closes]);
    i = closes;
  }
  return found;
}

type Subject = { readonly subject?: Agent };
const subjectOf = (agent: Agent | undefined): Subject => (agent === undefined ? {} : { subject: agent });

function readClause({ keyword, words }: Head, subject: Subject): Content | undefined {
  const target = readAgent(words[0] ?? '');
  const [, second = '', third = ''] = words;
  switch (keyword) {
    case 'ESTIMATE':
    case 'COMINGOUT': {
      const role = ROLES.find((one) => one === second);
      return words.length === 2 && target !== undefined && role ? { kind: keyword, ...subject, target, role } : undefined;
    }
    case 'DIVINED':
    case 'IDENTIFIED': {
      const result = RESULTS.find((one) => one === second);
      return words.length === 2 && target !== undefined && result ? { kind: keyword, ...subject, target, result } : undefined;
    }
    case 'AGREE':
    case 'DISAGREE': {
      const channel = CHANNELS.find((one) => one === words[0]);
      const day = readNumber(second, 'day');
      const number = readNumber(third, 'ID:');
      if (words.length !== 3 || !channel || day === undefined || number === undefined) return undefined;
      return { kind: keyword, ...subject, channel, day, number };
    }
    default: {
      const kind = ACTS.find((act) => act === keyword);
      return kind && words.length === 1 && target !== undefined ? { kind, ...subject, target } : undefined;
    }
  }
}

/** Reads a sentence with groups. Fails when a group is missing or malformed. */
function readOperator(
  source: Source,
  { keyword, words }: Head,
  subject: Subject,
  groups: readonly (readonly [number, number])[],
): Content | undefined {
  const first = groups[0];
  if (!first) return undefined;
  const parts = (inherited: Agent | undefined): One | undefined => {
    const read: Content[] = [];
    for (const [from, to] of groups) {
      const part = readSentence(source, from, to, inherited);
      if (!part) return undefined;
      read.push(part);
    }
    return read as unknown as One;
  };
  switch (keyword) {
    case 'REQUEST':
    case 'INQUIRE': {
      if (words.length !== 1 && (words.length || keyword === 'INQUIRE')) return undefined;
      // without a target, as in protocol 2, the subject of the first group is asked
      const target = words.length ? readAgent(words[0]!) : (subjectWithin(source, first) ?? ANY);
      const asked = target === undefined ? undefined : parts(target);
      return asked && { kind: keyword, ...subject, target: target!, parts: asked };
    }
    case 'AND':
    case 'OR':
    case 'NOT':
    case 'BECAUSE':
    case 'XOR': {
      const said = words.length ? undefined : parts(subject.subject);
      if (keyword !== 'BECAUSE' && keyword !== 'XOR') return said && { kind: keyword, ...subject, parts: said };
      return said && hasTwo(said) ? { kind: keyword, ...subject, parts: said } : undefined;
    }
    case 'DAY': {
      const day = words.length === 1 ? readNumber(words[0]!, '') : undefined;
      const said = day === undefined ? undefined : parts(subject.subject);
      return said && { kind: keyword, ...subject, day: day!, parts: said };
    }
    default:
      return undefined;
  }
}

const hasTwo = (parts: One): parts is Two => parts.length >= 2;

/** The subject that a group itself names. */
function subjectWithin(source: Source, [from, to]: readonly [number, number]): Agent | undefined {
  let start = from;
  while (start < to && source.text.charCodeAt(start) <= 32) start++;
  const opens = source.text.indexOf('(', start);
  return readHead(source, start, opens >= 0 && opens < to ? opens : to)?.subject;
}

function readAgent(word: string): Agent | undefined {
  if (word === 'ANY') return ANY;
  return word.endsWith(']') ? readNumber(word.slice(0, -1), 'Agent[') : undefined;
}

/** A whole number after a prefix, such as `day01`. */
function readNumber(word: string, prefix: string): number | undefined {
  const digits = word.startsWith(prefix) ? word.slice(prefix.length) : '';
  const number = /^\d+$/.test(digits) ? Number(digits) : Infinity;
  return number <= MAX_NUMBER ? number : undefined;
}
