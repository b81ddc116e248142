import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import type { Match } from '@maw/games/match/state.ts';
import type { MatchRules } from '@maw/games/match/match.ts';
import { isTableEvent, type play, type Position } from '@maw/games/kernel/play.ts';
import { type Eye, isAmong, type Open, type Question } from '@maw/games/kernel/question.ts';
import type { TableEvent, Telling } from '@maw/games/kernel/rules.ts';
import { linesOf, type RoomLine, type RoomLog } from './room-log.ts';

/** A game as the gamemaster runs it: a match of some rule set, completed by the kernel. */
export type Game = ReturnType<typeof play<Match, { readonly type: string }>>;
export type Standing = Position<Match>;

/** One event as an eye has seen it, numbered densely for that eye: gaps would tell that something was hidden. */
export interface SeenEvent {
  readonly n: number;
  readonly at: number;
  readonly event: { readonly type: string };
  readonly text: string | undefined;
  readonly line: RoomLine | undefined;
}

/** What one eye has seen, and where the game stands for it: a fold over nothing but that. */
export interface EyeView {
  readonly seen: SeenEvent[];
  standing: Standing;
}

/**
 * Everything that follows from a tape so far. It only ever grows by `write`, one append at a time, and is rebuilt from the tape at will.
 */
export interface TableState {
  readonly table: string;
  readonly game: Game;
  readonly rules: MatchRules;
  readonly tape: RecordedEvent[];
  /** By the id of the message: the sequences of the first and the last event it caused. */
  readonly causes: Map<string, { readonly first: number; readonly last: number }>;
  readonly roomLog: RoomLog;
  /** By sequence: the lines written down for it. */
  readonly lines: Map<number, readonly RoomLine[]>;
  readonly views: Map<Eye, EyeView>;
  /** By seat: how much it had seen when it was last asked as a mind. */
  readonly askedAt: Map<number, number>;
  standing: Standing;
}

export function newTableState(table: string, rules: MatchRules, game: Game, seats: number): TableState {
  const eyes: Eye[] = [...Array.from({ length: seats }, (_, seat) => seat), 'audience', 'narrator'];
  return {
    table,
    game,
    rules,
    tape: [],
    causes: new Map(),
    roomLog: { counts: new Map(), open: new Map() },
    lines: new Map(),
    views: new Map(eyes.map((eye) => [eye, { seen: [], standing: game.begin() }])),
    askedAt: new Map(),
    standing: game.begin(),
  };
}

/** Takes the events of one append into the ledger. */
export function applyEvents(ledger: TableState, batch: readonly RecordedEvent[]): void {
  for (const recorded of batch) {
    const event = recorded.event as { readonly type: string };
    const before = ledger.standing;
    const after = ledger.game.evolve(before, event);
    const telling = tellingOf(event, before, after);
    const lines = linesOf(ledger.roomLog, event, { before, telling, at: recorded.at, rules: ledger.rules });
    if (lines.length) ledger.lines.set(recorded.sequence, lines);
    for (const [eye, sight] of ledger.views) look(ledger, eye, sight, { event, before, telling, at: recorded.at, lines });
    ledger.tape.push(recorded);
    const cause = ledger.causes.get(recorded.cause);
    ledger.causes.set(recorded.cause, { first: cause?.first ?? recorded.sequence, last: recorded.sequence });
    ledger.standing = after;
  }
}

interface Looking {
  readonly event: { readonly type: string };
  readonly before: Standing;
  readonly telling: Telling;
  readonly at: number;
  readonly lines: readonly RoomLine[];
}

function look(ledger: TableState, eye: Eye, sight: EyeView, { event, before, telling, at, lines }: Looking): void {
  const seen = ledger.game.see(before, event, eye);
  if (!seen) return;
  sight.standing = ledger.game.evolve(sight.standing, seen);
  sight.seen.push({
    n: sight.seen.length + 1,
    at,
    event: seen,
    text: ledger.rules.tell(seen as never, telling),
    line: lines.find((line) => mayRead(line, eye)),
  });
}

const mayRead = (line: RoomLine, eye: Eye): boolean =>
  eye === 'narrator' || (eye === 'audience' ? line.isPublic : line.members.includes(eye));

function tellingOf(event: { readonly type: string }, before: Standing, after: Standing): Telling {
  const question = isTableEvent(event) ? questionOf(event, before) : undefined;
  const names = after.game.names.map((name, seat) => name ?? `Seat ${seat}`);
  return question ? { names, question } : { names };
}

/** The question an event of the kernel is about, given the standing before it; a delay is about all of them. */
export function questionOf(event: TableEvent, before: Standing): Question | undefined {
  if (event.type === 'delayed') return undefined;
  return event.type === 'asked' ? event.question : before.open.find((q) => q.id === event.question);
}

/** The open questions that everybody may know of. */
export const publicQuestions = (open: readonly Open[]): readonly Open[] => open.filter((q) => isAmong(q, 'audience'));
