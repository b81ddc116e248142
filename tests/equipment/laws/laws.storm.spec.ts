import { catalogue, ruleSetNamed } from '@maw/games/catalogue.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import { laws } from './laws.suite.ts';

/** A rule set with some options fixed, which random options hardly ever are together. */
function fixed(name: string, rules: string, players: number, options: { readonly [name: string]: unknown }): RuleSet {
  const set = ruleSetNamed(rules);
  return {
    ...set,
    name,
    players: { least: players, most: players, usual: players },
    options: Object.fromEntries(Object.entries(set.options).filter(([option]) => !Object.hasOwn(options, option))),
    rules: (count, given) => set.rules(count, { ...given, ...options }),
    text: (count, given) => set.text(count, { ...given, ...options }),
  };
}

const LOVERS = { merlin: 1, percival: 1, tristan: 1, isolde: 1, morgana: 1, assassin: 1, oberon: 1 };
const others = [fixed('avalon with the lovers', 'avalon', 7, { lady: true, roles: LOVERS })];

for (const set of [...catalogue, ...others]) laws(set);
