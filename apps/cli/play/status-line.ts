import type { OpenQuestions, SeenEvent } from '../clients/table-stream.ts';
import type { Paint } from '../transcript.ts';
import { summarizeQuestion, timeLeft } from './describe-question.ts';

/** An open question, as far as everybody who knows of it may know. */
interface OpenQuestion {
  readonly of: readonly number[];
  readonly inTurn: boolean;
  readonly turnMs: number;
  until: number;
  /** When the majority that stands ends the vote. */
  majorityUntil?: number;
  /** The seats that have answered or passed. */
  readonly done: Set<number>;
}

/** What the events of a table say about where it stands, for one seat. */
export interface Standing {
  /** The role the seat was dealt; undefined before the deal. */
  role: string | undefined;
  /** The day or night that was announced last. */
  phase: string | undefined;
  rounds: number;
  /** Since when the table is paused, in milliseconds since the epoch. */
  pausedSince: number | undefined;
  /** The open questions that the seat knows of, by id, whether or not it may answer them. */
  readonly open: Map<string, OpenQuestion>;
}

export const newStanding = (): Standing => ({ role: undefined, phase: undefined, rounds: 1, pausedSince: undefined, open: new Map() });

/** Takes in one event. */
export function updateStanding(standing: Standing, { event, at }: SeenEvent, seat: number): void {
  const { open } = standing;
  switch (event.type) {
    case 'opened':
      standing.rounds = (event['opening'] as { rounds: number }).rounds;
      return;
    case 'began':
      Object.assign(standing, { role: undefined, phase: undefined });
      return;
    case 'dawned':
      standing.phase = `day ${event['day'] as number}`;
      return;
    case 'dusked':
      standing.phase = `night ${(event['night'] ?? event['day']) as number}`;
      return;
    case 'dealt':
      standing.role = ((event['roles'] ?? event['cards']) as readonly string[] | undefined)?.[seat];
      return;
    case 'asked': {
      const question = event['question'] as { id: string } & Omit<OpenQuestion, 'done'>;
      open.set(question.id, { ...question, done: new Set() });
      return;
    }
    case 'answered':
      return turned(open.get(event['question'] as string), (event['answer'] as { by: number }).by, at);
    case 'passed':
      return turned(open.get(event['question'] as string), event['seat'] as number, at);
    case 'majority-reached':
    case 'majority-lost':
    case 'hastened': {
      const question = open.get(event['question'] as string);
      if (question && event.type === 'hastened') question.until = event['until'] as number;
      if (question) Object.assign(question, { majorityUntil: event['until'] });
      return;
    }
    case 'paused':
      standing.pausedSince = at;
      return;
    case 'resumed':
    case 'delayed':
      standing.pausedSince = undefined;
      for (const question of open.values()) {
        question.until += event['ms'] as number;
        if (question.majorityUntil !== undefined) question.majorityUntil += event['ms'] as number;
      }
      return;
    case 'settled':
    case 'withdrawn':
      open.delete(event['question'] as string);
      return;
  }
}

/** A seat has had its turn: the time of the next one begins. */
function turned(question: OpenQuestion | undefined, seat: number, at: number): void {
  if (!question?.inTurn) return;
  question.done.add(seat);
  question.until = at + question.turnMs;
}

interface StatusView {
  readonly standing: Standing;
  readonly questions: OpenQuestions;
  readonly names: readonly string[];
  readonly seat: number;
  /** Whether a mind plays the seat. */
  readonly isAway: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly paint: Paint;
}

/** Two rows: time left, role, phase and who is alive; and what may be typed. */
export function statusRows(view: StatusView, columns: number): string[] {
  const { standing, names, questions, paint } = view;
  const now = standing.pausedSince ?? view.now;
  const { alive, asked } = questions;
  const open = [...standing.open.entries()];
  const until = Math.min(...(asked.length ? asked : open.map(([, question]) => question)).map((question) => question.until));
  const id = asked[0]?.id ?? open.at(-1)?.[0];
  const phase = id === undefined ? standing.phase : phaseOf(id, standing.rounds);
  const living = names.filter((_, seat) => alive[seat] !== false);
  const majorityUntil = Math.min(...open.map(([, question]) => question.majorityUntil ?? Infinity));
  const parts = [
    ...(standing.pausedSince === undefined ? [] : ['paused']),
    ...(Number.isFinite(majorityUntil) ? [`the vote ends in ${timeLeft(majorityUntil, now)}`] : []),
    ...(Number.isFinite(until) ? [`${timeLeft(until, now)} left`] : []),
    ...(standing.role ? [`you: ${standing.role.replaceAll('-', ' ')}`] : []),
    ...(phase ? [phase] : []),
    `${living.length} of ${names.length} alive: ${living.join(', ')}`,
  ];
  return [paint('inverse', fitted(` ${parts.join(' · ')} `, columns)), paint('dim', fitted(mayType(view), columns))];
}

function mayType({ questions: { asked, life, alive }, standing, names, isAway, seat }: StatusView): string {
  if (standing.pausedSince !== undefined) return 'The table is paused: nothing counts until it goes on, and no time is lost.';
  if (isAway) return 'A mind plays for you. /back takes your seat back.';
  if (life === 'Dead' || alive[seat] === false) return 'You are dead: you may watch.';
  if (asked.length) return asked.map((question) => summarizeQuestion(question, seat)).join(' · ');
  const turn = [...standing.open.values()].find(({ inTurn }) => inTurn);
  const speaker = turn?.of.find((each) => !turn.done.has(each));
  if (speaker !== undefined) return `It is the turn of ${names[speaker] ?? `Seat ${speaker}`}. /help lists what you can type.`;
  const isNight = /\bnight\b/.test(standing.phase ?? '');
  return `${isNight ? 'It is night: others may act in secret, one role after another, and that takes its time.' : 'Nothing is asked of you now.'} /help lists what you can type.`;
}

/** The steps of a phase that tell a player nothing. */
const INNER = /^(wolf|witch|guard|seer|ballot|gallows)\b/;

/** `round-1/day-2/vote` is `day 2`, or `round 1, day 2` where there are several rounds. */
function phaseOf(id: string, rounds: number): string {
  const parts = id.split('/').slice(0, -1);
  const told = parts.filter((part) => !INNER.test(part) && !(rounds === 1 && part === 'round-1'));
  return told.join(', ').replaceAll('-', ' ');
}

/** Cut to the width of the terminal, so that it stays one row. */
function fitted(text: string, columns: number): string {
  const letters = [...text];
  return letters.length < columns ? text : `${letters.slice(0, columns - 2).join('')}…`;
}
