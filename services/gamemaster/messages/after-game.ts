import { contracts, type Data, type Message } from '@maw/contracts/contracts.ts';
import { omitUndefined } from '@maw/contracts/omit-undefined.ts';
import type { Outcome } from '@maw/games/kernel/rules.ts';
import type { SeatPlan } from '@maw/games/match/state.ts';
import type { RecipeCard } from '@maw/recipes/card.ts';
import { strategySetOf } from '@maw/recipes/parameters.ts';
import { findRecipe } from '@maw/recipes/recipes.ts';
import { parseStrategyUse } from '@maw/store/find-version.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import type { Standing } from '../state/game.ts';
import type { EnvelopeOf } from './room-messages.ts';

interface FinishedContext {
  readonly rulesText: string;
  readonly recipes: readonly RecipeCard[];
  /** The players as a seat knows them. */
  playersFor(seat: number): Data<'seat.decide'>['players'];
  /** A random seed for a seat. */
  seedFor(seat: number, what: string): string;
}

/**
 * The messages to minds that learn, once a round is scored; after the last one only to those whose lessons last beyond the table. A seat of the player service's default recipe gets none:
 * the gamemaster does not know that recipe.
 * @param after the table after the event
 */
export function finishedMessages(
  { event, sequence, at }: RecordedEvent,
  after: Standing,
  about: EnvelopeOf,
  { rulesText, recipes, playersFor, seedFor }: FinishedContext,
): readonly Message<'seat.finished'>[] {
  if (event.type !== 'scored') return [];
  const { opening, holders } = after.game;
  const { round, outcome } = event as unknown as { readonly round: number; readonly outcome: Outcome };
  const isLast = round >= opening.rounds;
  return opening.seats.flatMap((plan, seat) => {
    if (holders[seat] !== 'mind' || !learns(plan, recipes, isLast)) return [];
    const { recipe, parameters, model } = plan;
    const data = {
      seat,
      round,
      rules: { name: opening.rules, text: rulesText },
      players: playersFor(seat),
      outcome: outcomeOf(outcome),
      recipe: recipe!,
      ...omitUndefined({ parameters, model }),
      seed: seedFor(seat, `after-${round}`),
    };
    return [contracts.write('seat.finished', data, about(`finished-${seat}`, sequence, at))];
  });
}

/**
 * Whether the recipe of a seat has steps after a game, and something is played with what is learned: further rounds here, or a set of strategies
 * that is not fixed. Not when these parameters leave no steps, or the recipe is not known here.
 */
function learns({ recipe, parameters }: SeatPlan, recipes: readonly RecipeCard[], isLast: boolean): boolean {
  if (recipe === undefined) return false;
  try {
    const { after = [], values } = findRecipe(recipe, recipes, parameters);
    const set = strategySetOf(values);
    return after.length > 0 && (set === undefined ? !isLast : parseStrategyUse(set).learns);
  } catch {
    return false;
  }
}

const outcomeOf = ({ winner, winners, roles, dealt, points }: Outcome) => ({
  winner,
  winners: [...winners],
  roles: [...roles],
  ...(dealt ? { dealt: [...dealt] } : {}),
  points: [...points],
});
