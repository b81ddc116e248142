import { compareText, dealsOf } from '../deals.ts';
import type { GameResult, SeatResult } from '../result.ts';
import { type Proportion, wilsonInterval } from './wilson-interval.ts';

/** What win rates may be told apart by, besides the agent. */
export type Part = 'side' | 'role' | 'seat';

/** How often an agent won. */
export interface WinRate extends Proportion {
  readonly agent: string;
  /** The side, role or seat; undefined where all games of the agent are counted together. */
  readonly of: string | number | undefined;
  /** Games in which the agent had such a seat. */
  readonly games: number;
  /** How many of them it won. A game in which only some of its seats won counts as that share. */
  readonly wins: number;
}

/**
 * Win rates with 95 % intervals of Wilson, by agent and, if given, by side, role or seat. An agent with several such seats in a game counts
 * once, as its seats win and lose together: counting each would make the intervals too narrow. Of several Tanners it has the share that won. Games are taken as independent; intervals
 * that allow for games of one deal are those of `rankAgents`.
 * @returns by agent, then by part, in the order of names
 */
export function winRates(games: readonly GameResult[], part?: Part): readonly WinRate[] {
  const counts = new Map<string, Map<SeatResult[Part] | undefined, { games: number; wins: number }>>();
  for (const { seats } of dealsOf(games).flat())
    for (const [agent, own] of Map.groupBy(seats, (seat) => seat.agent))
      for (const [of, some] of Map.groupBy(own, (seat) => (part ? seat[part] : undefined))) {
        const parts = counts.get(agent) ?? new Map<SeatResult[Part] | undefined, { games: number; wins: number }>();
        const count = parts.get(of) ?? { games: 0, wins: 0 };
        count.games++;
        count.wins += some.filter(({ won }) => won).length / some.length;
        counts.set(agent, parts.set(of, count));
      }
  return [...counts]
    .flatMap(([agent, parts]) => [...parts].map(([of, count]) => ({ agent, of, ...count, ...wilsonInterval(count.wins, count.games) })))
    .toSorted((a, b) => compareText(a.agent, b.agent) || compareParts(a.of, b.of));
}

const compareParts = (a: WinRate['of'], b: WinRate['of']): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : compareText(String(a), String(b));
