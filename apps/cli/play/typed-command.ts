import { stepOf } from '@maw/games/kernel/question.ts';
import { hasOver, isKnownChoice, wordOptions } from '@maw/games/match/asked-question.ts';
import { cleanLine } from '@maw/text/clean.ts';
import { resolveChoice } from './choice.ts';
import type { Question } from './describe-question.ts';

/** What a typed line asks for. */
export type TypedCommand =
  | { readonly does: 'say'; readonly text: string }
  | { readonly does: 'choose'; readonly question: Question; readonly says: readonly string[] }
  | { readonly does: 'whisper'; readonly whom: string; readonly text: string }
  | { readonly does: 'quit'; readonly isMindWanted: boolean | undefined }
  /** Undefined: of the last line only. */
  | { readonly does: 'understood'; readonly isTold: boolean | undefined }
  | { readonly does: 'votes' | 'who' | 'back' | 'rules' | 'help' | 'skip' | 'over' | 'ready' }
  /** A command without its slash: the person is asked what was meant. */
  | { readonly does: 'confirm'; readonly command: TypedCommand; readonly typed: string }
  | { readonly does: 'unknown'; readonly why: string };

export const HELP = [
  'Plain text speaks in the room you are in.',
  '/vote NAME           vote; vote again to change it',
  '/team NAME NAME ...  any other choice you are asked for, by its name',
  '/approve, /reject    the same for choices of a word; /yes and /no too',
  '/ready               you wait for nothing more: once everybody is ready, the day ends after its countdown',
  '/votes               who has voted for whom',
  '/who                 who is alive, who you are, what you may do now',
  '/skip, /over         say nothing in this turn, or in no more turn today, where talk goes in turns',
  '/whisper NAME text   a private line to one player, where the rules allow it',
  '/understood          what minds without a model understood of your last line; /understood off: no more of it, on: again',
  '/rules               the rules of this table',
  '/quit                leave, also Ctrl-D: a mind plays your seat if you like',
  '/back                take your seat back',
  'The beginning of a command or a name is enough. Tab completes, the arrow keys bring back earlier lines.',
].join('\n');

const PLAIN = ['votes', 'who', 'back', 'rules', 'help', 'skip', 'over', 'ready'] as const;
const COMMANDS = [...PLAIN, 'understood', 'quit'] as const;

/** What the person can see: the names of the players and the questions the person may answer. */
interface Sight {
  readonly names: readonly string[];
  readonly asked: readonly Question[];
  /** Whether the rules of the table allow whispers. */
  readonly hasWhispers: boolean;
}

/** Whatever a keyboard or an input method makes of the key. What begins so is never said aloud. */
const SLASH = /^[/\\\u2044\u2215\u2216\u2571\u27cb\u29f5\u29f8\u29f9\ufe68\uff0f\uff3c]/;

/** Reads a typed line. Undefined: an empty one. */
export function parseTypedCommand(line: string, sight: Sight): TypedCommand | undefined {
  const typed = cleanLine(line);
  if (!typed) return undefined;
  return SLASH.test(typed) ? parseCommand(typed.slice(1).trimStart(), sight) : parseText(typed, sight);
}

/** Speech, unless it is clearly a command whose slash is missing. */
function parseText(typed: string, sight: Sight): TypedCommand {
  const speech: TypedCommand = { does: 'say', text: typed };
  const [word = ''] = typed.toLowerCase().split(/\s/);
  const silence = (['skip', 'over'] as const).find((each) => each === typed.toLowerCase());
  if (silence && sight.asked.some(hasOver)) return { does: silence };
  const isWhole = wordsOf(sight).includes(word) && (isChoice(word, sight) || word === typed.toLowerCase());
  if (!isWhole) return speech;
  const command = parseCommand(typed, sight);
  return command.does === 'unknown' ? speech : { does: 'confirm', command, typed };
}

function parseCommand(typed: string, sight: Sight): TypedCommand {
  const [, given = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(typed) ?? [];
  const start = given.normalize('NFKC');
  if (!start) return { does: 'unknown', why: 'A command is missing after the slash. /help lists the commands.' };
  const found = wholeWord(start.toLowerCase(), rest, sight);
  if (found.length > 1) return { does: 'unknown', why: `/${start} may be ${found.map((word) => `/${word}`).join(' or ')}.` };
  const [word = start.toLowerCase()] = found;
  const plain = PLAIN.find((name) => name === word);
  if (plain) return { does: plain };
  if (word === 'understood') return { does: 'understood', isTold: { on: true, off: false }[rest] };
  if (word === 'quit') return { does: 'quit', isMindWanted: /^y(es)?$/i.test(rest) ? true : /^no?$/i.test(rest) ? false : undefined };
  if (word === 'whisper' && sight.hasWhispers) return parseWhisper(rest, sight.names);
  return parseChoice(word, rest, sight);
}

/** Every word that may follow a slash now. */
const wordsOf = ({ asked, hasWhispers }: Sight): string[] => [
  ...new Set([...COMMANDS, ...(hasWhispers ? ['whisper'] : []), ...asked.flatMap(choiceWords)]),
];

/** The commands that answer a choice: its name, and those of its options that are words. */
function choiceWords(question: Question): string[] {
  if (question.verb !== 'choose') return [];
  const options = wordOptions(question);
  return ['vote', stepOf(question.id), ...options, ...(options.includes('approve') ? ['yes', 'no'] : [])];
}

const isChoice = (word: string, { asked }: Pick<Sight, 'asked'>): boolean => asked.some((question) => choiceWords(question).includes(word));

/** The word itself, or those that begin with it: with more text behind it those that take text, else those that take none. */
function wholeWord(start: string, rest: string, sight: Sight): readonly string[] {
  const words = wordsOf(sight);
  if (words.includes(start) || isKnownChoice(start)) return [start];
  const begun = words.filter((word) => word.startsWith(start));
  const takesText = (word: string): boolean => word === 'whisper' || sight.asked.some(({ id }) => stepOf(id) === word) || word === 'vote';
  const fitting = begun.filter((word) => takesText(word) === (rest !== ''));
  return fitting.length ? fitting : begun;
}

function parseWhisper(rest: string, names: readonly string[]): TypedCommand {
  if (!rest) return { does: 'unknown', why: 'Whisper to whom? /whisper NAME text' };
  const found = nameAtStart(rest, names);
  if ('why' in found) return { does: 'unknown', why: found.why };
  if (!found.after) return { does: 'unknown', why: `Whisper what? /whisper ${found.name} text` };
  return { does: 'whisper', whom: found.name, text: found.after };
}

/** The longest name that a text begins with, so that names with spaces need no quotes; else the only one begun by its first word. */
function nameAtStart(text: string, names: readonly string[]): { readonly name: string; readonly after: string } | { readonly why: string } {
  const lower = text.toLowerCase();
  for (const name of names.toSorted((a, b) => b.length - a.length)) {
    if (lower === name.toLowerCase() || /^[\s,:]/.test(lower.startsWith(name.toLowerCase()) ? lower.slice(name.length) : ''))
      return { name, after: text.slice(name.length).replace(/^[\s,:]+/, '') };
  }
  const [word = ''] = text.split(/[\s,:]/);
  const begun = names.filter((name) => name.toLowerCase().startsWith(word.toLowerCase()));
  if (begun.length === 1) return { name: begun[0]!, after: text.slice(word.length).replace(/^[\s,:]+/, '') };
  return { why: begun.length ? `${word} may be ${begun.join(' or ')}.` : `Nobody here is called ${word}.` };
}

function parseChoice(word: string, rest: string, sight: Sight): TypedCommand {
  const { asked } = sight;
  const option = { yes: 'approve', no: 'reject' }[word] ?? word;
  const question = rest ? undefined : asked.find((each) => wordOptions(each).includes(option));
  if (question) return { does: 'choose', question, says: [option] };
  if (rest && !isKnownChoice(word) && asked.some((each) => wordOptions(each).includes(option)))
    return { does: 'unknown', why: `/${word} takes no words after it: type /${word} alone.` };
  const choice = isKnownChoice(word) || isChoice(word, sight) ? resolveChoice(word, rest, asked) : undefined;
  if (!choice) {
    const there = wordsOf(sight).map((each) => `/${each}`);
    const why = isKnownChoice(word) ? `/${word} is not asked of you now.` : `There is no command /${word} at this table.`;
    return { does: 'unknown', why: `${why} There are ${there.join(', ')}.` };
  }
  return 'why' in choice ? { does: 'unknown', why: choice.why } : { does: 'choose', ...choice };
}

/** What the Tab key offers: commands after a slash, then names. */
export function completionsFor(line: string, sight: Sight): { readonly part: string; readonly texts: readonly string[] } {
  const { names, asked } = sight;
  const command = /^\/(\S*)$/.exec(line);
  if (command) {
    const part = command[0].toLowerCase();
    const words = wordsOf(sight).map((word) => `/${word}`);
    return { part: command[0], texts: words.filter((word) => word.startsWith(part)).map((word) => `${word} `) };
  }
  const [, step = '', words = line] = /^\/(\S+)\s+(.*)$/.exec(line) ?? [];
  const question = asked.find(({ id, verb }) => verb === 'choose' && stepOf(id) === step.toLowerCase());
  const offered = question ? question.options.map(({ named }) => named) : names;
  // A name may have spaces: the longest end of the line that begins one.
  for (let part = words.replace(/^.*,\s*/, ''); part; part = part.replace(/^\S+\s*/, '')) {
    const texts = offered.filter((name) => name.toLowerCase().startsWith(part.toLowerCase())).map((name) => `${name} `);
    if (texts.length) return { part, texts };
  }
  return { part: '', texts: step ? offered.map((name) => `${name} `) : [] };
}
