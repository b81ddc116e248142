import { keyOf } from '@maw/contracts/model-name.ts';
import { costOf, summedUsage, usageKey } from '../cost.ts';
import type { Contest } from '../definition.ts';
import { type AgentUsage, type FaultKind, type PairingResult, faultKinds } from '../result.ts';
import { byName } from './counted.ts';

/** What an agent did wrong, over all tables, also those that do not count. */
export interface FaultRow {
  readonly agent: string;
  /** Tables that it sat at. */
  readonly tables: number;
  readonly faults: { readonly [kind in FaultKind]: number };
  /** Tables that are void by its fault. */
  readonly culprit: number;
}

/** What the models of an agent used, over all tables, also those that do not count: it has been spent. */
interface UsageRow extends AgentUsage {
  readonly tables: number;
  /** In the currency of the prices; absent where the contest names no price of the model. */
  readonly cost?: number;
}

export interface Usage {
  readonly rows: readonly UsageRow[];
  /** Of all rows with a price; absent where there is none. */
  readonly cost?: number;
  readonly games: number;
  /** Models that have been used and have no price, in a contest that has prices. */
  readonly unpriced: readonly string[];
}

/**
 * Faults by agent; agents without any have a row of zeros, so that it can be seen that they were watched.
 * @param seated the agents of a pairing by its number
 */
export function faultRows(
  agents: readonly string[],
  results: readonly PairingResult[],
  seated: (number: number) => readonly string[],
): readonly FaultRow[] {
  const rows = new Map(
    agents.map((agent) => [
      agent,
      { agent, tables: 0, faults: Object.fromEntries(faultKinds.map((kind) => [kind, 0])) as Record<FaultKind, number>, culprit: 0 },
    ]),
  );
  for (const { number, faults, void: broken } of results) {
    for (const agent of new Set(seated(number))) if (rows.has(agent)) rows.get(agent)!.tables++;
    for (const { agent, kind, times } of faults) if (rows.has(agent)) rows.get(agent)!.faults[kind] += times;
    if (broken?.culprit !== undefined && rows.has(broken.culprit)) rows.get(broken.culprit)!.culprit++;
  }
  return [...rows.values()];
}

export function usageOf(results: readonly PairingResult[], prices: Contest['prices']): Usage {
  const byModel = Map.groupBy(
    results.flatMap(({ usage }) => usage),
    usageKey,
  );
  const priced = [...byModel.values()]
    .toSorted(([a], [b]) => byName(a!.agent, b!.agent) || byName(a!.model, b!.model))
    .map((own): UsageRow => {
      const { agent, model, ...used } = summedUsage(own);
      const row = { agent, model, tables: own.length, ...used };
      const isPriced = Object.keys(prices).some((each) => keyOf(each) === keyOf(model));
      return isPriced ? { ...row, cost: costOf({ prices }, [row]) } : row;
    });
  const costs = priced.flatMap(({ cost }) => (cost === undefined ? [] : [cost]));
  return {
    rows: priced,
    ...(costs.length ? { cost: costs.reduce((sum, cost) => sum + cost, 0) } : {}),
    games: results.reduce((sum, { games }) => sum + games.length, 0),
    unpriced: Object.keys(prices).length ? [...new Set(priced.flatMap(({ cost, model }) => (cost === undefined ? [model] : [])))] : [],
  };
}
