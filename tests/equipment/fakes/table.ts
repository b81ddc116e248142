import { randomAnswer } from '@maw/games/kernel/random-play.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { match } from '@maw/games/match/match.ts';
import type { Match, Opening } from '@maw/games/match/state.ts';
import { play, type Position } from '@maw/games/kernel/play.ts';
import type { Instant, Open, Seat } from '@maw/games/kernel/question.ts';
import { Refusal } from '@maw/games/kernel/refusal.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';

type Event = { readonly type: string; readonly [field: string]: unknown };

/** A table played by hand: its tape, standing and time. */
export interface Played {
  readonly tape: Event[];
  readonly rules: ReturnType<typeof match>;
  readonly game: ReturnType<typeof play<Match, { readonly type: string }>>;
  readonly standing: Position<Match>;
  readonly now: Instant;
  /** The state of the current round. */
  readonly state: Match['game'];
  add(events: readonly { readonly type: string }[]): readonly Event[];
  /** Answers the open question of this step, and returns the events. @throws Refusal */
  act(seat: Seat, step: string, ...says: string[]): readonly Event[];
  /** The reason why an act would be refused; undefined when it would not. Does not change the table. */
  refusal(seat: Seat, step: string, ...says: string[]): string | undefined;
  /** Moves the time to the next alarm, and rings it. */
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
  const table = new HandPlayedTable(set, players, options, seed);
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
  table.add(table.rules.open(opening, table.now));
  if (isJoined) for (let seat = 0; seat < players; seat++) table.add(table.rules.join(table.standing.game, seat, `P${seat}`, table.now));
  return table;
}

class HandPlayedTable implements Played {
  readonly tape: Event[] = [];
  readonly rules: Played['rules'];
  readonly game: Played['game'];
  readonly #seed: string;
  #standing: Position<Match>;
  #now: Instant = 0;

  constructor(set: RuleSet, players: number, options: NonNullable<Setting['options']>, seed: string) {
    this.rules = match(set.rules(players, options));
    this.game = play(this.rules);
    this.#seed = seed;
    this.#standing = this.game.begin();
  }

  get standing(): Position<Match> {
    return this.#standing;
  }

  get now(): Instant {
    return this.#now;
  }

  get state(): Match['game'] {
    return this.#standing.game.game;
  }

  readonly add = (events: readonly { readonly type: string }[]): readonly Event[] => {
    this.tape.push(...(events as Event[]));
    this.#standing = this.game.fold(events, this.#standing);
    return events as Event[];
  };

  readonly act = (seat: Seat, step: string, ...says: string[]): readonly Event[] => this.add(this.#decide(seat, step, says));

  readonly refusal = (seat: Seat, step: string, ...says: string[]): string | undefined => {
    try {
      this.#decide(seat, step, says);
    } catch (error) {
      if (error instanceof Refusal) return error.reason;
      throw error;
    }
    return undefined;
  };

  readonly wait = (): readonly Event[] => {
    this.#now = Math.max(this.#now, this.game.wake(this.#standing)!);
    return this.add(this.game.tick(this.#standing, this.#now, this.#seed));
  };

  readonly pass = (ms: number): void => {
    this.#now += ms;
  };

  readonly question = (step: string): Open => {
    const found = this.#openAt(step);
    if (!found) throw new Error(`no ${step} is open, only ${this.#standing.open.map((q) => q.id).join(', ')}`);
    return found;
  };

  readonly types = (): string[] => this.tape.map((e) => e.type);

  #openAt(step: string): Open | undefined {
    return this.#standing.open.find((q) => q.id.endsWith(`/${step}`));
  }

  #decide(seat: Seat, step: string, says: string[]) {
    const id = this.#openAt(step)?.id ?? `nowhere/${step}`;
    return this.game.act(this.#standing, id, { by: seat, says }, this.#now, this.#seed);
  }
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
