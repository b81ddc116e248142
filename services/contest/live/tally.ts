import { costOf } from '@maw/lab/contests/cost.ts';
import type { Contest } from '@maw/lab/contests/definition.ts';
import type { AgentUsage, FaultKind, PairingResult } from '@maw/lab/contests/result.ts';
import type { ReplyData } from '@maw/contracts/contracts.ts';
import { lossesInWords, type ModelDecisions, sumByModel } from '@maw/minds/replies/made-decisions.ts';
import { type LiveTable, liveTable } from '@maw/lab/ratings/live-ratings.ts';

/** What is shown of all results while a contest runs. */
export type Board = Pick<ReplyData<'contest.view'>, 'games' | 'void' | 'ranking' | 'faults' | 'lost' | 'cost'>;

/** What results come to, in the order in which they were added. */
export interface Tally {
  games: number;
  voids: number;
  /** By agent; in games and wins of seats. */
  readonly seats: Map<string, { readonly games: number; readonly wins: number }>;
  readonly faults: Map<string, { readonly agent: string; readonly kind: FaultKind; readonly times: number }>;
  /** By model: prices may change while a contest is stopped. */
  readonly usage: Map<string, AgentUsage>;
  decisions: readonly ModelDecisions[];
  readonly skill: LiveTable;
}

export const emptyTally = (): Tally => ({
  games: 0,
  voids: 0,
  seats: new Map(),
  faults: new Map(),
  usage: new Map(),
  decisions: [],
  skill: liveTable(),
});

/** Another tally that goes on from here. */
export const copyOf = (tally: Tally): Tally => ({
  ...tally,
  seats: new Map(tally.seats),
  faults: new Map(tally.faults),
  usage: new Map(tally.usage),
  skill: tally.skill.copy(),
});

export function addResult(tally: Tally, { games, faults, usage, decisions = [], void: isVoid }: PairingResult): void {
  tally.games += games.length;
  if (isVoid) tally.voids++;
  if (decisions.length) tally.decisions = sumByModel([...tally.decisions, ...decisions]);
  for (const game of games) {
    tally.skill.add(game);
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
    const before = tally.usage.get(one.model);
    const { prompt, completion } = one;
    tally.usage.set(one.model, before ? { ...before, prompt: before.prompt + prompt, completion: before.completion + completion } : one);
  }
}

/** Agents without a game are last: nothing is known of them. */
export function boardOf({ agents, prices }: Contest, { games, voids, seats, faults, usage, decisions, skill }: Tally): Board {
  const lost = lossesInWords(decisions);
  const ratings = new Map(skill.ratings().map((rating) => [rating.agent, rating]));
  const ranking = agents.map(({ name }) => {
    const own = seats.get(name) ?? { games: 0, wins: 0 };
    const { mu, sigma, ordinal = -Infinity } = ratings.get(name) ?? {};
    const rated = mu === undefined || sigma === undefined ? {} : { skill: { mu, sigma } };
    return { ordinal, row: { agent: name, ...own, share: own.games ? own.wins / own.games : 0, ...rated } };
  });
  return {
    games,
    void: voids,
    ranking: ranking
      .toSorted((a, b) => (a.ordinal === b.ordinal ? b.row.share - a.row.share : b.ordinal - a.ordinal))
      .map(({ row }) => row),
    faults: [...faults.values()],
    ...(lost.length ? { lost } : {}),
    ...(Object.keys(prices).length ? { cost: costOf({ prices }, [...usage.values()]) } : {}),
  };
}
