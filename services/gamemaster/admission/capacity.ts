import type { Data } from '@maw/contracts/contracts.ts';
import type { SeatPlan } from '@maw/games/match/state.ts';
import { Refusal } from '@maw/contracts/refusal.ts';
import type { RecipeCard } from '@maw/recipes/card.ts';
import { cards } from '@maw/recipes/recipes.ts';

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' });

/** How many more tables the models can serve, as the gateway reports. All times are passed in, in milliseconds since the epoch. */
export interface Capacity {
  hear(said: Data<'llm.capacity'>, at: number): void;
  /**
   * Reserves capacity for one table until the gateway counts it as active, or for a minute; none when no mind needs a model.
   * @returns a function that releases it
   * @throws Refusal limited when there is none left
   */
  take(seats: readonly SeatPlan[], at: number): () => void;
}

/** Older reports are ignored: without a gateway there is no limit. */
const BELIEVED_MS = 30_000;
/** After this time a table without requests no longer reserves capacity: it waits for people, or was abandoned. */
const UNHEARD_MS = 60_000;

/**
 * Games with fixed phases cannot be slowed down: under overload all of them miss turns. So fewer are opened.
 */
export function modelCapacity(recipes: readonly RecipeCard[] = cards, defaultRecipe?: string): Capacity {
  let last: { readonly said: Data<'llm.capacity'>; readonly at: number } | undefined;
  /** Opened tables the gateway does not count yet, the oldest first. */
  const unheard = new Set<{ readonly since: number }>();

  return {
    hear(said, at) {
      let heard = last ? said.active - last.said.active : 0;
      for (const table of unheard) if (heard-- > 0) unheard.delete(table);
      last = { said, at };
    },
    take(seats, at) {
      if (!seats.some(({ kind, recipe = defaultRecipe }) => kind === 'mind' && needsModel(recipe, recipes))) return () => undefined;
      for (const table of unheard) if (Math.abs(at - table.since) > UNHEARD_MS) unheard.delete(table);
      if (last && Math.abs(at - last.at) <= BELIEVED_MS && unheard.size >= last.said.more)
        throw new Refusal(
          'limited',
          `the models have no room for another table: ${why(last.said, unheard.size)}; ${wayOut(recipes)}`,
          UNHEARD_MS,
        );
      const table = { since: at };
      unheard.add(table);
      return () => void unheard.delete(table);
    },
  };
}

/** A recipe that is not known here may well need one. */
const needsModel = (recipe: string | undefined, recipes: readonly RecipeCard[]): boolean =>
  recipes.find(({ name }) => name === recipe)?.usesModel ?? true;

function why({ utilisation, active, more }: Data<'llm.capacity'>, taken: number): string {
  if (!more && !active) return 'no model server is up that could take one';
  const busy = `${Math.round(utilisation * 100)} % of their time is asked for by ${active === 1 ? 'one game' : `${active} games`}`;
  return taken ? `${busy}, and ${taken === 1 ? 'one more was' : `${taken} more were`} just opened` : busy;
}

function wayOut(recipes: readonly RecipeCard[]): string {
  const withoutModel = recipes.filter(({ usesModel }) => !usesModel).map(({ name }) => name);
  return `try again in a minute, or open one whose minds need no model (recipe ${alternatives.format(withoutModel)})`;
}
