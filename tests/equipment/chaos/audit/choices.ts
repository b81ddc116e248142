import type { Question } from '@maw/games/kernel/question.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';

/** A span of time, in milliseconds since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** An answer that a mind owed: a turn, a vote, an action. The span is the time its question, or its turn, was open. */
export interface Choice extends Span {
  readonly question: string;
  readonly seat: number;
  /** Whether the time ran out without an answer. */
  readonly isMissed: boolean;
}

type Tape = readonly Pick<RecordedEvent, 'at' | 'event'>[];

interface OpenQuestion {
  readonly question: Question;
  readonly asked: number;
  /** Seats that have answered. */
  readonly answered: Set<number>;
  /** When the current turn, or the question, began. */
  began: number;
  /** With all time given back. */
  until: number;
  /** When it was answered last. */
  answeredAt?: number;
}

type Deadline = Pick<OpenQuestion, 'question' | 'until' | 'answeredAt'>;

/**
 * Whether a question that has settled did so because its time ran out. While nobody can be asked, answers count after the nominal end too, and
 * no delay is written: then it may be settled by an answer.
 */
const isSettledByTime = (at: number, { until, answeredAt }: Deadline): boolean => at >= until && at !== answeredAt;

/**
 * The choices of minds on a tape, for questions that came to an end; free talk owes none. A seat that was silent when a majority settled its
 * question early has missed nothing.
 */
export function choicesOf(tape: Tape): readonly Choice[] {
  const open = new Map<string, OpenQuestion>();
  const minds = new Set<number>();
  const choices: Choice[] = [];
  for (const { at, event } of tape) {
    noteMinds(minds, event);
    if (event.type === 'asked') {
      const question = event['question'] as Question;
      if (question.final || question.verb === 'choose')
        open.set(question.id, { question, asked: at, answered: new Set(), began: at, until: question.until });
      continue;
    }
    if (event.type === 'delayed') {
      for (const each of open.values()) each.until += event['ms'] as number;
      continue;
    }
    const about = open.get(event['question'] as string);
    if (!about) continue;
    choices.push(...choicesEndedBy(event, at, about).filter(({ seat }) => minds.has(seat)));
    if (event.type === 'settled' || event.type === 'withdrawn') open.delete(about.question.id);
  }
  return choices;
}

/** Keeps the set of seats that minds hold. */
function noteMinds(minds: Set<number>, event: RecordedEvent['event']): void {
  if (event.type === 'opened') {
    const { seats } = event['opening'] as { readonly seats: readonly { readonly kind: string }[] };
    for (const [seat, { kind }] of seats.entries()) if (kind === 'mind') minds.add(seat);
  }
  if (event.type !== 'handed') return;
  if (event['to'] === 'mind') minds.add(event['seat'] as number);
  else minds.delete(event['seat'] as number);
}

function choicesEndedBy(event: RecordedEvent['event'], at: number, about: OpenQuestion): readonly Choice[] {
  const { question, asked, answered, began } = about;
  const choice = (seat: number, from: number, isMissed: boolean): Choice => ({ question: question.id, seat, from, to: at, isMissed });
  if (event.type === 'answered') {
    const { by } = event['answer'] as { readonly by: number };
    answered.add(by);
    about.answeredAt = at;
    if (!question.inTurn) return [];
    about.began = at;
    return [choice(by, began, false)];
  }
  if (event.type === 'passed') {
    about.began = at;
    return [choice(event['seat'] as number, began, true)];
  }
  if (event.type !== 'settled' || question.inTurn) return [];
  const isByTime = isSettledByTime(at, about);
  return question.of.filter((seat) => isByTime || answered.has(seat)).map((seat) => choice(seat, asked, !answered.has(seat)));
}

export const overlaps = (one: Span, other: Span): boolean => one.from <= other.to && other.from <= one.to;
export const lengthOf = ({ from, to }: Span): number => Math.max(0, to - from);

/** Answers of a process that was killed may be on their way for so long, in milliseconds. */
const IN_FLIGHT_MS = 1_000;

/**
 * The longest time without an answer on any tape, as no answer could be confirmed: it begins within the span, or IN_FLIGHT_MS after it, and ends
 * with the next answer, or `reachMs` after the span.
 */
export function silenceIn(tapes: readonly Tape[], span: Span, reachMs: number): Span {
  const times = tapes.flatMap((tape) => tape.filter(({ event }) => event.type === 'answered').map(({ at }) => at));
  return longest(gapsOf(times, { from: span.from, to: span.to + reachMs }).filter(({ from }) => from <= span.to + IN_FLIGHT_MS));
}

/** The parts of a span between these times. */
function gapsOf(times: readonly number[], { from, to }: Span): readonly Span[] {
  const marks = [from, ...times.filter((at) => at > from && at < to).toSorted((a, b) => a - b), to];
  return marks.slice(1).map((end, i) => ({ from: marks[i]!, to: end }));
}

const longest = (spans: readonly Span[]): Span => spans.reduce((one, other) => (lengthOf(other) > lengthOf(one) ? other : one));

/** What a table lost in an outage. */
export interface Loss extends Span {
  /** Whether a question, or turn, that was open meanwhile ended by its time. If all were answered in time, nothing has to be given back. */
  readonly isOwed: boolean;
}

/** The longest part of a span without an event of the table, while one of its questions was open. Undefined: none was. */
export function lossOf(tape: Tape, span: Span): Loss | undefined {
  const open = new Map<string, Deadline>();
  const before = tape.filter(({ at }) => at <= span.from);
  for (const { at, event } of before) {
    if (event.type === 'asked') {
      const question = event['question'] as Question;
      open.set(question.id, { question, until: question.until });
    } else follow(open, at, event);
  }
  if (!open.size) return undefined;
  const times = tape.map(({ at }) => at);
  const after = tape.slice(before.length).map(({ at, event }) => endsByTime(open, at, event));
  return { ...longest(gapsOf(times, span)), isOwed: after.includes(true) || open.size > 0 };
}

/** Keeps the deadlines of open questions up to date. */
function follow(open: Map<string, Deadline>, at: number, event: RecordedEvent['event']): void {
  if (event.type === 'delayed') for (const [id, one] of open) open.set(id, { ...one, until: one.until + (event['ms'] as number) });
  const about = open.get(event['question'] as string);
  if (!about) return;
  const { question } = about;
  if (event.type === 'settled' || event.type === 'withdrawn') open.delete(question.id);
  else if (question.inTurn) open.set(question.id, { question, until: at + question.turnMs });
  else if (event.type === 'answered') about.answeredAt = at;
}

/** Whether an event ends a question, or the turn, that is open since the loss, by its time. What has ended is no longer open. */
function endsByTime(open: Map<string, Deadline>, at: number, event: RecordedEvent['event']): boolean {
  const about = open.get(event['question'] as string);
  const isByTime = event.type === 'passed' || (event.type === 'settled' && about !== undefined && isSettledByTime(at, about));
  follow(open, at, event);
  if (about?.question.inTurn && event.type === 'answered') open.delete(about.question.id);
  return about !== undefined && isByTime;
}

/** The milliseconds that a table got back within a span. */
export const givenBackIn = (tape: Tape, { from, to }: Span): number =>
  tape.reduce((sum, { at, event }) => sum + (event.type === 'delayed' && at > from && at <= to ? (event['ms'] as number) : 0), 0);
