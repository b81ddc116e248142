import type { Log } from './server-kind.ts';

/** A server that was had: where it listens, what it is, and how it is let go. */
export interface DevServer {
  readonly url: string;
  /** For people: what it is and where it comes from, without its password. */
  readonly describe: string;
  close(): Promise<void>;
}

/** One way to come by a server. */
export interface Strategy {
  readonly name: string;
  /** Throws `Unavailable` where this way leads nowhere on this machine. */
  open(): Promise<DevServer>;
}

/** Says why a way leads nowhere here. Any other error counts the same, but is also said aloud: somebody may want to mend it. */
export class Unavailable extends Error {
  override name = 'Unavailable';
}

/** What came of trying: a server, and for every way tried before it the reason it led nowhere. */
export interface StartResult {
  readonly found?: DevServer;
  readonly reasons: readonly string[];
}

/** Tries the ways in their order and takes the first that leads to a server. */
export async function startFirstAvailable(ways: readonly Strategy[], say: Log): Promise<StartResult> {
  const reasons: string[] = [];
  for (const way of ways) {
    try {
      return { found: await way.open(), reasons };
    } catch (error) {
      const reason = `${way.name}: ${errorMessage(error)}`;
      reasons.push(reason);
      if (!(error instanceof Unavailable)) say(reason);
    }
  }
  return { reasons };
}

/** The message of an error, also of those that have none of their own (a refused connection to two addresses). */
export function errorMessage(error: unknown): string {
  if (error instanceof AggregateError && !error.message) return error.errors.map(errorMessage).join(', ');
  return error instanceof Error ? error.message || error.name : String(error);
}
