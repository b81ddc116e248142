import { defaultOf, type Option, type OptionTable, usualForPeople } from '@maw/games/kernel/options.ts';
import type { RecipeInfo, RuleSetInfo, SeatPlan, TableTerms } from '../api/shapes.ts';
import { givenValues } from '../ui/given-values.ts';

/** Who is to sit at a seat, as the form has it. */
export interface SeatDraft extends Omit<SeatPlan, 'parameters'> {
  /** The parameters of the recipe as typed; empty: the usual value. */
  readonly given?: { readonly [name: string]: string };
}

/** What the form for a new table holds. Options are texts as typed, times in minutes or seconds; empty: the usual value. */
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
  seats: Array.from({ length: players }, (_, seat) => draft.seats[seat] ?? commonPlan(draft.seats) ?? MIND),
});

/** The same draft with so many people at its first seats, and minds like the others at the rest. */
export const withPeople = ({ seats, ...draft }: Draft, people: number): Draft => ({
  ...draft,
  seats: seats.map((plan, seat) => (seat < people ? PERSON : plan.kind === 'mind' ? plan : (commonPlan(seats) ?? MIND))),
});

/** The plan of all minds; undefined where they differ. */
export function commonPlan(seats: readonly SeatDraft[]): SeatDraft | undefined {
  const minds = seats.filter(({ kind }) => kind === 'mind');
  const isSame = minds.every((mind) => JSON.stringify(mind) === JSON.stringify(minds[0]));
  return isSame ? (minds[0] ?? MIND) : undefined;
}

/** The value that an option has unless another is given. For people, phases last longer. @param given as typed; empty: the usual value */
export function usualOf(options: OptionTable, name: string, given: Draft['options'], isForPeople: boolean): string {
  const chosen = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
  if (name === 'pace' && isForPeople) return 'people';
  const forPeople = (chosen['pace'] ?? (isForPeople && 'people')) === 'people' ? usualForPeople(options, name, chosen) : undefined;
  const value = forPeople ?? defaultOf(options, name, chosen);
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([each, count]) => `${each}=${count}`)
    .join(',');
}

export interface TimeUnit {
  readonly unit: 'minutes' | 'seconds';
  /** How much of it the option counts. */
  readonly size: number;
}

/** The unit in which people read a time, whoever the table is for; undefined: the option is no time. */
export function timeUnitOf(option: Option): TimeUnit | undefined {
  const second = option.kind !== 'whole' ? undefined : { milliseconds: 1000, seconds: 1 }[option.unit];
  if (option.kind !== 'whole' || second === undefined) return undefined;
  const isLong = Math.max(option.usual, option.people ?? 0) >= 120 * second;
  return isLong ? { unit: 'minutes', size: 60 * second } : { unit: 'seconds', size: second };
}

/** The terms of a draft, as the server takes them. @param table the options of the rule set, by which times are read */
export function termsOf(
  { options, seats, ...draft }: Draft,
  recipes: readonly Pick<RecipeInfo, 'name' | 'parameters'>[],
  table: OptionTable,
): TableTerms {
  const counted = (name: string, typed: string): string => {
    const size = table[name] && timeUnitOf(table[name])?.size;
    return size === undefined || typed === '' ? typed : String(Math.round(Number(typed) * size));
  };
  return {
    ...draft,
    seats: seats.map(({ given, ...seat }) => ({
      ...seat,
      ...givenValues(recipes.find(({ name }) => name === seat.recipe)?.parameters ?? [], given),
    })),
    options: Object.fromEntries(Object.entries(options).flatMap(([name, typed]) => (typed === '' ? [] : [[name, counted(name, typed)]]))),
  };
}

/** The recipes that can play a game: those that name no games, or this one. */
export const recipesFor = <Recipe extends Pick<RecipeInfo, 'games'>>(game: string, recipes: readonly Recipe[]): readonly Recipe[] =>
  recipes.filter(({ games }) => games?.includes(game) ?? true);

/** The models that can talk, each once, by name. An embedding model plays no game. */
export function modelsOf(
  servers: readonly { readonly models: readonly string[]; readonly cannotChat?: readonly string[] | undefined }[],
): readonly string[] {
  return [...new Set(servers.flatMap(({ models, cannotChat = [] }) => models.filter((each) => !cannotChat.includes(each))))].sort();
}
