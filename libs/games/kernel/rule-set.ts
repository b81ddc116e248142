import { type OptionsOf, type OptionTable, readOptions } from './options.ts';
import { Refusal } from './refusal.ts';
import type { Rules } from './rules.ts';

/** A game's state and events are its own business; whoever runs any game knows them only by their type names. */
// oxlint-disable-next-line typescript/no-explicit-any -- the one place where a game's own types are forgotten
export type AnyRules = Rules<any, any>;

/** What a record of a game may fix of what is otherwise rolled: the names of the draws, and what each is, for people. */
export interface RecordKeys {
  /** Rolled by dealing. */
  readonly deal: { readonly [name: string]: string };
  /** Rolled later. A name that holds a seat is written with `N` for it. */
  readonly draws: { readonly [name: string]: string };
}

/** A named, versioned game: its data, and the rules made from chosen options. */
export interface RuleSet {
  readonly name: string;
  readonly version: string;
  /** One line for lists. */
  readonly says: string;
  readonly players: { readonly least: number; readonly most: number; readonly usual: number };
  readonly options: OptionTable;
  /** Which roles, as they are dealt, play for which side; a side is named as the winner of an outcome is. */
  readonly sides?: { readonly [side: string]: readonly string[] };
  readonly record: RecordKeys;
  /** The deal of a record in the words that `record.deal` documents, as the names of the draws; absent: they are the same. */
  readonly readDeal?: ((given: { readonly [name: string]: unknown }) => { readonly [name: string]: unknown }) | undefined;
  /** @throws Refusal bad-option */
  rules(players: number, given: { readonly [name: string]: unknown }): AnyRules;
  /** The rules as players are told them, from the same data that is enforced. @throws Refusal bad-option */
  text(players: number, given: { readonly [name: string]: unknown }): string;
}

/** Makes a rule set out of its data and two functions of complete options. */
export function ruleSet<T extends OptionTable>(set: {
  readonly name: string;
  readonly version: string;
  readonly says: string;
  readonly players: RuleSet['players'];
  readonly options: T;
  readonly sides?: { readonly [side: string]: readonly string[] };
  readonly record: RecordKeys;
  readonly readDeal?: RuleSet['readDeal'];
  rules(players: number, options: OptionsOf<T>): AnyRules;
  text(players: number, options: OptionsOf<T>): string;
}): RuleSet {
  const checked = (players: number): void => {
    const { least, most } = set.players;
    if (!Number.isInteger(players) || players < least || players > most)
      throw new Refusal(
        'bad-option',
        `players: ${set.name} is played by ${least === most ? least : `${least} to ${most}`}, not ${players}`,
      );
  };
  return {
    ...set,
    rules(players, given) {
      checked(players);
      return set.rules(players, readOptions(set.options, given));
    },
    text(players, given) {
      checked(players);
      return set.text(players, readOptions(set.options, given));
    },
  };
}
