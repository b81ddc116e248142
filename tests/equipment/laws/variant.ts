import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import type { Option } from '@maw/games/kernel/options.ts';
import { Refusal } from '@maw/games/kernel/refusal.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import type { Setting } from '../fakes/table.ts';

/** A way to choose the options of a rule set. */
export interface Variant {
  /** `usual`, `any`, or the single non-default option: `dayTie=random`. */
  readonly name: string;
  options(dice: Dice): { readonly [name: string]: unknown };
}

/** Casts with cards that no cast of the rules has by itself. */
const CASTS: { readonly [rules: string]: readonly Variant[] } = {
  aiwolf: [
    { name: 'foxes', options: () => ({ roles: { villager: 2, seer: 1, medium: 1, bodyguard: 1, fox: 2, immoralist: 2, werewolf: 2 } }) },
    { name: 'one-fox', options: () => ({ roles: { villager: 3, seer: 1, fox: 1, immoralist: 1, werewolf: 1 }, foxCounts: 'nobody' }) },
  ],
};
export const castsOf = ({ name }: RuleSet): readonly Variant[] => CASTS[name] ?? [];

/** The defaults, each single non-default value of a choice or switch, casts with rare cards, and random values of all options. */
export function variantsOf(set: RuleSet): readonly Variant[] {
  const single = Object.entries(set.options).flatMap(([name, option]) =>
    unusual(option).map((value): Variant => ({ name: `${name}=${value}`, options: () => ({ [name]: value }) })),
  );
  return [{ name: 'usual', options: () => ({}) }, ...single, ...castsOf(set), anyOf(set)];
}

/** Random values of all options, with short times and few days. */
export const anyOf = (set: RuleSet): Variant => ({
  name: 'any',
  options: (dice) =>
    Object.fromEntries(
      Object.entries(set.options).flatMap(([name, option]) => {
        const value = anyValue(name, option, dice);
        return value === undefined ? [] : [[name, value]];
      }),
    ),
});

function unusual(option: Option): readonly (string | boolean)[] {
  switch (option.kind) {
    case 'switch':
      return [!option.usual];
    case 'choice':
      return option.of.filter((value) => value !== option.usual);
    case 'whole':
    case 'counts':
      return [];
  }
}

function anyValue(name: string, option: Option, dice: Dice): unknown {
  switch (option.kind) {
    case 'switch':
      return dice.below(2) === 0;
    case 'choice':
      return option.of[dice.below(option.of.length)];
    case 'counts':
      return dice.below(4) ? undefined : anyCounts(option, dice);
    case 'whole': {
      if (name === 'maxChars') return option.usual;
      const most = name.endsWith('Ms') ? option.least + 500 : name === 'maxDays' ? 6 : Math.max(2 * option.usual, option.least + 2);
      return option.least + dice.below(Math.min(option.most, most) - option.least + 1);
    }
  }
}

/** Few of these fit, so tables are drawn until one does. */
function anyCounts({ of, most }: Option & { readonly kind: 'counts' }, dice: Dice): { readonly [name: string]: number } {
  const counts: { [name: string]: number } = {};
  for (let left = 3 + dice.below(8); left > 0; left--) {
    const name = of[dice.below(of.length)]!;
    counts[name] = Math.min(most, (counts[name] ?? 0) + 1);
  }
  return counts;
}

/** The maximum number of draws. Options that fit no number of players are a mistake of the rule set. */
const MAX_TRIES = 1_000;

/** The terms of the `n`th game of a variant: the same for the same `n`. */
export function settingOf(set: RuleSet, variant: Variant, n: number, rounds = 1): Setting {
  const seed = `law ${n}`;
  const dice = diceOf(seed, 'setting');
  const { least, most } = set.players;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const players = least + dice.below(most - least + 1);
    const options = variant.options(dice);
    if (isPlayable(set, players, options)) return { players, rounds, seed, options };
  }
  throw new Error(`${set.name}: ${variant.name} fits no number of players from ${least} to ${most}`);
}

/** Whether these options suit this number of players: some games are for three only. */
function isPlayable(set: RuleSet, players: number, options: { readonly [name: string]: unknown }): boolean {
  try {
    set.rules(players, options);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.reason === 'bad-option') return false;
    throw error;
  }
}
