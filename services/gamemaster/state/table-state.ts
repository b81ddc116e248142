import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import { type PublicClock, publicClock } from '@maw/games/match/clock.ts';
import type { MatchRules } from '@maw/games/match/match.ts';
import { isTableEvent } from '@maw/games/kernel/play.ts';
import { type Eye, isAmong, type Open, type Question } from '@maw/games/kernel/question.ts';
import { isTimeEvent, type TableEvent, type Telling } from '@maw/games/kernel/rules.ts';
import type { Game, Standing } from './game.ts';
import { logEvent, type RoomLine, type RoomLog } from './room-log.ts';

/** One event as an eye has seen it, numbered densely for that eye: gaps would reveal that something was hidden. */
export interface SeenEvent {
  readonly n: number;
  readonly at: number;
  readonly event: { readonly type: string };
  readonly text: string | undefined;
  readonly line: RoomLine | undefined;
  /** Whether everybody sees this sentence, the audience included. */
  readonly isPublic: boolean;
}

/** What one eye has seen, and the fold over nothing but that. */
interface EyeView {
  readonly seen: SeenEvent[];
  standing: Standing;
}

/** A decision that a mind was asked for; the sequence of its append and the index there make its id. */
export interface AskedDecision {
  readonly seat: number;
  readonly phase: string;
  readonly sequence: number;
  readonly index: number;
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
  /** By sequence: the lines logged for it. */
  readonly lines: Map<number, readonly RoomLine[]>;
  readonly views: Map<Eye, EyeView>;
  /** By seat: how many events it had seen when it was last asked as a mind. */
  readonly askedAt: Map<number, number>;
  /** The decisions that minds were asked for, in order. */
  readonly decisions: AskedDecision[];
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
    decisions: [],
    standing: game.begin(),
  };
}

/** Folds the events of one append into the state. */
export function applyEvents(state: TableState, batch: readonly RecordedEvent[]): void {
  for (const recorded of batch) {
    const event = recorded.event as { readonly type: string };
    const before = state.standing;
    const after = state.game.evolve(before, event);
    const telling = tellingOf(event, before, after);
    const lines = logEvent(state.roomLog, event, { before, telling, at: recorded.at, rules: state.rules });
    if (lines.length) state.lines.set(recorded.sequence, lines);
    const forAll = state.game.see(before, event, 'audience');
    const publicText = forAll && state.rules.tell(forAll as never, telling);
    for (const [eye, view] of state.views) showTo(state, eye, view, { event, before, telling, at: recorded.at, lines, publicText });
    state.tape.push(recorded);
    const cause = state.causes.get(recorded.cause);
    state.causes.set(recorded.cause, { first: cause?.first ?? recorded.sequence, last: recorded.sequence });
    state.standing = after;
  }
}

interface ViewedEvent {
  readonly event: { readonly type: string };
  readonly before: Standing;
  readonly telling: Telling;
  readonly at: number;
  readonly lines: readonly RoomLine[];
  /** The sentence that the audience sees. */
  readonly publicText: string | undefined;
}

function showTo(state: TableState, eye: Eye, view: EyeView, { event, before, telling, at, lines, publicText }: ViewedEvent): void {
  const seen = state.game.see(before, event, eye);
  if (!seen) return;
  view.standing = state.game.evolve(view.standing, seen);
  const text = state.rules.tell(seen as never, telling);
  const line = lines.find((each) => mayRead(each, eye));
  view.seen.push({ n: view.seen.length + 1, at, event: seen, text, line, isPublic: text !== undefined && text === publicText });
}

const mayRead = (line: RoomLine, eye: Eye): boolean =>
  eye === 'narrator' || (eye === 'audience' ? line.isPublic : line.members.includes(eye));

function tellingOf(event: { readonly type: string }, before: Standing, after: Standing): Telling {
  const question = isTableEvent(event) ? questionOf(event, before) : undefined;
  const names = after.game.names.map((name, seat) => name ?? `Seat ${seat}`);
  return question ? { names, question } : { names };
}

/** The question an event of the kernel concerns, given the standing before it; undefined for one that concerns all. */
function questionOf(event: TableEvent, before: Standing): Question | undefined {
  if (isTimeEvent(event)) return undefined;
  return event.type === 'asked' ? event.question : before.open.find((q) => q.id === event.question);
}

/** The clock of a table, made from what the audience has seen: so it tells every eye the same, and none a secret. */
export function clockOf({ rules, views }: TableState): PublicClock {
  const { seen, standing } = views.get('audience')!;
  const last = seen.findLastIndex(({ event }) => !isTimeEvent(event));
  const givenBackMs = seen.slice(last + 1).reduce((sum, { event }) => sum + ('ms' in event ? (event.ms as number) : 0), 0);
  return publicClock(rules, standing, (seen[last]?.at ?? 0) + givenBackMs);
}

/** The open questions that everybody may know of. */
export const publicQuestions = (open: readonly Open[]): readonly Open[] => open.filter((q) => isAmong(q, 'audience'));
