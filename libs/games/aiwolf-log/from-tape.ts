import { isTableEvent } from '../kernel/play.ts';
import { eventsOfRound } from '../match/rounds.ts';
import { isMatchEvent } from '../match/state.ts';
import { type Answer, type Seat, seatOf, stepOf } from '../kernel/question.ts';
import type { TableEvent } from '../kernel/rules.ts';
import type { LogLine } from './log.ts';
import { rosterOf } from '../aiwolf/roster.ts';
import { type Aiwolf, type AiwolfEvent, evolve, initialState, type Role, speciesOf } from '../aiwolf/state.ts';
import { OVER } from '../aiwolf/turns.ts';

type Event = { readonly type: string };

/**
 * Writes the log of a finished game: from bare events, as `play` emits them, or from one round of a match.
 * @param tape the whole tape, as the narrator sees it
 * @param names by seat
 * @param round which round of a match, from 1
 */
export function logOfTape(tape: readonly Event[], names: readonly string[], round = 1): LogLine[] {
  const log: Log = { names, lines: [], open: new Map(), state: initialState, numbers: { talk: 0, whisper: 0 }, isMorning: false };
  for (const event of eventsOfRound(tape, round)) {
    if (isTableEvent(event)) writeTableEvent(log, event);
    else if (!isMatchEvent(event)) writeGameEvent(log, event as AiwolfEvent);
  }
  return log.lines;
}

interface Log {
  readonly names: readonly string[];
  readonly lines: LogLine[];
  readonly open: Map<string, Answer[]>;
  state: Aiwolf;
  /** The number of the next utterance of the day. */
  numbers: { talk: number; whisper: number };
  /** Whether the statuses of the day are still to be written. The night's death is announced after the day begins. */
  isMorning: boolean;
}

function writeTableEvent(log: Log, e: TableEvent): void {
  if (e.type === 'asked') log.open.set(e.question.id, []);
  else if (e.type === 'answered') log.open.get(e.question)?.push(e.answer);
  else if (e.type === 'settled') writeSettled(log, e.question, [...(log.open.get(e.question) ?? []), ...(e.defaulted ?? [])]);
}

function writeSettled(log: Log, id: string, answers: readonly Answer[]): void {
  if (log.isMorning) writeStatuses(log);
  const step = stepOf(id);
  if (step === 'talk' || step === 'whisper') writeTurn(log, answers);
  else if (step === 'vote' || step === 'attack')
    for (const { by, says } of answers.toSorted((a, b) => a.by - b.by))
      log.lines.push({ day: log.state.day, type: step === 'vote' ? 'vote' : 'attackVote', seat: by, target: seatOf(says[0]!) });
}

function writeStatuses(log: Log): void {
  const { names, state } = log;
  log.isMorning = false;
  for (const [seat, role] of (state.roles as readonly Role[]).entries())
    log.lines.push({
      day: state.day,
      type: 'status',
      seat,
      role,
      alive: state.living.includes(seat),
      name: names[seat] ?? `Seat ${seat}`,
    });
}

/** A settled turn. A player who has used up the day's utterances says `Over`. */
function writeTurn({ lines, numbers, state }: Log, answers: readonly Answer[]): void {
  const { place, turn, order, left } = state.speech!;
  for (const seat of order) {
    const text = left[seat]! > 0 ? answers.find(({ by }) => by === seat)!.says[0]! : OVER;
    lines.push({ day: state.day, type: place, number: numbers[place]++, turn, seat, text });
  }
}

function writeGameEvent(log: Log, e: AiwolfEvent): void {
  const isNight = e.type !== 'killed' && e.type !== 'unharmed';
  if (e.type === 'ended' ? log.lines.at(-1)?.type !== 'status' || log.isMorning : log.isMorning && isNight) writeStatuses(log);
  const line = lineOf(e, log.state);
  if (line) log.lines.push(line);
  log.state = evolve(log.state, e);
  if (e.type === 'dealt' || e.type === 'dawned') log.isMorning = true;
  if (e.type === 'dawned') log.numbers = { talk: 0, whisper: 0 };
  if (e.type === 'ordered' && !e.order.some((seat) => e.left[seat]! > 0)) writeTurn(log, []);
}

/** The log line of a game event, if it has one. @param s the state before the event */
function lineOf(e: AiwolfEvent, s: Aiwolf): LogLine | undefined {
  const { day } = s;
  const roleOf = (seat: Seat) => s.roles[seat] as Role;
  switch (e.type) {
    case 'executed':
      return { day, type: 'execute', seat: e.seat, role: roleOf(e.seat) };
    case 'gazed':
      return { day, type: 'divine', seat: e.by, target: e.seat, found: speciesOf(roleOf(e.seat)) };
    case 'guarded':
      return { day, type: 'guard', seat: e.by, target: e.seat, role: roleOf(e.seat) };
    case 'attacked':
      return { day, type: 'attack', target: e.seat, died: e.seat !== undefined && e.seat !== s.guard?.seat };
    case 'ended': {
      const { humans, wolves } = rosterOf(s);
      return { day, type: 'result', humans: humans.length, wolves: wolves.length, winner: e.winner };
    }
    case 'dealt':
    case 'dawned':
    case 'killed':
    case 'unharmed':
    case 'ordered':
    case 'tied':
    case 'spared':
    case 'divined':
    case 'identified':
      return undefined;
  }
}
