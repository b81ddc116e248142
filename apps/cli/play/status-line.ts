import type { OpenQuestions, SeenEvent, TableClock } from '../clients/table-stream.ts';
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
  /** How many seats the table has. */
  seats: number;
  hasWhispers: boolean;
  /** Whether players are still awaited. */
  isLobby: boolean;
  /** What everybody may know of the time, also while nothing that the seat knows of is asked. */
  clock: TableClock | undefined;
  /** Since when the table is paused, in milliseconds since the epoch. */
  pausedSince: number | undefined;
  /** The open questions that the seat knows of, by id, whether or not it may answer them. */
  readonly open: Map<string, OpenQuestion>;
}

export const newStanding = (): Standing => ({
  role: undefined,
  phase: undefined,
  rounds: 1,
  seats: 0,
  hasWhispers: false,
  isLobby: false,
  clock: undefined,
  pausedSince: undefined,
  open: new Map(),
});

interface Opening {
  readonly rounds: number;
  readonly seats: readonly unknown[];
  readonly options: { readonly [name: string]: unknown };
}

/** Takes in one event. */
export function updateStanding(standing: Standing, { event, at }: SeenEvent, seat: number): void {
  const { open } = standing;
  switch (event.type) {
    case 'opened': {
      const { rounds, seats, options } = event['opening'] as Opening;
      Object.assign(standing, { rounds, seats: seats.length, hasWhispers: options['whisper'] === true, isLobby: true });
      return;
    }
    case 'began':
      Object.assign(standing, { role: undefined, phase: undefined, isLobby: false });
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
    case 'majority-lost': {
      const question = open.get(event['question'] as string);
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
  /** Since when the connection is lost. */
  readonly isLost: boolean;
  /** When the turn is skipped unless a key comes. */
  readonly idleUntil: number | undefined;
  /** Milliseconds since the epoch, by the time of the table. */
  readonly now: number;
  readonly paint: Paint;
}

/** Two rows: time left, role, phase and who is alive; and what may be typed. */
export function statusRows(view: StatusView, columns: number): string[] {
  const { standing, names, questions, paint, idleUntil, isLost } = view;
  const now = standing.pausedSince ?? view.now;
  const { alive, asked } = questions;
  const open = [...standing.open.values()];
  const ends = (asked.length ? asked : open).map((question) => question.until);
  const until = ends.length ? Math.min(...ends) : standing.clock?.until;
  const majorityUntil = Math.min(...open.map((question) => question.majorityUntil ?? Infinity));
  const living = names.filter((_, seat) => alive[seat] !== false);
  const phase = phaseIn(view);
  const parts = [
    ...(isLost ? ['no connection'] : []),
    ...(standing.pausedSince === undefined ? [] : ['paused']),
    ...(Number.isFinite(majorityUntil) ? [`the vote ends in ${timeLeft(majorityUntil, now)}`] : []),
    ...(until === undefined ? [] : [leftWords(until, now, standing.isLobby, idleUntil)]),
    ...(standing.role ? [`you: ${standing.role.replaceAll('-', ' ')}`] : []),
    ...(phase ? [phase] : []),
    standing.isLobby
      ? `${living.length} of ${standing.seats} are here: ${living.join(', ')}`
      : `${living.length} of ${names.length} alive: ${living.join(', ')}`,
  ];
  return [paint('inverse', fitted(` ${parts.join(' · ')} `, columns)), paint('dim', fitted(mayType(view, phase), columns))];
}

/** The clock that ends first. In the lobby that is the longest wait for others. */
function leftWords(until: number, now: number, isLobby: boolean, idleUntil = Infinity): string {
  const left = timeLeft(until, now);
  if (isLobby) return `begins in ${left} at the latest`;
  return idleUntil < until ? `${timeLeft(idleUntil, now)} left, ${left} once you press a key` : `${left} left`;
}

/** The phase by a question that the seat knows of, else by what everybody knows. */
function phaseIn({ standing, questions: { asked } }: StatusView): string | undefined {
  const { open, clock, rounds, isLobby } = standing;
  const id = asked[0]?.id ?? [...open.keys()].at(-1);
  const parts = id === undefined ? clock?.phase?.split(' ')[0]?.split('/') : id.split('/').slice(0, -1);
  if (isLobby || !parts) return isLobby ? undefined : standing.phase;
  const told = parts.filter((part) => !INNER.test(part) && !(rounds === 1 && part === 'round-1'));
  return told.join(', ').replaceAll('-', ' ');
}

function mayType({ questions: { asked, life, alive }, standing, names, isAway, seat }: StatusView, phase: string | undefined): string {
  if (standing.isLobby) return 'The game begins when everybody is here. /help lists what you can type.';
  if (standing.pausedSince !== undefined) return 'The table is paused: nothing counts until it goes on, and no time is lost.';
  if (isAway) return 'A mind plays for you. /back takes your seat back.';
  if (life === 'Dead' || alive[seat] === false) return 'You are dead: you may watch.';
  if (asked.length) return asked.map((question) => summarizeQuestion(question, seat)).join(' · ');
  const turn = [...standing.open.values()].find(({ inTurn }) => inTurn);
  const speaker = turn?.of.find((each) => !turn.done.has(each));
  if (speaker !== undefined) return `It is the turn of ${names[speaker] ?? `Seat ${speaker}`}. /help lists what you can type.`;
  const isNight = /\bnight\b/.test(phase ?? '');
  return `${isNight ? 'It is night: others may act in secret, one role after another, and that takes its time.' : 'Nothing is asked of you now.'} /help lists what you can type.`;
}

/** The steps of a phase that tell a player nothing. */
const INNER = /^(wolf|witch|guard|seer|ballot|gallows)\b/;

/** Cut to the width of the terminal, so that it stays one row. */
function fitted(text: string, columns: number): string {
  const letters = [...text];
  return letters.length < columns ? text : `${letters.slice(0, columns - 2).join('')}…`;
}
