/** How much slot time is asked for. It knows no clock but what it is told, in milliseconds. */
export interface Demand {
  /** A game asks for something that is expected to take so long. */
  asked(at: number, game: string, expectedMs: number): void;
  /** What is asked for, as a share of what so many slots can give; above 1 when it is more. */
  utilisation(at: number, slots: number): number;
  /** Games that asked lately. */
  active(at: number): number;
  /** How many more games like those that are active fit; as many as there are slots while none is. */
  more(at: number, slots: number): number;
}

/** What was asked longer ago than so counts little: talk and votes of one day and night together. */
const WINDOW_MS = 120_000;
/** A game that has asked nothing for so long is over, or thinks of something else. */
const QUIET_MS = 180_000;
/** Games are let in while less than so much of the slot time is asked for (document gateway, section 2). */
export const TARGET_UTILISATION = 0.8;

/** Nobody is judged by less: what comes all at once in the first moment is not how it goes on. */
const YOUNG_MS = 5_000;

/** What one game has asked for since it was first heard of. */
interface Asked {
  readonly since: number;
  readonly last: number;
  /** As `level`, of this game alone, at `last`. */
  readonly level: number;
}

/**
 * Offered load as an exponential window: each request adds its slot time, and all of it fades. Of a game that was heard of only a moment ago
 * the window is empty for the most part: what it asks for is measured against the part that it has been there for, or many would be let in
 * before the first ones have shown what they need.
 */
export function demand(): Demand {
  const games = new Map<string, Asked>();
  let level = 0;
  let last: number | undefined;

  const faded = (what: number, since: number, at: number): number => what * Math.exp(-Math.max(0, at - since) / WINDOW_MS);

  /** A clock that was set back does not stop the fading until it has caught up. */
  function fade(at: number): void {
    if (last !== undefined) level = faded(level, last, at);
    last = at;
  }

  /** Those that asked lately. */
  function playing(at: number): readonly Asked[] {
    for (const [game, asked] of games) if (Math.abs(at - asked.last) > QUIET_MS) games.delete(game);
    return [...games.values()];
  }

  function utilisation(at: number, slots: number): number {
    fade(at);
    return slots > 0 ? level / WINDOW_MS / slots : level > 0 ? 1 : 0;
  }

  /** How many slots a game keeps busy, on average. */
  function perGame(those: readonly Asked[], at: number): number {
    let asked = 0;
    let seen = 0;
    for (const one of those) {
      asked += faded(one.level, one.last, at);
      seen += WINDOW_MS * (1 - Math.exp(-Math.max(YOUNG_MS, at - one.since) / WINDOW_MS));
    }
    return asked / seen;
  }

  return {
    asked(at, game, expectedMs) {
      fade(at);
      level += expectedMs;
      const before = games.get(game) ?? { since: at, last: at, level: 0 };
      games.set(game, { since: Math.min(before.since, at), last: at, level: faded(before.level, before.last, at) + expectedMs });
    },
    utilisation,
    active: (at) => playing(at).length,
    more(at, slots) {
      const those = playing(at);
      if (those.length === 0 || slots === 0) return slots;
      const each = perGame(those, at) / slots;
      return Math.max(0, Math.floor((TARGET_UTILISATION - each * those.length) / Math.max(each, 1e-3)));
    },
  };
}
