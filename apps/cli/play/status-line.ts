import type { OpenQuestions, SeenEvent, TableClock } from '../clients/table-stream.ts';
import type { Paint } from '../transcript.ts';
import { summarizeQuestion, timeLeft } from './describe-question.ts';

/** What the events of a table say about where it stands, for one seat. */
export interface Standing {
  /** The role the seat was dealt; undefined before the deal. */
  role: string | undefined;
  /** The day or night that was announced last. */
  phase: string | undefined;
  /** As the table was opened. */
  opening: Opening | undefined;
  /** Whether players are still awaited. */
  isLobby: boolean;
  /** The question that is asked in turns, and the seats that have had theirs. */
  turn: { readonly id: string; readonly of: readonly number[]; readonly done: Set<number> } | undefined;
  /** What everybody may know of the time, also while nothing that the seat knows of is asked. */
  clock: TableClock | undefined;
}

interface Opening {
  readonly rules: string;
  readonly rounds: number;
  readonly seats: readonly unknown[];
  readonly options: { readonly [name: string]: unknown };
}

export const newStanding = (): Standing => ({
  role: undefined,
  phase: undefined,
  opening: undefined,
  isLobby: false,
  turn: undefined,
  clock: undefined,
});

/** Takes in one event. */
export function updateStanding(standing: Standing, { event }: SeenEvent, seat: number): void {
  const { turn } = standing;
  switch (event.type) {
    case 'opened':
      return void Object.assign(standing, { opening: event['opening'], isLobby: true });
    case 'began':
      return void Object.assign(standing, { role: undefined, phase: undefined, isLobby: false });
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
      const { id, of, inTurn } = event['question'] as { id: string; of: readonly number[]; inTurn: boolean };
      if (inTurn) standing.turn = { id, of, done: new Set() };
      return;
    }
    case 'answered':
      if (event['question'] === turn?.id) turn?.done.add((event['answer'] as { by: number }).by);
      return;
    case 'passed':
      if (event['question'] === turn?.id) turn?.done.add(event['seat'] as number);
      return;
    case 'settled':
    case 'withdrawn':
      if (event['question'] === turn?.id) standing.turn = undefined;
      return;
  }
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
  const { standing, names, questions, paint, isLost } = view;
  const { alive } = questions;
  const { role, clock, isLobby, opening } = standing;
  const living = names.filter((_, seat) => alive[seat] !== false);
  const phase = phaseIn(view);
  const parts = [
    ...(isLost ? ['no connection'] : []),
    ...(clock?.pausedSince === undefined ? [] : ['paused']),
    ...timeWords(view),
    ...(role ? [`you: ${role.replaceAll('-', ' ')}`] : []),
    ...(phase ? [phase] : []),
    `${living.length} of ${isLobby ? opening?.seats.length : names.length} ${isLobby ? 'are here' : 'alive'}: ${living.join(', ')}`,
  ];
  return [paint('inverse', fitted(` ${parts.join(' · ')} `, columns)), paint('dim', fitted(mayType(view, phase), columns))];
}

/** The clock that ends first: of what is asked, of the phase, or of a turn that is skipped. In the lobby it is the longest wait for others. */
function timeWords({ standing: { clock, isLobby }, questions: { asked }, idleUntil = Infinity, now }: StatusView): readonly string[] {
  const until = Math.min(clock?.until ?? Infinity, ...asked.map((question) => question.until));
  if (!Number.isFinite(until)) return [];
  const left = timeLeft(until, clock?.pausedSince ?? now);
  if (isLobby) return [`begins in ${left} at the latest`];
  if (!asked.length) return [`at most ${left} left`];
  return [idleUntil < until ? `${timeLeft(idleUntil, now)} left, ${left} once you press a key` : `${left} left`];
}

/** The phase by what is asked of the seat, else by what everybody knows. */
function phaseIn({ standing: { phase, clock, opening, isLobby }, questions: { asked } }: StatusView): string | undefined {
  const parts = asked[0]?.id.split('/').slice(0, -1) ?? clock?.phase?.split(' ')[0]?.split('/');
  if (isLobby || !parts) return phase;
  const told = parts.filter((part) => !INNER.test(part) && !((opening?.rounds ?? 1) === 1 && part === 'round-1'));
  return told.join(', ').replaceAll('-', ' ');
}

function mayType({ questions: { asked, life, alive }, standing, names, isAway, seat }: StatusView, phase: string | undefined): string {
  if (standing.isLobby) return 'The game begins when everybody is here. /help lists what you can type.';
  if (standing.clock?.pausedSince !== undefined) return 'The table is paused: nothing counts until it goes on, and no time is lost.';
  if (isAway) return 'A mind plays for you. /back takes your seat back.';
  if (life === 'Dead' || alive[seat] === false) return 'You are dead: you may watch.';
  if (asked.length) return asked.map((question) => summarizeQuestion(question, seat)).join(' · ');
  const { turn } = standing;
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
