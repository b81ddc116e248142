import type { Data } from '@maw/contracts/contracts.ts';
import type { SeatPlan } from '@maw/games/match/state.ts';
import { Refusal } from '@maw/contracts/refusal.ts';
import { findRecipe, recipes } from '@maw/minds/recipes.ts';

/** How many more tables the models can take, as far as the gateway says. It knows no clock but what it is told, in milliseconds since the epoch. */
export interface Capacity {
  hear(said: Data<'llm.capacity'>, at: number): void;
  /**
   * Takes the place of one table with these seats, until the gateway has heard of one more game, or for a minute; a table whose minds need no
   * model takes none.
   * What is returned gives it back.
   * @throws Refusal limited when there is none
   */
  take(seats: readonly SeatPlan[], at: number): () => void;
}

/** What was said longer ago says nothing of now: without a gateway that speaks there is no limit. */
const BELIEVED_MS = 30_000;
/** A table of which the gateway has heard nothing for so long asks for nothing yet: people are waited for, or it was given up. */
const UNHEARD_MS = 60_000;

/**
 * Games of fixed phases cannot be slowed down, so that under too much load all of them miss their turns: what helps is to begin fewer (document
 * gateway, section 2).
 */
export function modelCapacity(): Capacity {
  let last: { readonly said: Data<'llm.capacity'>; readonly at: number } | undefined;
  /** Tables that were opened and of which the gateway has not heard yet, the oldest first: what it says leaves no room for them. */
  const unheard = new Set<{ readonly since: number }>();

  return {
    hear(said, at) {
      let heard = last ? said.active - last.said.active : 0;
      for (const table of unheard) if (heard-- > 0) unheard.delete(table);
      last = { said, at };
    },
    take(seats, at) {
      if (!seats.some(needsModel)) return () => undefined;
      for (const table of unheard) if (Math.abs(at - table.since) > UNHEARD_MS) unheard.delete(table);
      if (last && Math.abs(at - last.at) <= BELIEVED_MS && unheard.size >= last.said.more)
        throw new Refusal('limited', `the models have no room for another table: ${why(last.said, unheard.size)}; ${WAY_OUT}`, UNHEARD_MS);
      const table = { since: at };
      unheard.add(table);
      return () => void unheard.delete(table);
    },
  };
}

/** A seat without a recipe is played by the player’s own, which has a model as a rule. */
const needsModel = ({ kind, recipe }: SeatPlan): boolean => kind === 'mind' && (recipe === undefined || findRecipe(recipe).usesModel);

function why({ utilisation, active, more }: Data<'llm.capacity'>, taken: number): string {
  if (!more && !active) return 'no model server is up that could take one';
  const busy = `${Math.round(utilisation * 100)} % of their time is asked for by ${active === 1 ? 'one game' : `${active} games`}`;
  return taken ? `${busy}, and ${taken === 1 ? 'one more was' : `${taken} more were`} just opened` : busy;
}

const withoutModel = recipes.filter(({ usesModel }) => !usesModel).map(({ name }) => name);
const WAY_OUT = `try again in a minute, or open one whose minds need no model (recipe ${withoutModel.join(' or ')})`;
