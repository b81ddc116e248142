import { isTableEvent } from '@maw/games/kernel/play.ts';
import { eventsOfRound } from '@maw/games/match/rounds.ts';
import { isMatchEvent } from '@maw/games/match/state.ts';
import { type Answer, type Instant, type Question, type Seat, seatOf, stepOf } from '@maw/games/kernel/question.ts';
import type { TableEvent } from '@maw/games/kernel/rules.ts';
import type { LogLine } from './log.ts';
import { isNlp as isNlpPreset } from '@maw/games/aiwolf/presets.ts';
import { dyingTonight } from '@maw/games/aiwolf/night.ts';
import { rosterOf } from '@maw/games/aiwolf/roster.ts';
import { type Aiwolf, type AiwolfEvent, evolve, initialState, type Role, speciesOf } from '@maw/games/aiwolf/state.ts';
import { OVER } from '@maw/games/aiwolf/turns.ts';

type Event = { readonly type: string };

/** How a log is written. */
export interface LogStyle {
  /** As the server of the natural-language division writes it. */
  readonly isNlp: boolean;
  /** There: the names of the connections by seat, where they are not those of the players. */
  readonly connections?: readonly string[];
}

/**
 * Writes the log of a game, finished or as far as it is played: from bare events, as `play` emits them, or from one round of a match.
 * @param tape the whole tape, as the narrator sees it
 * @param names by seat
 * @param round which round of a match, from 1
 * @param style by default that of the contest of the table, where the tape tells it
 */
export function logOfTape(tape: readonly Event[], names: readonly string[], round = 1, style: LogStyle = styleOf(tape)): LogLine[] {
  const log: Log = { names, style, lines: [], open: new Map(), state: initialState, numbers: { talk: 0, whisper: 0 }, isMorning: false };
  for (const event of eventsOfRound(tape, round)) {
    if (isTableEvent(event)) writeTableEvent(log, event);
    else if (!isMatchEvent(event)) writeGameEvent(log, event as AiwolfEvent);
  }
  for (const asked of log.open.values()) writeRunning(log, asked);
  return log.lines;
}

function styleOf(tape: readonly Event[]): LogStyle {
  const opened = tape.find(({ type }) => type === 'opened') as
    { readonly opening?: { readonly options: { readonly preset?: unknown } } } | undefined;
  return { isNlp: isNlpPreset(opened?.opening?.options.preset) };
}

/** A question, and what was answered so far. */
interface Answered {
  readonly question: Question;
  readonly answers: (Answer & { readonly at: Instant })[];
}

interface Log {
  readonly names: readonly string[];
  readonly style: LogStyle;
  readonly lines: LogLine[];
  readonly open: Map<string, Answered>;
  state: Aiwolf;
  /** The number of the next utterance of the day. */
  numbers: { talk: number; whisper: number };
  /** Whether the statuses of the day are still to be written. The night's death is announced after the day begins. */
  isMorning: boolean;
}

function writeTableEvent(log: Log, e: TableEvent): void {
  if (e.type === 'asked') log.open.set(e.question.id, { question: e.question, answers: [] });
  else if (e.type === 'answered') log.open.get(e.question)?.answers.push({ ...e.answer, at: e.at });
  else if (e.type === 'settled') {
    writeSettled(log, log.open.get(e.question)!, e.defaulted ?? []);
    log.open.delete(e.question);
  } else if (e.type === 'withdrawn') log.open.delete(e.question);
}

/** What is said so far in a talk or whispering that goes on, up to the first who was silent. */
function writeRunning(log: Log, { question: { id, inTurn }, answers }: Answered): void {
  const step = stepOf(id);
  if (!answers.length || (step !== 'talk' && step !== 'whisper')) return;
  if (log.isMorning) writeStatuses(log);
  if (!inTurn) return writeAnytime(log, answers);
  const { order, left } = log.state.speech!;
  const silent = order.findIndex((seat) => left[seat]! > 0 && !answers.some(({ by }) => by === seat));
  writeTurn(log, answers, silent < 0 ? order : order.slice(0, silent));
}

function writeSettled(log: Log, { question: { id, inTurn }, answers: given }: Answered, defaulted: readonly Answer[]): void {
  if (log.isMorning) writeStatuses(log);
  const answers = [...given, ...defaulted];
  const step = stepOf(id);
  if (step === 'talk' && !inTurn) writeAnytime(log, given);
  else if (step === 'talk' || step === 'whisper') writeTurn(log, answers);
  else if (step === 'vote' || step === 'attack')
    for (const { by, says } of answers.toSorted((a, b) => a.by - b.by))
      log.lines.push({ day: log.state.day, type: step === 'vote' ? 'vote' : 'attackVote', seat: by, target: seatOf(says[0]!) });
}

function writeStatuses(log: Log): void {
  const { names, state, style } = log;
  log.isMorning = false;
  for (const [seat, role] of (state.roles as readonly Role[]).entries()) {
    const player = names[seat] ?? `Seat ${seat}`;
    const named = style.isNlp ? { name: style.connections?.[seat] ?? player, player } : { name: player };
    log.lines.push({ day: state.day, type: 'status', seat, role, alive: state.living.includes(seat), ...named });
  }
}

/**
 * A settled turn. A player who has used up the day's utterances says `Over`, or is left out in the natural-language division, which numbers each
 * talk and whispering anew.
 */
function writeTurn({ lines, numbers, state, style }: Log, answers: readonly Answer[], order: readonly Seat[] = state.speech!.order): void {
  const { place, turn, left } = state.speech!;
  if (style.isNlp && turn === 0) numbers[place] = 0;
  for (const seat of order) {
    if (style.isNlp && !left[seat]) continue;
    const text = left[seat]! > 0 ? answers.find(({ by }) => by === seat)!.says[0]! : OVER;
    lines.push({ day: state.day, type: place, number: numbers[place]++, turn, seat, text });
  }
}

/** A talk at any time: the turns of each player are its own. */
function writeAnytime({ lines, state, style }: Log, said: Answered['answers']): void {
  const turns = new Map<Seat, number>();
  for (const [number, { by: seat, says, at }] of said.entries()) {
    const turn = turns.get(seat) ?? 0;
    turns.set(seat, turn + 1);
    const time = style.isNlp ? { time: Math.floor(at / 1000) } : {};
    lines.push({ day: state.day, type: 'talk', number, turn, seat, text: says[0]!, ...time });
  }
}

function writeGameEvent(log: Log, e: AiwolfEvent): void {
  // In the natural-language division, and with immoralists, the end of a game has the number of the next day.
  const isLater = log.style.isNlp || log.state.roles.includes('immoralist');
  if (e.type === 'ended' && isLater && log.state.executed.at(-1)?.day === log.state.day)
    log.state = { ...log.state, day: log.state.day + 1 };
  const isNight = e.type !== 'killed' && e.type !== 'unharmed';
  if (e.type === 'ended' ? log.lines.at(-1)?.type !== 'status' || log.isMorning : log.isMorning && isNight) writeStatuses(log);
  log.lines.push(...linesOf(e, log.state, log.style));
  log.state = evolve(log.state, e);
  if (e.type === 'dealt' || e.type === 'dawned') log.isMorning = true;
  if (e.type === 'dawned') log.numbers = { talk: 0, whisper: 0 };
  if (e.type === 'ordered' && !e.order.some((seat) => e.left[seat]! > 0)) writeTurn(log, []);
}

/** The log lines of a game event. @param s the state before the event */
function linesOf(e: AiwolfEvent, s: Aiwolf, { isNlp }: LogStyle): readonly LogLine[] {
  const { day } = s;
  const roleOf = (seat: Seat) => s.roles[seat] as Role;
  const hasImmoralists = s.roles.includes('immoralist');
  switch (e.type) {
    case 'executed':
      return [{ day, type: 'execute', seat: e.seat, role: roleOf(e.seat) }];
    case 'died':
      return [{ day, type: 'suicide', seat: e.seat, role: roleOf(e.seat) }];
    case 'dawned':
      return dyingTonight(s).followers.map((seat) => ({ day, type: 'suicide', seat, role: roleOf(seat) }));
    case 'gazed':
      return [
        { day, type: 'divine', seat: e.by, target: e.seat, found: speciesOf(roleOf(e.seat)) },
        ...(hasImmoralists && roleOf(e.seat) === 'fox' ? [{ day, type: 'cursed', seat: e.seat, role: 'fox' } as const] : []),
      ];
    case 'guarded':
      return [{ day, type: 'guard', seat: e.by, target: e.seat, role: roleOf(e.seat) }];
    case 'attacked': {
      const died = e.seat === undefined ? isNlp : e.seat !== s.guard?.seat && roleOf(e.seat) !== 'fox';
      return [{ day, type: 'attack', target: e.seat, died }];
    }
    case 'ended': {
      const { humans, wolves } = rosterOf(s);
      const foxes = hasImmoralists ? { foxes: humans.filter((seat) => roleOf(seat) === 'fox').length } : {};
      const winner = isNlp && e.winner === 'draw' ? 'none' : e.winner;
      return [{ day, type: 'result', humans: humans.length, wolves: wolves.length, ...foxes, winner }];
    }
    case 'dealt':
    case 'killed':
    case 'unharmed':
    case 'ordered':
    case 'tied':
    case 'spared':
    case 'divined':
    case 'identified':
      return [];
  }
}
