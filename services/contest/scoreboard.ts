import { costOf } from '@maw/contests/cost.ts';
import { contestShape } from '@maw/contests/definition.ts';
import type { ReplyData } from '@maw/contracts/contracts.ts';
import type { Contests, StoredContest } from '@maw/store/ports/contests.ts';
import { resultPages } from './standing.ts';

type Board = Pick<ReplyData<'contest.view'>, 'games' | 'void' | 'ranking' | 'faults' | 'cost'>;

/** What all results of a contest come to. */
export interface Scoreboards {
  of(contest: StoredContest): Promise<Board>;
}

/** How many contests are remembered, and how much longer than it took a board is shown before it is made again. */
const MOST = 100;
const TIMES = 10;

/** Boards are made of all results, so those who look often get the one of a moment ago. */
export function scoreboards(contests: Contests, steady = () => performance.now()): Scoreboards {
  const known = new Map<string, { readonly finished: number; readonly until: number; readonly board: Promise<Board> }>();
  return {
    of(stored) {
      const { id, finished } = stored;
      const last = known.get(id);
      const began = steady();
      if (last && (last.finished === finished || began < last.until)) return last.board;
      const entry = { finished, until: Infinity, board: boardOf(contests, stored) };
      known.delete(id);
      known.set(id, entry);
      if (known.size > MOST) known.delete(known.keys().next().value!);
      entry.board.then(
        () => void (entry.until = steady() + TIMES * (steady() - began)),
        () => void known.delete(id),
      );
      return entry.board;
    },
  };
}

async function boardOf(contests: Contests, { id, contest: stored }: StoredContest): Promise<Board> {
  const contest = contestShape.parse(stored);
  const agents = new Map(contest.agents.map(({ name }) => [name, { games: 0, wins: 0 }]));
  const faults = new Map<string, { readonly agent: string; readonly kind: string; times: number }>();
  const board = { games: 0, void: 0, cost: 0 };
  for await (const page of resultPages(contests, id))
    for (const result of page) {
      board.games += result.games.length;
      if (result.void) board.void++;
      board.cost += costOf(contest, result.usage);
      for (const { agent, won } of result.games.flatMap(({ seats }) => seats)) {
        const own = agents.get(agent)!;
        own.games++;
        if (won) own.wins++;
      }
      for (const { agent, kind, times } of result.faults) {
        const key = JSON.stringify([agent, kind]);
        faults.set(key, { agent, kind, times: (faults.get(key)?.times ?? 0) + times });
      }
    }
  const { cost, ...counts } = board;
  const ranking = [...agents].map(([agent, own]) => ({ agent, ...own, share: own.games ? own.wins / own.games : 0 }));
  return {
    ...counts,
    ranking: ranking.toSorted((a, b) => b.share - a.share || b.games - a.games),
    faults: [...faults.values()],
    ...(Object.keys(contest.prices).length ? { cost } : {}),
  };
}
