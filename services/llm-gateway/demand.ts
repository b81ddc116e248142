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
const TARGET = 0.8;

/** Offered load as an exponential window: each request adds its slot time, and all of it fades. */
export function demand(): Demand {
  const games = new Map<string, number>();
  let level = 0;
  let last: number | undefined;

  function fade(at: number): void {
    if (last !== undefined && at > last) level *= Math.exp(-(at - last) / WINDOW_MS);
    last = Math.max(at, last ?? at);
  }

  function active(at: number): number {
    for (const [game, asked] of games) if (at - asked > QUIET_MS) games.delete(game);
    return games.size;
  }

  function utilisation(at: number, slots: number): number {
    fade(at);
    return slots > 0 ? level / WINDOW_MS / slots : level > 0 ? 1 : 0;
  }

  return {
    asked(at, game, expectedMs) {
      fade(at);
      level += expectedMs;
      games.set(game, at);
    },
    utilisation,
    active,
    more(at, slots) {
      const busy = utilisation(at, slots);
      const playing = active(at);
      if (playing === 0) return slots;
      return Math.max(0, Math.floor((TARGET - busy) / Math.max(busy / playing, 1e-3)));
    },
  };
}
