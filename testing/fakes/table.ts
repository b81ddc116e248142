import { randomAnswer } from '@maw/games/kernel/random-play.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { match } from '@maw/games/match/match.ts';
import type { Match, Opening } from '@maw/games/match/state.ts';
import { play, type Position } from '@maw/games/kernel/play.ts';
import type { Instant, Open, Seat } from '@maw/games/kernel/question.ts';
import { Refusal } from '@maw/games/kernel/refusal.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';

type Event = { readonly type: string; readonly [field: string]: unknown };

/** A table played by hand in a test: it keeps the tape, the standing and the time. */
export interface Played {
  readonly tape: Event[];
  readonly rules: ReturnType<typeof match>;
  readonly game: ReturnType<typeof play<Match, { readonly type: string }>>;
  readonly standing: Position<Match>;
  readonly now: Instant;
  /** The state of the round that is played. */
  readonly state: Match['game'];
  add(events: readonly { readonly type: string }[]): readonly Event[];
  /** Answers the open question whose step is named; returns what happened. @throws Refusal */
  act(seat: Seat, step: string, ...says: string[]): readonly Event[];
  /** The reason an act is refused with; undefined when it is not. Never changes the table. */
  refusal(seat: Seat, step: string, ...says: string[]): string | undefined;
  /** Lets the time of the next alarm come. */
  wait(): readonly Event[];
  pass(ms: number): void;
  question(step: string): Open;
  types(): string[];
}

export interface Setting {
  readonly players?: number;
  readonly rounds?: number;
  readonly seed?: string;
  readonly options?: { readonly [name: string]: unknown };
  /** false leaves all seats empty, in the Lobby. */
  readonly isJoined?: boolean;
}

/** Opens a table of `set`, and seats everybody unless told not to. */
export function tableOf(set: RuleSet, { players = 6, rounds = 1, seed = 'seed', options = {}, isJoined = true }: Setting = {}): Played {
  const rules = match(set.rules(players, options));
  const game = play(rules);
  const tape: Event[] = [];
  let standing = game.begin();
  let now: Instant = 0;
  const opening: Opening = {
    rules: set.name,
    version: set.version,
    options,
    rounds,
    seats: Array.from({ length: players }, () => ({ kind: 'person' })),
    seed,
    lobbyMs: 1000,
    pauseMs: 1000,
    spectators: 'audience',
  };
  const add = (events: readonly { readonly type: string }[]): readonly Event[] => {
    tape.push(...(events as Event[]));
    standing = game.fold(events, standing);
    return events as Event[];
  };
  const question = (step: string): Open => {
    const found = standing.open.find((q) => q.id.endsWith(`/${step}`));
    if (!found) throw new Error(`no ${step} is open, only ${standing.open.map((q) => q.id).join(', ')}`);
    return found;
  };
  const act = (seat: Seat, step: string, says: string[]) => {
    const id = standing.open.find((q) => q.id.endsWith(`/${step}`))?.id ?? `nowhere/${step}`;
    return game.act(standing, id, { by: seat, says }, now, seed);
  };
  add(rules.open(opening, now));
  if (isJoined) for (let seat = 0; seat < players; seat++) add(rules.join(standing.game, seat, `P${seat}`, now));
  return {
    tape,
    rules,
    game,
    get standing() {
      return standing;
    },
    get now() {
      return now;
    },
    get state() {
      return standing.game.game;
    },
    add,
    act: (seat, step, ...says) => add(act(seat, step, says)),
    refusal(seat, step, ...says) {
      try {
        act(seat, step, says);
      } catch (error) {
        if (error instanceof Refusal) return error.reason;
        throw error;
      }
      return undefined;
    },
    wait() {
      now = Math.max(now, game.wake(standing)!);
      return add(game.tick(standing, now, seed));
    },
    pass(ms) {
      now += ms;
    },
    question,
    types: () => tape.map((e) => e.type),
  };
}

/** Plays on with random legal acts and silences until the table is over. */
export function playOut(table: Played, seed: string, silence = 30): void {
  const dice = diceOf(seed, 'random play');
  const seats = table.standing.game.names.map((_, seat) => seat);
  for (let step = 0; !table.game.isOver(table.standing); step++) {
    if (step > 20_000) throw new Error('the table does not end');
    const may = seats.flatMap((seat) => table.game.asked(table.standing, seat).map((q) => ({ seat, q })));
    const turn = may.length && dice.below(100) >= silence ? may[dice.below(may.length)] : undefined;
    const says = turn && randomAnswer(turn.q, turn.seat, dice);
    if (turn && says) {
      const ms = dice.below(40);
      if (table.now + ms >= table.game.wake(table.standing)!) {
        table.wait();
        continue;
      }
      table.pass(ms);
      table.add(table.game.act(table.standing, turn.q.id, { by: turn.seat, says }, table.now, table.standing.game.opening.seed));
    } else if (!table.wait().length) throw new Error('waking was in vain');
  }
}
