import { costOf } from '@maw/lab/contests/cost.ts';
import type { Contest } from '@maw/lab/contests/definition.ts';
import type { AgentUsage, FaultKind, PairingResult } from '@maw/lab/contests/result.ts';
import type { ReplyData } from '@maw/contracts/contracts.ts';
import { lossesInWords, type ModelDecisions, sumByModel } from '@maw/minds/replies/made-decisions.ts';
import { wilsonInterval } from '@maw/lab/ratings/rates/wilson-interval.ts';

/** What is shown of all results while a contest runs. */
export type Board = Pick<ReplyData<'contest.view'>, 'games' | 'void' | 'ranking' | 'faults' | 'usage' | 'lost' | 'cost'>;

/** What results come to, in the order in which they were added. */
export interface Tally {
  games: number;
  voids: number;
  /** By agent; in games and wins of seats. */
  readonly seats: Map<string, { readonly games: number; readonly wins: number }>;
  readonly faults: Map<string, { readonly agent: string; readonly kind: FaultKind; readonly times: number }>;
  /** By agent and model: prices may change while a contest is stopped. */
  readonly usage: Map<string, AgentUsage>;
  decisions: readonly ModelDecisions[];
}

export const emptyTally = (): Tally => ({
  games: 0,
  voids: 0,
  seats: new Map(),
  faults: new Map(),
  usage: new Map(),
  decisions: [],
});

/** Another tally that goes on from here. */
export const copyOf = (tally: Tally): Tally => ({
  ...tally,
  seats: new Map(tally.seats),
  faults: new Map(tally.faults),
  usage: new Map(tally.usage),
});

export function addResult(tally: Tally, { games, faults, usage, decisions = [], void: isVoid }: PairingResult): void {
  tally.games += games.length;
  if (isVoid) tally.voids++;
  if (decisions.length) tally.decisions = sumByModel([...tally.decisions, ...decisions]);
  for (const game of games) {
    for (const { agent, won } of game.seats) {
      const before = tally.seats.get(agent) ?? { games: 0, wins: 0 };
      tally.seats.set(agent, { games: before.games + 1, wins: before.wins + Number(won) });
    }
  }
  for (const { agent, kind, times } of faults) {
    const key = JSON.stringify([agent, kind]);
    tally.faults.set(key, { agent, kind, times: (tally.faults.get(key)?.times ?? 0) + times });
  }
  for (const one of usage) {
    const { agent, model, prompt, completion } = one;
    const key = JSON.stringify([agent, model]);
    const before = tally.usage.get(key);
    tally.usage.set(key, before ? { ...before, prompt: before.prompt + prompt, completion: before.completion + completion } : one);
  }
}

/** Who is known to win most often comes first: by the lower end of the interval of wins. Agents without a game are last: nothing is known of them. */
export function boardOf({ agents, prices }: Contest, { games, voids, seats, faults, usage, decisions }: Tally): Board {
  const lost = lossesInWords(decisions);
  const ranking = agents.map(({ name }) => {
    const own = seats.get(name) ?? { games: 0, wins: 0 };
    const { share, low } = own.games ? wilsonInterval(own.wins, own.games) : { share: 0, low: -1 };
    return { low, row: { agent: name, ...own, share } };
  });
  return {
    games,
    void: voids,
    ranking: ranking.toSorted((a, b) => b.low - a.low).map(({ row }) => row),
    faults: [...faults.values()],
    ...(usage.size ? { usage: usageBy([...usage.values()], prices) } : {}),
    ...(lost.length ? { lost } : {}),
    ...(Object.keys(prices).length ? { cost: costOf({ prices }, [...usage.values()]) } : {}),
  };
}

/** What the models of each agent took; the cost where all of them have a price. */
const usageBy = (usage: readonly AgentUsage[], prices: Contest['prices']): NonNullable<Board['usage']> =>
  [...Map.groupBy(usage, ({ agent }) => agent)].map(([agent, own]) => ({
    agent,
    prompt: own.reduce((sum, { prompt }) => sum + prompt, 0),
    completion: own.reduce((sum, { completion }) => sum + completion, 0),
    ...(own.every(({ model }) => Object.hasOwn(prices, model)) ? { cost: costOf({ prices }, own) } : {}),
  }));
