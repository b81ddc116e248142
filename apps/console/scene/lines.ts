import { isAmong, type Question, seatOf } from '@maw/games/kernel/question.ts';
import type { Refusal } from '@maw/games/kernel/refusal.ts';
import { refusalWords } from '@maw/contracts/refusal-words.ts';
import type { Moment, TableRules } from '../time/tape.ts';

/** A piece of a sentence: text, or a player, whose name is set apart so that it cannot turn the sentence around. */
export type Part = string | { readonly seat: number };

/** A line of the transcript. */
export interface Line {
  /** The number of its event in the view. */
  readonly n: number;
  readonly at: number;
  readonly kind: 'speech' | 'whisper' | 'choice' | 'told' | 'phase' | 'death' | 'result' | 'secret' | 'refused';
  /** Who speaks or chooses. */
  readonly by?: number;
  /** To whom, of a whisper. */
  readonly to?: number;
  /** Speech as it was said, or as people read it. */
  readonly text?: string;
  /** A sentence of the rules. */
  readonly parts?: readonly Part[];
  /** The room in which it was heard, such as `Village`. */
  readonly room?: string;
  /** Whether not everybody at the table knows of it. */
  readonly isSecret: boolean;
}

/** Players in the sentences of the rules, as characters that no text may contain (private use), one per seat. */
const FIRST = 0xe000;
const PLACEHOLDERS = Array.from({ length: 100 }, (_, seat) => String.fromCharCode(FIRST + seat));
const PRIVATE_USE = /[\u{e000}-\u{e063}]/gu;

/** A sentence with placeholders as its pieces. */
export function partsOf(sentence: string): readonly Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const found of sentence.matchAll(PRIVATE_USE)) {
    if (found.index > from) parts.push(sentence.slice(from, found.index));
    parts.push({ seat: found[0].charCodeAt(0) - FIRST });
    from = found.index + 1;
  }
  if (from < sentence.length) parts.push(sentence.slice(from));
  return parts;
}

/** The number that a game with a language of its own writes behind a player, whose name has it already. */
const NUMBER = /(?<=[\u{e000}-\u{e063}])\[\d+\]/gu;

/** Texts from outside lose the characters that stand for players. */
const withoutPlaceholders = (text: string): string => text.replace(PRIVATE_USE, '\ufffd');

const KINDS: { readonly [type: string]: Line['kind'] } = {
  began: 'phase',
  gathered: 'phase',
  dawned: 'phase',
  dusked: 'phase',
  led: 'phase',
  called: 'phase',
  executed: 'death',
  murdered: 'death',
  killed: 'death',
  died: 'death',
  felled: 'death',
  shot: 'death',
  quested: 'result',
  ended: 'result',
  scored: 'result',
  closed: 'result',
  revealed: 'result',
};

/** What only some learn: results of the night, and what a role was shown. */
const SECRET: ReadonlySet<string> = new Set(
  'told inspected saw met looked copied swapped exchanged gazed guarded attacked divined identified aimed protected warned saved poisoned handed'.split(
    ' ',
  ),
);

/** A table that stands still for less is not worth a line. */
const NOTICED_DELAY_MS = 10_000;

/** The line for an event, made from the event itself; undefined when there is nothing to show. */
export function lineOf(rules: TableRules, moment: Moment): Line | undefined {
  const { event, n, at } = moment.seen;
  if (event.type === 'asked' || (event.type === 'delayed' && Number(event['ms']) < NOTICED_DELAY_MS)) return undefined;
  const question = questionOf(moment);
  const isUnheard = event.type === 'answered' && question?.heard === 'never';
  const base = { n, at, isSecret: SECRET.has(event.type) || isUnheard || (question !== undefined && !isAmong(question, 'audience')) };
  if (event.type === 'answered' && question && question.verb !== 'choose') return spokenLine(rules, moment, question, base);
  if (event.type === 'refused') {
    const refused = event as unknown as { readonly seat: number; readonly reason: Refusal['reason']; readonly detail: string };
    return { ...base, kind: 'refused', by: refused.seat, text: refusalWords(refused), isSecret: true };
  }
  const parts = sentenceOf(rules, moment, question);
  if (!parts) return undefined;
  const by = event.type === 'answered' ? (event['answer'] as { by: number }).by : undefined;
  return {
    ...base,
    kind: by === undefined ? (base.isSecret ? 'secret' : (KINDS[event.type] ?? 'told')) : 'choice',
    parts,
    ...(by === undefined ? {} : { by }),
    ...(question?.room === undefined ? {} : { room: question.room }),
  };
}

function questionOf({ seen: { event }, before }: Moment): Question | undefined {
  const id = event['question'];
  return typeof id === 'string' ? before.open.find((q) => q.id === id) : undefined;
}

/** The sentence of the rules about an event, its players set apart. */
function sentenceOf(rules: TableRules, { seen: { event } }: Moment, question: Question | undefined): readonly Part[] | undefined {
  const told = event.type === 'joined' ? { ...event, name: PLACEHOLDERS[Number(event['seat'])] } : event;
  const names = PLACEHOLDERS.slice(0, rules.opening.seats.length);
  const text: string | undefined = rules.game.rules.tell(told, { names, ...(question && { question }) });
  return text === undefined ? undefined : partsOf(text);
}

function spokenLine(
  { set, opening }: TableRules,
  { seen: { event } }: Moment,
  q: Question,
  base: Pick<Line, 'n' | 'at' | 'isSecret'>,
): Line | undefined {
  const { by, says } = event['answer'] as { readonly by: number; readonly says: readonly string[] };
  const room = q.room === undefined ? {} : { room: q.room };
  if (q.verb === 'tell') {
    const said = says[1] ? { text: withoutPlaceholders(says[1]) } : {};
    return { ...base, kind: 'whisper', by, to: seatOf(says[0]!), ...said, ...room, isSecret: true };
  }
  const text = withoutPlaceholders(says[0] ?? '');
  const silence = set.language?.silence(text);
  if (silence !== undefined) return { ...base, kind: 'choice', by, parts: [{ seat: by }, ` ${silence}.`], ...room };
  const names = opening.seats.map((_, seat) => PLACEHOLDERS[seat]!);
  const shown = set.language?.displaySpeech(text, names).replaceAll(NUMBER, '');
  return { ...base, kind: 'speech', by, text, ...(shown !== undefined && shown !== text ? { parts: partsOf(shown) } : {}), ...room };
}

/** How many characters a person reads of a line. */
export const textOfLine = ({ text, parts }: Line): string =>
  text ?? (parts ?? []).map((part) => (typeof part === 'string' ? part : 'somebody')).join('');
