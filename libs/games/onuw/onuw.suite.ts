import type { Draws } from '../kernel/dice.ts';
import { type DrawResult, fixedRoll } from '../records/fixed-dice.ts';
import { play } from '../kernel/play.ts';
import type { Eye, Open, Seat } from '../kernel/question.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Outcome, TableEvent } from '../kernel/rules.ts';
import { onuw } from './onuw.ts';
import type { Card, Onuw, OnuwEvent } from './state.ts';

export type OnuwTape = readonly (OnuwEvent | TableEvent)[];

interface Setting {
  readonly players?: number;
  readonly options?: { readonly [name: string]: unknown };
  /** The cards of the players and of the centre; rolled when they are not given. */
  readonly cards?: readonly Card[];
  readonly centre?: readonly Card[];
  readonly draws?: { readonly [name: string]: string };
  readonly seed?: string;
}

/** One game without a match around it, played by hand. */
export function onuwGame({ cards, centre, draws = {}, seed = 'seed', options = {}, players = cards?.length ?? 5 }: Setting = {}) {
  const rules = onuw.rules(players, options);
  const drawn: DrawResult[] = [];
  const told: { readonly [name: string]: unknown } = { ...draws, ...(cards ? onuw.readDeal!({ cards, centre }) : {}) };
  const roll = fixedRoll(
    (_, name) => told[name],
    (one) => drawn.push(one),
  );
  const game = play<Onuw, OnuwEvent>(rules, (given, moment): Draws => roll(given, moment));
  const tape: (OnuwEvent | TableEvent)[] = [];
  const at: number[] = [];
  let now = 0;
  let position = game.begin();

  const add = (events: OnuwTape): OnuwTape => {
    tape.push(...events);
    at.push(...events.map(() => now));
    position = game.fold(events, position);
    return events;
  };
  const open = (step: string): Open => {
    const found = position.open.find((q) => q.id.endsWith(`/${step}`));
    if (!found) throw new Error(`no ${step} is open, only ${position.open.map((q) => q.id).join(', ')}`);
    return found;
  };
  const wait = (): OnuwTape => {
    now = Math.max(now, game.wake(position)!);
    return add(game.tick(position, now, seed));
  };
  add(game.deal(players, now, seed));
  for (const { objection } of drawn) if (objection) throw new Error(`${objection.wrong}; ${objection.right}`);

  return {
    game,
    rules,
    tape,
    /** When each event of the tape happened. */
    at,
    drawn,
    open,
    wait,
    get now() {
      return now;
    },
    get state() {
      return position.game;
    },
    get position() {
      return position;
    },
    get isOver() {
      return game.isOver(position);
    },
    get outcome(): Outcome {
      return rules.outcome(position.game)!;
    },
    pass(ms: number): void {
      now += ms;
    },
    act: (seat: Seat, step: string, ...says: string[]): OnuwTape => add(game.act(position, open(step).id, { by: seat, says }, now, seed)),
    /** The reason an act is refused with; undefined when it is not. Never changes the game. */
    refusal(seat: Seat, step: string, ...says: string[]): string | undefined {
      try {
        game.act(position, position.open.find((q) => q.id.endsWith(`/${step}`))?.id ?? `nowhere/${step}`, { by: seat, says }, now, seed);
      } catch (error) {
        if (error instanceof Refusal) return error.reason;
        throw error;
      }
      return undefined;
    },
    /** Lets the steps of the night pass; `acts` are given when their step is open. */
    night(acts: { readonly [step: string]: readonly (readonly [Seat, ...string[]])[] } = {}): void {
      while (position.open.some((q) => q.id.startsWith('night/'))) {
        const [q] = position.open as readonly [Open];
        for (const [seat, ...says] of acts[q.id.slice('night/'.length)] ?? []) add(game.act(position, q.id, { by: seat, says }, now, seed));
        if (position.open.includes(q) || position.open.some(({ id }) => id === q.id)) wait();
      }
    },
    /** Lets the talk pass in silence. */
    silence(): void {
      while (position.open.some((q) => q.id.endsWith('/talk'))) wait();
    },
    /** Casts votes by seat; who votes for nobody is silent until the vote is over. */
    vote(targets: readonly (Seat | undefined)[]): OnuwTape {
      const before = tape.length;
      for (const [seat, target] of targets.entries())
        if (target !== undefined) add(game.act(position, 'day/vote', { by: seat, says: [`seat:${target}`] }, now, seed));
      if (!game.isOver(position)) wait();
      return tape.slice(before);
    },
    view: (eye: Eye): OnuwTape => game.view(tape, eye),
  };
}

export const ofType = <T extends string>(events: OnuwTape, type: T): Extract<OnuwEvent | TableEvent, { type: T }>[] =>
  events.filter((e) => e.type === type) as Extract<OnuwEvent | TableEvent, { type: T }>[];
