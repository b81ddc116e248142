import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { seededRoll } from '@maw/games/kernel/dice.ts';
import type { Contest, ContestGame } from './definition.ts';
import { hasOutside } from './seed.ts';

/** The seats of a game. */
export const seatsOf = ({ rules, players }: ContestGame): number => players ?? ruleSetNamed(rules).players.usual;

/**
 * The roles by seat as a table with this seed deals them, whoever plays.
 * @param round of its match, from 1
 */
export function dealOf(game: ContestGame, seed: string, round = 1): readonly string[] {
  const rules = ruleSetNamed(game.rules).rules(seatsOf(game), game.options);
  const moment = { now: 0, dice: seededRoll(seed, `round-${round}/deal`), open: [] };
  const dealt = rules.deal(seatsOf(game), moment) as readonly { readonly type: string }[];
  const { roles } = dealt.filter(({ type }) => type !== 'asked').reduce((state, event) => rules.evolve(state, event), rules.begin()) as {
    readonly roles: readonly string[];
  };
  return roles;
}

/**
 * The options of a game's tables. Where minds alone play nobody sees a clock, so phases end with their answers, unless the contest says otherwise; it
 * is the same for all tables of a contest.
 */
export function optionsOf({ agents, games }: Contest, game: number): ContestGame['options'] {
  const { rules, options } = games[game]!;
  return !hasOutside({ agents }) && Object.hasOwn(ruleSetNamed(rules).options, 'hurry') ? { hurry: true, ...options } : options;
}
