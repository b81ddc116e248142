import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { catalogue } from '@maw/games/catalogue.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';

/** A rule set at one size. */
export interface Sized {
  readonly set: RuleSet;
  readonly players: number;
}

/** What the measures of whole rule sets can be told. */
export interface Asked {
  readonly sized: readonly Sized[];
  readonly games: number;
  readonly runs: number;
  readonly workers: number;
  readonly seed: string;
  readonly json: boolean;
}

/** Sizes that matter besides the usual one: the contest of document 002 is played by 5 and by 15. */
const SIZES: { readonly [rules: string]: readonly number[] } = { aiwolf: [5, 15] };

/**
 * Reads `[--rules NAMES] [--players N] [--games N] [--runs N] [--workers N] [--seed S] [--json]`.
 * @returns what is asked for, or a sentence saying why it cannot be had
 */
export function readAsked(args: readonly string[], usual: { readonly games: number; readonly runs: number }): Asked | string {
  const text = { type: 'string' } as const;
  const options = { rules: text, players: text, games: text, runs: text, workers: text, seed: text, json: { type: 'boolean' } } as const;
  let given;
  try {
    given = parseArgs({ args: [...args], options }).values;
  } catch (error) {
    return (error as Error).message;
  }
  const whole = (name: 'games' | 'runs' | 'workers', otherwise: number): number => Number(given[name] ?? otherwise);
  const [games, runs, workers] = [whole('games', usual.games), whole('runs', usual.runs), whole('workers', availableParallelism())];
  const wrong = Object.entries({ games, runs, workers }).find(([, n]) => !Number.isSafeInteger(n) || n < 1);
  if (wrong) return `--${wrong[0]}: a whole number from 1 is wanted.`;
  const names = given.rules?.split(',').filter(Boolean);
  const unknown = names?.find((name) => !catalogue.some((set) => set.name === name));
  if (unknown !== undefined) return `there is no rule set ${unknown}; there are ${catalogue.map(({ name }) => name).join(', ')}.`;
  const size = given.players === undefined ? undefined : Number(given.players);
  const sized = catalogue
    .filter(({ name }) => names?.includes(name) ?? true)
    .flatMap((set) => (size === undefined ? (SIZES[set.name] ?? [set.players.usual]) : [size]).map((players) => ({ set, players })));
  const odd = sized.find(({ set, players }) => !Number.isInteger(players) || players < set.players.least || players > set.players.most);
  if (odd) return `--players: ${odd.set.name} is played by ${odd.set.players.least} to ${odd.set.players.most}, not ${given.players}.`;
  return { sized, games, runs, workers, seed: given.seed ?? 'bench', json: given.json ?? false };
}
