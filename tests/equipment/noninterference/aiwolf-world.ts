import type { Aiwolf, Role } from '@maw/games/aiwolf/state.ts';
import { type Dice, diceOf, type Draws } from '@maw/games/kernel/dice.ts';
import { match } from '@maw/games/match/match.ts';
import { play } from '@maw/games/kernel/play.ts';
import type { Eye, Open, Seat } from '@maw/games/kernel/question.ts';
import { Refusal } from '@maw/games/kernel/refusal.ts';
import type { AnyRules } from '@maw/games/kernel/rule-set.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import { newTableState, applyEvents } from '@maw/gamemaster/state/table-state.ts';
import type { PlayedWorld } from './world-pair.ts';

export type Options = { readonly [name: string]: unknown };
export type Roles = readonly Role[];

/** One game of the pair, and everything one eye has received from it. */
export class World {
  readonly #game;
  readonly #ledger;
  readonly #eye: Eye;
  readonly roles: Roles;
  readonly heard: string[] = [];
  now = 0;
  #seen = 0;

  constructor(rules: AnyRules, roles: Roles, eye: Eye, options: Options) {
    const table = match(rules);
    this.#game = play(table);
    this.#eye = eye;
    this.roles = roles;
    this.#ledger = newTableState('t', table, this.#game, roles.length);
    for (const other of this.#ledger.views.keys()) if (other !== eye) this.#ledger.views.delete(other);
    const seats = roles.map(() => ({ kind: 'person' as const }));
    const times = { lobbyMs: 1000, pauseMs: 1000 };
    this.#take(table.open({ rules: 'aiwolf', version: '2021', options, rounds: 1, seats, seed: 's', ...times, spectators: 'audience' }, 0));
    for (const seat of roles.keys()) this.#take(table.join(this.#ledger.standing.game, seat, `P${seat}`, 0));
  }

  get state(): Aiwolf {
    return this.#ledger.standing.game.game as Aiwolf;
  }
  get tape(): PlayedWorld['tape'] {
    return this.#ledger.tape.map(({ event }) => event);
  }
  get open(): readonly Open[] {
    return this.#ledger.standing.open;
  }
  get isOver(): boolean {
    return this.#ledger.standing.game.stage !== 'round';
  }

  #take(events: readonly { readonly type: string }[]): void {
    const { length } = this.#ledger.tape;
    applyEvents(
      this.#ledger,
      events.map(
        (event, i): RecordedEvent =>
          ({ table: 't', sequence: length + i + 1, at: this.now, cause: `c${length + i}`, event }) as RecordedEvent,
      ),
    );
    const { seen } = this.#ledger.views.get(this.#eye)!;
    if (seen.length === this.#seen) return;
    for (const { line, ...rest } of seen.slice(this.#seen))
      this.heard.push(JSON.stringify({ ...rest, room: line?.room, number: line?.line }));
    this.#seen = seen.length;
    if (typeof this.#eye !== 'number') return;
    const asked = this.#game.asked(this.#ledger.standing, this.#eye).map(({ id, options, until }) => ({ id, options, until }));
    this.heard.push(
      JSON.stringify({ asked, brief: this.#ledger.rules.brief(this.#ledger.views.get(this.#eye)!.standing.game, this.#eye, []) }),
    );
  }

  act(q: Open, by: Seat, ...says: string[]): void {
    this.#take(this.#game.act(this.#ledger.standing, q.id, { by, says }, this.now, 's'));
  }
  /** Advances to the next alarm. */
  wait(): void {
    this.now = this.#game.wake(this.#ledger.standing)!;
    this.#take(this.#game.tick(this.#ledger.standing, this.now, 's'));
  }
  /** The eye tries an illegal act; the refusal is part of its stream. */
  probe(id: string, ...says: string[]): void {
    if (typeof this.#eye !== 'number') return;
    try {
      this.#game.act(this.#ledger.standing, id, { by: this.#eye, says }, this.now, 's');
      this.heard.push(`${id} ${says.join()}: fine`);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.heard.push(`${id} ${says.join()}: ${error.message}`);
    }
  }
}

/** Draws that differ between worlds: whom chance attacks for the wolves. */
export interface Fate {
  victim: Seat | undefined;
}

/** Rules with controlled dice: public draws are the same in both worlds, and the same when rolled again. */
export function steered(rules: AnyRules, roles: Roles, fate: Fate, n: number): AnyRules {
  const attacked = new Map<string, unknown>();
  const dice = (step: string, real: Draws): Draws => ({
    pick(name, items) {
      if (name === 'attacked') {
        const victim = items.find((item) => item === `seat:${fate.victim}`);
        if (!attacked.has(step)) attacked.set(step, victim ?? real.pick(name, items));
        return attacked.get(step) as (typeof items)[number];
      }
      return items[diceOf(`${n} ${name}`, step).below(items.length)]!;
    },
    shuffle(name, items) {
      if (name === 'roles') return [...roles] as never;
      return name === 'order' ? diceOf(`${n} ${name}`, step).shuffle(items) : real.shuffle(`${name} ${roles.join()}`, items);
    },
  });
  const follow = Object.entries(rules.follow as { [step: string]: (s: unknown, q: Open, m: { dice: Draws }) => unknown }).map(
    ([step, f]) => [step, (s: unknown, q: Open, m: { dice: Draws }) => f(s, q, { ...m, dice: dice(q.id, m.dice) })],
  );
  return {
    ...rules,
    deal: (players, m) => rules.deal(players, { ...m, dice: dice('deal', m.dice) }),
    defaults: (s, q, m) => rules.defaults!(s, q, { ...m, dice: dice(q.id, m.dice) }),
    follow: Object.fromEntries(follow),
  };
}

export interface Side {
  readonly rules: AnyRules;
  readonly world: World;
  readonly fate: Fate;
  /** Dice for what happens in secret in this world. */
  readonly secret: Dice;
}

/** Two worlds that are played together. */
export interface Pair {
  readonly players: number;
  readonly eyeIs: Role | 'audience';
  readonly eye: Eye;
  readonly options: Options;
  /** Dice for what both worlds have in common. */
  readonly shared: Dice;
  readonly sides: readonly [Side, Side];
}

export const worldsOf = ({ sides: [a, b] }: Pair): readonly [World, World] => [a.world, b.world];

/** The seat whose turn it is, or the first that has not answered. */
export const nextSeat = (q: Open): Seat | undefined =>
  q.inTurn ? q.of[q.answers.length + q.passed.length] : q.of.find((each) => !q.answers.some(({ by }) => by === each));
