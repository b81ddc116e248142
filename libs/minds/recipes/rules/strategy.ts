import type { Dice } from '@maw/games/kernel/dice.ts';
import type { Moment, Answer } from '../../mind.ts';
import type { News } from '../../news.ts';

/** How the player without a model plays one game. `Known` is what it knows of the game, `Belief` what it concludes; both are JSON. */
export interface Strategy<Known, Belief extends { readonly [about: string]: unknown }> {
  begin(): Known;
  /** Adds one piece of news. The same piece may arrive twice: as a line of its room, and later as an event. */
  fold(known: Known, news: News, moment: Moment): Known;
  believe(known: Known, moment: Moment): Belief;
  act(known: Known, belief: Belief, moment: Moment, dice: Dice): { readonly answers: readonly Answer[]; readonly known: Known };
}

/** A strategy whose game does not matter. */
// oxlint-disable-next-line typescript/no-explicit-any -- the types of a game are erased only here
export type AnyStrategy = Strategy<any, any>;
