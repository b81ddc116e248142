import type { Message } from '@maw/contracts/contracts.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { play } from '@maw/games/kernel/play.ts';
import { stepOf } from '@maw/games/kernel/question.ts';
import { randomAnswer } from '@maw/games/kernel/random-play.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import { dealtRole } from '@maw/games/roles.ts';
import { match } from '@maw/games/match/match.ts';
import { deriveMessages } from '@maw/gamemaster/messages/derive-messages.ts';
import { newTableState } from '@maw/gamemaster/state/table-state.ts';
import type { Moment, Recipe } from '@maw/minds/mind.ts';
import { momentOf } from '@maw/player/decision/build-moment.ts';
import { addSeenEvents } from '@maw/player/news/collect-news.ts';
import { defaultOptions } from '@maw/player/defaults.ts';
import { type Memory, newMemory } from '@maw/player/state/memory.ts';
import { startProgress } from '@maw/player/state/progress.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import { tableOf } from '../equipment/fakes/table.ts';
import { openingOf, type PlayedWorld } from '../equipment/noninterference/world-pair.ts';

type Decide = Message<'seat.decide'>;

/** What the gamemaster asks in a game that was played by hand, in order, as if minds had the seats. */
export function decisionsIn(world: PlayedWorld): readonly Decide[] {
  const opening = openingOf(world);
  const players = opening.seats.length;
  const rules = match(world.set.rules(players, opening.options));
  const state = newTableState('table', rules, play(rules), players);
  const text = world.set.text(players, opening.options);
  const minds = { ...opening, seats: opening.seats.map(() => ({ kind: 'mind' })) };
  const events = world.tape.map((event, i) => {
    return {
      table: 'table',
      sequence: i + 1,
      at: 0,
      cause: `c${i}`,
      event: event.type === 'opened' ? { ...event, opening: minds } : event,
    };
  });
  return appendsOf(events as unknown as readonly RecordedEvent[]).flatMap((append) => deriveMessages(state, append, text).decisions);
}

/** The appends of a tape: each begins with an answer, or with what the clock has brought about after questions were asked. */
function appendsOf(events: readonly RecordedEvent[]): readonly (readonly RecordedEvent[])[] {
  const appends: RecordedEvent[][] = [];
  for (const recorded of events) {
    const last = appends.at(-1);
    const { type } = recorded.event;
    const isBegun = BEGIN.has(type) || (CLOCK.has(type) && last?.some(({ event }) => event.type === 'asked'));
    if (isBegun || !last) appends.push([recorded]);
    else last.push(recorded);
  }
  return appends;
}

const BEGIN: ReadonlySet<string> = new Set(['opened', 'joined', 'answered']);
const CLOCK: ReadonlySet<string> = new Set(['passed', 'settled', 'withdrawn']);

/** The memory of a seat when it is asked: what it remembers, and what it has seen since. */
export const memoryWith = (memory: Memory, { data }: Decide): Memory => addSeenEvents(memory, data.news, data.players.map(({ name }) => name)); // prettier-ignore

/** The moment of a decision as the player service makes it. Seed and deadline are the same in every game. */
export function momentIn(memory: Memory, message: Decide, recipe: Recipe): Moment {
  const { questions, until } = message.data;
  const time = { until, shortAt: until, isOwed: true, isShort: false, deadline: until };
  const now = { now: 0, open: questions, time, memory, progress: startProgress(message, undefined) };
  return { ...momentOf(recipe, message, now, defaultOptions), seed: 'seed', until: 60_000 };
}

/** The moments of a game that was played by hand. */
export const momentsOf = (world: PlayedWorld, recipe: Recipe): readonly Moment[] =>
  decisionsIn(world).map((message) => momentIn(memoryWith(newMemory, message), message, recipe));

/** A game that is played to its end with random legal acts. @param options the rules' own, and `players` */
export function randomGame(set: RuleSet, seed: string, options: { readonly [name: string]: unknown } = {}): PlayedWorld {
  const { players = set.players.usual, ...rest } = options as { readonly players?: number };
  const table = tableOf(set, { players, seed, options: rest });
  const dice = diceOf(seed, 'random game');
  const seats = table.standing.game.names.map((_, seat) => seat);
  while (table.standing.game.stage === 'round') {
    const may = seats.flatMap((seat) => table.game.asked(table.standing, seat).map((q) => ({ seat, q })));
    const turn = may.some(({ q }) => q.final) || dice.below(6) > 0 ? may[dice.below(Math.max(1, may.length))] : undefined;
    const says = turn && randomAnswer(turn.q, turn.seat, dice);
    if (turn && says) table.act(turn.seat, stepOf(turn.q.id), ...says);
    else table.wait();
  }
  return { set, tape: table.tape };
}

/** Options with which every kind of question is asked soon. */
const OPTIONS: { readonly [rules: string]: { readonly [name: string]: unknown } } = {
  'maw': { seer: true, whisper: true, maxDays: 2 },
  'aiwolf': {
    roles: 'villager=2,seer=1,medium=1,bodyguard=1,possessed=1,fox=1,immoralist=1,werewolf=2',
    players: 10,
    turns: 1,
    whisperTurns: 1,
    maxDays: 2,
    language: 'free',
  },
  'avalon': {
    players: 7,
    roles: { merlin: 1, percival: 1, tristan: 1, isolde: 1, morgana: 1, assassin: 1, minion: 1 },
    assassination: 'any-quest',
    lady: true,
  },
  'onuw': { loneWolf: 'peek', deck: 'werewolf=1,seer=1,robber=1,troublemaker=1,drunk=1,minion=1,tanner=1,doppelganger=1' },
  'werewolf-7': { maxDays: 2, sheriff: 'elected', tie: 'runoff', sheriffTies: 'decides' },
};

/** Roles of a third side: they are asked what others are asked, and want something else. */
const RARE: ReadonlySet<unknown> = new Set(['fox', 'immoralist']);

/** One moment for each combination of questions that are asked together in some random games; of rare roles one of their own. */
export function everyQuestion(set: RuleSet, recipe: Recipe, games = 8): readonly Moment[] {
  const found = new Map<string, Moment>();
  for (let n = 0; n < games; n++) {
    const world = randomGame(set, `game ${n}`, OPTIONS[set.name]);
    const dealt = world.tape.find(({ type }) => type === 'dealt');
    for (const message of decisionsIn(world)) {
      const role = dealtRole(dealt, message.data.seat);
      const steps = `${message.data.questions.map(({ id }) => stepOf(id)).join(' ')} ${RARE.has(role) ? role : ''}`;
      if (!found.has(steps)) found.set(steps, momentIn(memoryWith(newMemory, message), message, recipe));
    }
  }
  return [...found.values()];
}
