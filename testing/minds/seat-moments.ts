import type { Message } from '@maw/contracts/contracts.ts';
import { play } from '@maw/games/kernel/play.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { match } from '@maw/games/match/match.ts';
import { deriveMessages } from '@maw/gamemaster/messages/derive-messages.ts';
import { newTableState } from '@maw/gamemaster/state/table-state.ts';
import type { Mind, Moment, Recipe } from '@maw/minds/mind.ts';
import { momentOf } from '@maw/player/decision/moment.ts';
import { addSeenEvents } from '@maw/player/news/collect-news.ts';
import { defaultOptions } from '@maw/player/options.ts';
import { type Memory, newMemory } from '@maw/player/state/memory.ts';
import { startProgress } from '@maw/player/state/progress.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import { openingOf, type PlayedWorld } from '../noninterference/world-pair.ts';

type Decide = Message<'seat.decide'>;

/** What the gamemaster asks a seat in a game that was played by hand, in order, as if a mind had the seat. */
export function decisionsIn(world: PlayedWorld, seat: Seat): readonly Decide[] {
  const opening = openingOf(world);
  const players = opening.seats.length;
  const rules = match(world.set.rules(players, opening.options));
  const state = newTableState('table', rules, play(rules), players);
  const text = world.set.text(players, opening.options);
  const events = world.tape.map((event, i) => {
    const minds = { ...opening, seats: opening.seats.map(() => ({ kind: 'mind' })) };
    return {
      table: 'table',
      sequence: i + 1,
      at: 0,
      cause: `c${i}`,
      event: event.type === 'opened' ? { ...event, opening: minds } : event,
    };
  });
  return appendsOf(events as unknown as readonly RecordedEvent[]).flatMap((append) =>
    deriveMessages(state, append, text).decisions.filter(({ data }) => data.seat === seat),
  );
}

/** The appends of a tape: each begins with an answer, or with what the clock has brought about after questions were asked. */
function appendsOf(events: readonly RecordedEvent[]): readonly (readonly RecordedEvent[])[] {
  const appends: RecordedEvent[][] = [];
  for (const recorded of events) {
    const last = appends.at(-1);
    const { type } = recorded.event;
    const isBegun = BEGIN.has(type) || (type !== 'asked' && CLOCK.has(type) && last?.some(({ event }) => event.type === 'asked'));
    if (isBegun || !last) appends.push([recorded]);
    else last.push(recorded);
  }
  return appends;
}

const BEGIN: ReadonlySet<string> = new Set(['opened', 'joined', 'answered']);
const CLOCK: ReadonlySet<string> = new Set(['passed', 'settled', 'withdrawn']);

/**
 * Thinks about each of these decisions once, as the player service would.
 * @param think gets the moment, whose seed is the same in every game, and the mind before it; returns the mind after it
 */
export async function thinkThrough(recipe: Recipe, decisions: readonly Decide[], think: (mind: Mind, moment: Moment) => Promise<Mind>) {
  let memory: Memory = newMemory;
  for (const message of decisions) {
    const { questions, news, players, until } = message.data;
    const names = players.map(({ name }) => name);
    memory = addSeenEvents(memory, news, names);
    const time = { until, shortAt: until, isOwed: true, isShort: false, deadline: until };
    const now = { now: 0, open: questions, time, memory, progress: startProgress(message, undefined) };
    const moment = momentOf(recipe, message, now, defaultOptions);
    const mind = await think(memory.mind, { ...moment, seed: 'seed', until: 60_000 });
    memory = { ...memory, mind, pending: [] };
  }
}
