import { defaultOf, type OptionTable, usualForPeople } from '@maw/games/kernel/options.ts';
import type { RecipeInfo, RuleSetInfo, SeatPlan, TableTerms } from '../api/shapes.ts';
import { givenValues } from '../ui/given-values.ts';

/** Who is to sit at a seat, as the form has it. */
export interface SeatDraft extends Omit<SeatPlan, 'parameters'> {
  /** The parameters of the recipe as typed; empty: the usual value. */
  readonly given?: { readonly [name: string]: string };
}

/** What the form for a new table holds. Options are texts as typed; empty: the usual value. */
export interface Draft {
  readonly rules: string;
  readonly seats: readonly SeatDraft[];
  readonly rounds: number;
  readonly options: { readonly [name: string]: string };
  readonly spectators: 'audience' | 'narrator';
  readonly afterwards: 'nobody' | 'seats' | 'everybody';
  readonly insight: 'never' | 'after' | 'live';
}

export const MIND: SeatDraft = { kind: 'mind' };
export const PERSON: SeatDraft = { kind: 'person' };

/** The usual table of a rule set: minds only. */
export const draftFor = ({ name, players }: RuleSetInfo): Draft => ({
  rules: name,
  seats: Array.from({ length: players.usual }, () => MIND),
  rounds: 1,
  options: {},
  spectators: 'audience',
  afterwards: 'seats',
  insight: 'after',
});

/** The same draft with another number of seats: minds are added, and the last seats go. */
export const withPlayers = (draft: Draft, players: number): Draft => ({
  ...draft,
  seats: Array.from({ length: players }, (_, seat) => draft.seats[seat] ?? MIND),
});

/** The value that an option has unless another is given. For people, phases last longer. @param given as typed; empty: the usual value */
export function usualOf(options: OptionTable, name: string, given: Draft['options'], isForPeople: boolean): string {
  const chosen = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
  const forPeople = (chosen['pace'] ?? (isForPeople && 'people')) === 'people' ? usualForPeople(options, name, chosen) : undefined;
  const value = forPeople ?? defaultOf(options, name, chosen);
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([each, count]) => `${each}=${count}`)
    .join(',');
}

/** The terms of a draft, as the server takes them. */
export function termsOf({ options, seats, ...draft }: Draft, recipes: readonly Pick<RecipeInfo, 'name' | 'parameters'>[]): TableTerms {
  return {
    ...draft,
    seats: seats.map(({ given, ...seat }) => ({
      ...seat,
      ...givenValues(recipes.find(({ name }) => name === seat.recipe)?.parameters ?? [], given),
    })),
    options: Object.fromEntries(Object.entries(options).filter(([, value]) => value !== '')),
  };
}
