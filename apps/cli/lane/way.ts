/** A server that was had: where it listens, what it is, and how it is let go. */
export interface Found {
  readonly url: string;
  /** For people: what it is and where it comes from, without its password. */
  readonly describe: string;
  close(): Promise<void>;
}

/** One way to come by a server. */
export interface Way {
  readonly name: string;
  /** Throws `Unavailable` where this way leads nowhere on this machine. */
  open(): Promise<Found>;
  /** Nothing else is tried after this one: somebody asked for it by name. */
  readonly last?: boolean;
}

/** Says why a way leads nowhere. Anything else that is thrown counts the same, with its message as the reason. */
export class Unavailable extends Error {
  override name = 'Unavailable';
}

/** What came of trying: a server, or for every way that was tried the reason it led nowhere. */
export interface Tried {
  readonly found?: Found;
  readonly reasons: readonly string[];
}

/** Tries the ways in their order and takes the first that leads to a server. */
export async function firstThatOpens(ways: readonly Way[], say: (line: string) => void): Promise<Tried> {
  const reasons: string[] = [];
  for (const way of ways) {
    try {
      return { found: await way.open(), reasons };
    } catch (error) {
      const reason = `${way.name}: ${error instanceof Error ? error.message || error.name : String(error)}`;
      reasons.push(reason);
      if (!(error instanceof Unavailable)) say(reason);
      if (way.last) break;
    }
  }
  return { reasons };
}
