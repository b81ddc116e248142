import { median, quantile } from '../figures.ts';
import type { Exchanges } from './exchanges.ts';

/** The games a second of the published server of the protocol division, by players, on two cores with its own sample agents. */
export const PUBLISHED: { readonly [players: number]: number } = { 5: 13.2, 15: 2.7 };

/** Processor time of the services in seconds, and what was played in it. */
export interface Use {
  readonly cpu: number;
  readonly games: number;
  readonly acts: number;
}

/** One run with one number of players. */
export interface Run {
  readonly one: Exchanges;
  readonly many: Exchanges;
  /** Of one set of agents. */
  readonly agents: Use;
  /** Of the same table with minds at all seats. */
  readonly minds: Use;
}

/** Medians of the runs. */
export interface Rates {
  readonly runs: number;
  /** Games a second: one set, and several at once. */
  readonly one: number;
  readonly many: number;
  /** `many`, or `one` if that is more, relative to the published server; undefined where nothing was published. */
  readonly relative: number | undefined;
  readonly turnP50: number;
  readonly turnP99: number;
  readonly bytes: number;
  readonly acts: number;
  readonly mindActs: number;
  /** Processor time of a game with agents, in seconds. */
  readonly cpu: number;
  /** The same relative to a game of minds: per game, and per act. */
  readonly cpuRatio: number;
  readonly cpuRatioPerAct: number;
}

const gamesASecond = ({ games, elapsedMs }: Exchanges): number => (games / elapsedMs) * 1000;

export function ratesOf(runs: readonly Run[], published: number | undefined): Rates {
  const middle = (value: (run: Run) => number): number => median(runs.map(value));
  const [one, many] = [middle((run) => gamesASecond(run.one)), middle((run) => gamesASecond(run.many))];
  return {
    runs: runs.length,
    one,
    many,
    relative: published === undefined ? undefined : Math.max(one, many) / published,
    turnP50: middle((run) => quantile(run.one.turnMs, 0.5)),
    turnP99: middle((run) => quantile(run.one.turnMs, 0.99)),
    bytes: middle(({ one: { bytes, games } }) => bytes / games),
    acts: middle(({ agents }) => agents.acts / agents.games),
    mindActs: middle(({ minds }) => minds.acts / minds.games),
    cpu: middle(({ agents }) => agents.cpu / agents.games),
    cpuRatio: middle(({ agents, minds }) => agents.cpu / agents.games / (minds.cpu / minds.games)),
    cpuRatioPerAct: middle(({ agents, minds }) => agents.cpu / agents.acts / (minds.cpu / minds.acts)),
  };
}
