import { newContext } from '../../context.ts';
import type { CompletionRequest, Mind, Moment } from '../../mind.ts';
import { scoreOf, INFORMATIVE } from './score.ts';

/** What is noted of a line of the log. */
export interface Mark {
  readonly score: number;
  readonly as: 'heard' | 'said' | 'thought';
  readonly room?: string;
  readonly line?: number;
}

/** A message that the seat has heard or said, or its own reflection. */
export interface Message extends Mark {
  readonly text: string;
}

/** The longest log, in lines. Beyond it the oldest quarter is forgotten. */
const MAX_LINES = 1_000;
const UNMARKED: Mark = { score: 1, as: 'heard' };

/** All messages, oldest first: M of document 001. */
export function messagesOf({ context, unread, notes }: Pick<Mind, 'context' | 'unread' | 'notes'>): readonly Message[] {
  const lines = [...context.lines, ...unread];
  const marks = marksOf(notes);
  const before = lines.length - marks.length;
  return lines.map((text, i) => ({ ...(marks[i - before] ?? UNMARKED), text }));
}

const marksOf = (notes: Mind['notes']): readonly Mark[] => (notes['marks'] as readonly Mark[] | undefined) ?? [];

/** Marks what is new; follows `observe`. A new game begins with an empty memory. An event raises the score of its line that was read before. */
export function markNews({ context, unread, notes }: Mind, { news, seat, rules }: Moment): Partial<Mind> {
  const began = news.findLastIndex(({ event }) => event?.type === 'began');
  const current = news.slice(began + 1);
  const isNew = began >= 0;
  const marks = isNew ? [] : [...marksOf(notes)];
  for (const each of current) {
    const { text, by, room, line } = each;
    const score = scoreOf(each, rules.name);
    const place = room === undefined || line === undefined ? {} : { room, line };
    if (text !== undefined) marks.push({ score, as: by === seat ? 'said' : 'heard', ...place });
    else if (line !== undefined) {
      const at = marks.findLastIndex((mark) => mark.room === room && mark.line === line);
      if (at >= 0) marks[at] = { ...marks[at]!, score: Math.max(score, marks[at]!.score) };
    }
  }
  if (isNew) return { context: newContext, unread: unread.slice(unread.length - marks.length), notes: { ...notes, marks } };
  const extra = context.lines.length + unread.length > MAX_LINES ? Math.min(context.lines.length, MAX_LINES / 4) : 0;
  const kept = extra ? { context: { lines: context.lines.slice(extra), dropped: context.dropped + extra } } : {};
  return { ...kept, notes: { ...notes, marks: marks.slice(-MAX_LINES) } };
}

/** Adds a reflection, which is a message that only its seat sees. */
export function addThought({ context, unread, notes }: Mind, text: string): Partial<Mind> {
  const mark: Mark = { score: 1, as: 'thought' };
  return {
    context: { ...context, lines: [...context.lines, ...unread, text] },
    unread: [],
    notes: { ...notes, marks: [...marksOf(notes), mark] },
  };
}

/**
 * The positions of the `most` messages with the highest scores of at least 3, equal scores oldest first. In order of time: V of document 001.
 */
export function informative(messages: readonly Message[], most: number): readonly number[] {
  return messages
    .flatMap(({ score }, at) => (score >= INFORMATIVE ? [{ score, at }] : []))
    .toSorted((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, most)
    .map(({ at }) => at)
    .toSorted((a, b) => a - b);
}

/** How much of the past is shown. */
export interface HistoryForm {
  /** The number of latest messages: K; 0: none. */
  readonly recent: number;
  /** The largest number of informative messages: N; 0: none. */
  readonly informative: number;
  /** `blocks`: the latest, then the informative ones. `merged`: both in order of time. */
  readonly log: 'blocks' | 'merged';
}

type Messages = CompletionRequest['messages'];

/** The past as it is shown: the own words and thoughts as the assistant's, all others as the user's. */
export function historyOf(messages: readonly Message[], form: HistoryForm): Messages {
  const from = Math.max(0, messages.length - form.recent);
  const earlier = informative(messages, form.informative).filter((at) => at < from);
  const pick = (positions: readonly number[]) => positions.map((at) => messages[at]!);
  const latest = messages.slice(from);
  if (form.log === 'merged') return joined([...pick(earlier), ...latest]);
  const block = pick(earlier).map(({ text }) => text);
  return [
    ...joined(latest),
    ...(block.length ? [{ role: 'user' as const, content: ['Earlier, and important:', ...block].join('\n') }] : []),
  ];
}

/** Neighbouring lines of one side are one message: some chat templates want the sides to take turns. */
function joined(messages: readonly Message[]): Messages {
  const result: { role: 'user' | 'assistant'; content: string }[] = [];
  for (const { text, as } of messages) {
    const role = as === 'heard' ? 'user' : 'assistant';
    const last = result.at(-1);
    if (last?.role === role) last.content += `\n${text}`;
    else result.push({ role, content: text });
  }
  return result;
}
