import { availableParallelism } from 'node:os';
import { catalogue } from '@maw/games/catalogue.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import { integer, names, text, UsageError, type Values } from '../options.ts';

/** A rule set at one size. */
export interface SizedRuleSet {
  readonly set: RuleSet;
  readonly players: number;
}

/** Sizes that matter besides the usual one: the AIWolf contest is played by 5 and by 15. */
const SIZES: { readonly [rules: string]: readonly number[] } = { aiwolf: [5, 15] };

/** The options of benchmarks that play whole rule sets. `games`: the default. */
export const ruleSetOptions = (games: number) => ({
  rules: names(
    'rule sets',
    catalogue.map(({ name }) => name),
  ),
  players: integer('players; otherwise the usual numbers of each rule set', { fallback: undefined }),
  games: integer('games', { fallback: games }),
  runs: integer('how often it is measured', { fallback: 5 }),
  workers: integer('worker threads', { fallback: availableParallelism() }),
  seed: text('the same seed plays the same games', 'bench'),
});

export type RuleSetValues = Values<ReturnType<typeof ruleSetOptions>>;

/** @throws UsageError when one cannot be played by `players` */
export function sizedRuleSets({ rules, players }: Pick<RuleSetValues, 'rules' | 'players'>): readonly SizedRuleSet[] {
  const sized = catalogue
    .filter(({ name }) => rules?.includes(name) ?? true)
    .flatMap((set) =>
      (players === undefined ? (SIZES[set.name] ?? [set.players.usual]) : [players]).map((size) => ({ set, players: size })),
    );
  const odd = sized.find(({ set, players: size }) => size < set.players.least || size > set.players.most);
  if (odd)
    throw new UsageError(`--players: ${odd.set.name} is played by ${odd.set.players.least} to ${odd.set.players.most}, not ${players}`);
  return sized;
}
