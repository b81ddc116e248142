import { keyOf } from '@maw/contracts/model-name.ts';
import type { Contest } from './definition.ts';
import type { AgentUsage } from './result.ts';

/** Tells agents and models apart. */
export const usageKey = ({ agent, model }: AgentUsage): string => `${agent} ${model}`;

/** What one agent used of one model, in all. @param usage at least one */
export function summedUsage(usage: readonly AgentUsage[]): AgentUsage {
  const sumOf = (part: 'calls' | 'prompt' | 'completion' | 'seconds') => usage.reduce((sum, each) => sum + each[part], 0);
  const { agent, model } = usage[0]!;
  return { agent, model, calls: sumOf('calls'), prompt: sumOf('prompt'), completion: sumOf('completion'), seconds: sumOf('seconds') };
}

/** What models cost, by the contest's prices; models without a price cost nothing. */
export function costOf({ prices }: Pick<Contest, 'prices'>, usage: readonly AgentUsage[]): number {
  const byModel = new Map(Object.entries(prices).map(([model, price]) => [keyOf(model), price]));
  return usage.reduce((sum, { model, prompt, completion }) => {
    const price = byModel.get(keyOf(model));
    return sum + (price ? (prompt * price.prompt + completion * price.completion) / TOKENS_OF_A_PRICE : 0);
  }, 0);
}

const TOKENS_OF_A_PRICE = 1_000_000;

/**
 * How many more tables a limit pays for, at the mean cost of those so far. The one place that says so: a contest ends as soon as it is none.
 * @param tables those that are over, at least one
 */
export const tablesLeft = (maxCost: number, spent: number, tables: number): number =>
  spent === 0 ? Infinity : Math.max(0, Math.floor((maxCost - spent) / (spent / tables)));

/** What the tables of a contest have cost so far. */
export interface Spending {
  readonly spent: number;
  /** Those that are over. */
  readonly tables: number;
}

/**
 * How many more tables may be opened so that a contest stays within its limit of cost. Until the first one has shown what a table costs, they are
 * opened one by one.
 * @param running tables that are not over
 */
export function affordableTables({ stopping: { maxCost } }: Contest, { spent, tables }: Spending, running: number): number {
  if (maxCost === undefined) return Infinity;
  return Math.max(0, (tables ? tablesLeft(maxCost, spent, tables) : 1) - running);
}
