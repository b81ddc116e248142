import type { Language } from './language.ts';
import { type OptionsOf, type OptionTable, pace, readOptions } from './options.ts';
import type { Seat } from './question.ts';
import { Refusal } from './refusal.ts';
import type { Rules } from './rules.ts';

/** State and events are private to a game; generic code knows events by type name only. */
// oxlint-disable-next-line typescript/no-explicit-any -- the one place where a game's own types are forgotten
export type AnyRules = Rules<any, any>;

/** The draws that a record of a game may fix, with descriptions for people. */
export interface RecordKeys {
  readonly deal: { readonly [name: string]: string };
  /** Rolled later. `N` in a name stands for a seat. */
  readonly draws: { readonly [name: string]: string };
  /** Steps at which a seat may act and need not: silence there is complete. */
  readonly optional?: readonly string[];
}

/** What a seat is asked for, in words that hold for every game. */
export const decisionKinds = ['talk', 'vote', 'secret-choice', 'proposal', 'quest-card', 'assassination', 'name'] as const;
export type DecisionKind = (typeof decisionKinds)[number];

/** A sign on a seat: who leads, who is named for a team, who holds the Lady of the Lake, who is condemned, who is the sheriff. */
export type Mark = 'leader' | 'team' | 'lady' | 'condemned' | 'sheriff';

/** A named, versioned game: its data, and the rules for chosen options. */
export interface RuleSet {
  readonly name: string;
  readonly version: string;
  /** One line for lists. */
  readonly says: string;
  readonly players: { readonly least: number; readonly most: number; readonly usual: number };
  readonly options: OptionTable;
  /** Which dealt roles play for which side. Sides are named like the winner of an outcome. */
  readonly sides?: { readonly [side: string]: readonly string[] };
  /** Roles that only certain options deal: reports leave them, and sides of them alone, out of games without them. */
  readonly optionalRoles?: readonly string[];
  /** What a game is counted in where it is not days: the word, which its phases begin with, and how many there are at most. */
  readonly periods?: { readonly word: string; readonly most?: number };
  /** What a seat is just now besides its role, as everybody sees it. @param game the state of a round */
  readonly marks?: (game: unknown, seat: Seat) => readonly Mark[];
  /** What a vote of a seat counts at a step, in half votes. Absent: two. @param game the state of a round */
  readonly halves?: (game: unknown, seat: Seat, step: string) => number;
  /** The types of events with which a day ends and a night begins that no event of its own announces. */
  readonly nightfall?: readonly string[];
  /** The kinds of decision by step. Steps without one are talk, votes, and secret choices. */
  readonly decisions?: { readonly [step: string]: DecisionKind };
  /** How people take part, in a game with a language of its own. */
  readonly language?: Language;
  readonly record: RecordKeys;
  /** Translates a record's deal, in the terms of `record.deal`, to the names of the draws. Absent: they are the same. */
  readonly readDeal?: ((given: { readonly [name: string]: unknown }) => { readonly [name: string]: unknown }) | undefined;
  /** @throws Refusal bad-option */
  rules(players: number, given: { readonly [name: string]: unknown }): AnyRules;
  /** The rules as told to players, from the data that is enforced. @throws Refusal bad-option */
  text(players: number, given: { readonly [name: string]: unknown }): string;
}

/** What the rules say about the pace of people. */
const PEOPLE = 'There is time to read and to type: whoever plays, nobody is in a hurry.';

interface RuleSetOf<T extends OptionTable> extends Omit<RuleSet, 'rules' | 'text'> {
  readonly options: T;
  rules(players: number, options: OptionsOf<T>): AnyRules;
  text(players: number, options: OptionsOf<T>): string;
}

/** Builds a rule set from its data and two functions of complete options. */
export function ruleSet<T extends OptionTable>(set: RuleSetOf<T>): RuleSet {
  const { name, players } = set;
  const options = { ...set.options, pace };
  /** @throws Refusal bad-option */
  const read = (count: number, given: { readonly [name: string]: unknown }): OptionsOf<T> => {
    const { least, most } = players;
    if (!Number.isInteger(count) || count < least || count > most)
      throw new Refusal('bad-option', `players: ${name} is played by ${least === most ? least : `${least} to ${most}`}, not ${count}`);
    return readOptions(options, given);
  };
  return {
    ...set,
    options,
    rules: (count, given) => set.rules(count, read(count, given)),
    text(count, given) {
      const chosen: { readonly pace?: unknown } = read(count, given);
      const text = set.text(count, chosen as OptionsOf<T>);
      return chosen.pace === 'people' ? `${text}\n${PEOPLE}` : text;
    },
  };
}
