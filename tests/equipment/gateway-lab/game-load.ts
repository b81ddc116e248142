import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import type { QueueEntry } from '@maw/llm-gateway/scheduler/fair-queue.ts';

/** What games of twelve agents ask for, in phases that end by the clock. Times in milliseconds. */
export interface GameLoad {
  readonly games: number;
  /** How many times as often as the others the first game talks. */
  readonly greed: number;
  /** For how long requests come. */
  readonly forMs: number;
  /**
   * How the phases of the games lie to each other. Apart: each begins its cycle in a share of its own, as games do that are let in one after
   * another; by chance: anywhere, so that the votes of several may come at once.
   */
  readonly phases: 'apart' | 'by chance';
  readonly seed: string;
}

export interface GameRequest extends QueueEntry {
  readonly agent: string;
  readonly kind: 'talk' | 'vote' | 'night';
  readonly arrived: number;
  readonly deadline: number;
  /** How long it holds a slot, unless it is cut. */
  readonly serviceMs: number;
}

/** Service times are log-normal: a few seconds, some of them three times as many. */
export const MEDIAN_MS = 3_000;
const SIGMA = 0.5;
export const MEAN_MS = MEDIAN_MS * Math.exp(SIGMA ** 2 / 2);

const AGENTS = 12;
const WOLVES = 4;
const TALK_MS = 120_000;
const VOTE_MS = 30_000;
const NIGHT_MS = 20_000;
export const CYCLE_MS = TALK_MS + VOTE_MS + NIGHT_MS;
const SPEAKS_EVERY_MS = 30_000;
/** Nobody begins to speak so shortly before the vote. */
const TOO_LATE_MS = MEDIAN_MS;

/**
 * All requests of all games, in order (document gateway, section 2): each agent speaks about every thirty seconds and has as long for it, but
 * not beyond the talk; then all vote at once, then some act at night.
 */
export function requestsOf({ games, greed, forMs, phases, seed }: GameLoad): readonly GameRequest[] {
  const out: GameRequest[] = [];
  for (let g = 0; g < games; g++) {
    const dice = diceOf(seed, `game ${g}`);
    const game = `game ${g}`;
    const ask = (kind: GameRequest['kind'], agent: number, arrived: number, deadline: number): void => {
      if (arrived >= forMs || arrived < 0) return;
      const urgency = kind === 'talk' ? 'talk' : 'critical';
      const serviceMs = MEDIAN_MS * Math.exp(SIGMA * normal(dice));
      out.push({
        id: `${game}/${out.length}`,
        game,
        agent: `${game}:${agent}`,
        kind,
        urgency,
        arrived,
        deadline,
        rank: deadline,
        serviceMs,
      });
    };
    const every = SPEAKS_EVERY_MS / (g === 0 ? greed : 1);
    const begun = phases === 'apart' ? (g + unit(dice)) / games : unit(dice);
    for (let at = -begun * CYCLE_MS; at < forMs; at += CYCLE_MS) {
      const votes = at + TALK_MS;
      const night = votes + VOTE_MS;
      for (let agent = 0; agent < AGENTS; agent++)
        for (let speaks = at + unit(dice) * every; speaks < votes - TOO_LATE_MS; speaks += every * (0.5 + unit(dice)))
          ask('talk', agent, speaks, Math.min(votes, speaks + SPEAKS_EVERY_MS));
      for (let agent = 0; agent < AGENTS; agent++) ask('vote', agent, votes, night);
      for (let wolf = 0; wolf < WOLVES; wolf++) ask('night', wolf, night, night + NIGHT_MS);
    }
  }
  return out.toSorted((a, b) => a.arrived - b.arrived);
}

const unit = (dice: Dice): number => (dice.below(1 << 30) + 0.5) / (1 << 30);
const normal = (dice: Dice): number => Math.sqrt(-2 * Math.log(unit(dice))) * Math.cos(2 * Math.PI * unit(dice));

/** Shares of the requests that were answered in time. */
export interface InTimeShares {
  /** Votes and what is done at night. */
  readonly urgent: number;
  /** Talk of the games that are not greedy. */
  readonly talk: number;
  /** Everything of the game that fared worst among those that are not greedy. */
  readonly worst: number;
  /** Everything of the greedy game; undefined when there is none. */
  readonly greedy: number | undefined;
}

/** @param met the ids of those that were answered in time */
export function inTimeShares(requests: readonly GameRequest[], { greed }: GameLoad, met: ReadonlySet<string>): InTimeShares {
  const share = (fits: (request: GameRequest) => boolean): number => {
    const those = requests.filter(fits);
    return those.length ? those.filter(({ id }) => met.has(id)).length / those.length : 1;
  };
  const isGreedy = ({ game }: GameRequest): boolean => greed > 1 && game === 'game 0';
  const games = new Set(requests.filter((request) => !isGreedy(request)).map(({ game }) => game));
  return {
    urgent: share(({ kind }) => kind !== 'talk'),
    talk: share((request) => request.kind === 'talk' && !isGreedy(request)),
    worst: Math.min(...[...games].map((game) => share((request) => request.game === game))),
    greedy: greed > 1 ? share(isGreedy) : undefined,
  };
}
