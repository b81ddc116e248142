export type Demand = ReturnType<typeof demand>;

/** The time constant of the average: talk, votes and night of about one day together. */
const WINDOW_MS = 120_000;
/** A game without a request for this long no longer counts as active. */
const IDLE_MS = 180_000;
/** Games are admitted while less than this share of the slot time is asked for (docs/gateway.md, section 2). */
export const TARGET_UTILISATION = 0.8;
/** While less than this share is asked for, there is room for a game per slot: the first burst of a game says little of its average. */
const IDLE_UTILISATION = 0.1;
/** How long a game is observed at least: its first burst is not its average. */
const MIN_OBSERVED_MS = 5_000;

interface GameDemand {
  readonly since: number;
  readonly last: number;
  /** The game's own level at `last`. */
  readonly level: number;
}

const decayed = (level: number, since: number, at: number): number => level * Math.exp(-Math.max(0, at - since) / WINDOW_MS);

/**
 * How much slot time games ask for. All times are passed in, in milliseconds.
 *
 * Offered load as an exponential window: each request adds its slot time, and the level decays. The demand of a game that has just started is
 * measured against the part of the window for which it has existed; otherwise many games would be admitted before the first ones have shown
 * what they need.
 */
export function demand() {
  const games = new Map<string, GameDemand>();
  let level = 0;
  let last: number | undefined;

  /** A clock that was set back does not stop the decay. */
  function decay(at: number): void {
    if (last !== undefined) level = decayed(level, last, at);
    last = at;
  }

  function activeAt(at: number): readonly GameDemand[] {
    for (const [game, { last: asked }] of games) if (Math.abs(at - asked) > IDLE_MS) games.delete(game);
    return [...games.values()];
  }

  /** The demand as a share of what `slots` can serve; above 1 when it exceeds that. */
  function utilisation(at: number, slots: number): number {
    decay(at);
    return slots > 0 ? level / WINDOW_MS / slots : level > 0 ? 1 : 0;
  }

  return {
    utilisation,
    /** A game asks for work that is expected to take `expectedMs`. */
    record(at: number, game: string, expectedMs: number): void {
      decay(at);
      level += expectedMs;
      const before = games.get(game) ?? { since: at, last: at, level: 0 };
      games.set(game, { since: Math.min(before.since, at), last: at, level: decayed(before.level, before.last, at) + expectedMs });
    },
    /** Games that asked lately. */
    activeGames: (at: number): number => activeAt(at).length,
    /** How many more games like the active ones fit; one per slot while little is asked for. */
    roomForGames(at: number, slots: number): number {
      const active = activeAt(at);
      if (active.length === 0 || slots === 0) return slots;
      const perGame = slotsPerGame(active, at) / slots;
      const like = Math.floor((TARGET_UTILISATION - perGame * active.length) / Math.max(perGame, 1e-3));
      return Math.max(0, like, utilisation(at, slots) < IDLE_UTILISATION ? slots - active.length : 0);
    },
  };
}

/** How many slots one of these games keeps busy on average. */
function slotsPerGame(games: readonly GameDemand[], at: number): number {
  let asked = 0;
  let observed = 0;
  for (const { level, last, since } of games) {
    asked += decayed(level, last, at);
    observed += WINDOW_MS * (1 - Math.exp(-Math.max(MIN_OBSERVED_MS, at - since) / WINDOW_MS));
  }
  return asked / observed;
}
