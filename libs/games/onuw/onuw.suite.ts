import { type Seat, stepOf } from '../kernel/question.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { TableEvent } from '../kernel/rules.ts';
import { manualGame } from '../records/manual-game.suite.ts';
import { onuw } from './onuw.ts';
import { countsOf } from './deck.ts';
import type { Call, Card, Onuw, OnuwEvent } from './state.ts';

export const W = 'werewolf';
export const V = 'villager';
export const S = 'seer';
export const R = 'robber';
export const T = 'troublemaker';
export const I = 'insomniac';
export const M = 'minion';
export const F = 'mason';
export const D = 'drunk';
export const X = 'tanner';
export const H = 'hunter';
export const G = 'doppelganger';
/** The cards that are called with a deck of the document. */
export const FIVE_CALLS = [W, S, R, T, I] as const;
export const seat = (n: number) => `seat:${n}`;

/** Five players holding every card that wakes, except the second Werewolf. */
export const FIVE = { cards: [W, S, R, T, I], centre: [W, V, V] } as const;

export const whyNot = (make: () => unknown): Refusal => {
  try {
    make();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('it was not refused');
};

export type OnuwTape = readonly (OnuwEvent | TableEvent)[];

interface Setting {
  readonly players?: number;
  readonly options?: { readonly [name: string]: unknown };
  /** The cards of the players and of the centre; rolled by default. */
  readonly cards?: readonly Card[];
  readonly centre?: readonly Card[];
  readonly draws?: { readonly [name: string]: string };
  readonly seed?: string;
}

/** One game played by hand. */
export function onuwGame({ cards, centre, draws = {}, seed = 'seed', options = {}, players = cards?.length ?? 5 }: Setting = {}) {
  const rules = onuw.rules(players, options);
  const fixed: { readonly [name: string]: unknown } = { ...draws, ...(cards ? onuw.readDeal!({ cards, centre }) : {}) };
  const t = manualGame<Onuw, OnuwEvent, OnuwEvent | TableEvent>(rules, players, seed, (_, name) => fixed[name]);
  return Object.assign(t, {
    rules,
    /** Plays the steps of the night; `acts` are given when their step opens: `seer`, and `copied/seer` for the Doppelgänger. */
    night(acts: { readonly [step: string]: readonly (readonly [Seat, ...string[]])[] } = {}): void {
      while (t.open[0]?.startsWith('night/')) {
        const id = t.open[0];
        const step = id.slice('night/'.length);
        for (const [by, ...says] of acts[step] ?? []) t.act(by, stepOf(id), ...says);
        if (t.open.includes(id)) t.wait();
      }
    },
    /** Passes the talk in silence. */
    silence(): void {
      while (t.find('talk')) t.wait();
    },
    /** Casts ballots by seat. A seat without one is silent until the vote closes. */
    vote(targets: readonly (Seat | undefined)[]): OnuwTape {
      const before = t.tape.length;
      for (const [by, target] of targets.entries()) if (target !== undefined) t.act(by, 'vote', seat(target));
      if (!t.isOver) t.wait();
      return t.tape.slice(before);
    },
  });
}

export const ofType = <T extends string>(events: OnuwTape, type: T): Extract<OnuwEvent | TableEvent, { type: T }>[] =>
  events.filter((e) => e.type === type) as Extract<OnuwEvent | TableEvent, { type: T }>[];

export const NAMES = ['Ann', 'Bob', 'Cid', 'Dot', 'Eve', 'Fay'];
export interface Options {
  readonly [name: string]: unknown;
}

/** A game with these cards before the players and in the centre, and no talk. */
export const dealtGame = (
  cards: readonly Card[],
  centre: readonly Card[],
  options: Options = {},
  draws: NonNullable<Setting['draws']> = {},
) => onuwGame({ cards, centre, draws, options: { deck: countsOf([...cards, ...centre]), talkRounds: 0, ...options } });
export type DealtGame = ReturnType<typeof dealtGame>;

/** What an eye has seen of a type. */
export const seen = <T extends OnuwEvent['type']>(t: DealtGame, eye: Seat | 'audience', type: T) => ofType(t.view(eye), type);
/** What a seat knows about itself, by its own view. */
export const briefOf = (t: DealtGame, eye: Seat): string => t.rules.brief(t.game.fold(t.view(eye)).game, eye, NAMES);

/** Plays in silence up to a call. */
export function upTo(t: DealtGame, call: Call): DealtGame {
  while (t.state.called !== call) t.wait();
  return t;
}
