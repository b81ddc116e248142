import { type Role, type Side, sideOf } from '@maw/games/aiwolf/state.ts';

/** Games, and how many of them were won. */
export interface Wins {
  games: number;
  won: number;
}

/** What an agent has done in all games. */
export interface AgentScore extends Wins {
  readonly agent: string;
  /** That of the foxes only where it has played. */
  readonly sides: { [side in Exclude<Side, 'fox'>]: Wins } & { fox?: Wins };
  readonly roles: { [role in Role]?: Wins };
  /** How often, by kind. */
  readonly faults: { [kind: string]: number };
  /** How many answers came in time, and how long they took; 0 without any. */
  readonly answers: number;
  readonly medianMs: number;
  readonly p99Ms: number;
}

/** A game that has ended; agents and roles by seat. */
export interface EndedGame {
  readonly agents: readonly string[];
  readonly roles: readonly string[];
  /** Seats. */
  readonly winners: readonly number[];
}

const noGames = (): Wins => ({ games: 0, won: 0 });

/** Counts what agents do, by the names that they told. */
export function createScore() {
  const scores = new Map<string, Omit<AgentScore, 'answers' | 'medianMs' | 'p99Ms'> & { readonly times: number[] }>();
  const scoreOf = (agent: string) => {
    const score = scores.get(agent) ?? {
      agent,
      ...noGames(),
      sides: { village: noGames(), werewolves: noGames() },
      roles: {},
      faults: {},
      times: [],
    };
    scores.set(agent, score);
    return score;
  };
  return {
    ended({ agents, roles, winners }: EndedGame): void {
      for (const [seat, agent] of agents.entries()) {
        const score = scoreOf(agent);
        const role = roles[seat] as Role;
        for (const wins of [score, (score.sides[sideOf(role)] ??= noGames()), (score.roles[role] ??= noGames())]) {
          wins.games++;
          if (winners.includes(seat)) wins.won++;
        }
      }
    },
    answered: (agent: string, ms: number): void => void scoreOf(agent).times.push(ms),
    /** @returns how often the agent has had this fault */
    failed(agent: string, fault: string): number {
      const { faults } = scoreOf(agent);
      return (faults[fault] = (faults[fault] ?? 0) + 1);
    },
    scores: (): AgentScore[] =>
      [...scores.values()]
        .toSorted((a, b) => (a.agent < b.agent ? -1 : 1))
        .map(({ times, ...score }) => {
          const sorted = times.toSorted((a, b) => a - b);
          return { ...score, answers: times.length, medianMs: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99) };
        }),
  };
}

/** The nearest rank. */
const quantile = (sorted: readonly number[], share: number): number => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
