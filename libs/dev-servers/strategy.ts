/** Gets a line for people. */
export type Log = (line: string) => void;

/** A server that was found or started. `close` stops it when it was started. */
export interface DevServer {
  readonly url: string;
  /** For people: what it is and where it comes from, without its password. */
  readonly describe: string;
  close(): Promise<void>;
}

/** One way to find or start a server. */
export interface Strategy {
  readonly name: string;
  /** @throws Unavailable when this machine does not offer it */
  start(): Promise<DevServer>;
}

/** A strategy that this machine does not offer. The next one is tried after any error; other errors are also logged. */
export class Unavailable extends Error {
  override name = 'Unavailable';
}

/** The server, unless all strategies failed, and why each one before it failed. */
export interface StartResult {
  readonly server?: DevServer;
  readonly failures: readonly string[];
}

/** Tries the strategies in order until one succeeds. */
export async function startFirstAvailable(strategies: readonly Strategy[], log: Log): Promise<StartResult> {
  const failures: string[] = [];
  for (const strategy of strategies) {
    try {
      return { server: await strategy.start(), failures };
    } catch (error) {
      const failure = `${strategy.name}: ${errorMessage(error)}`;
      failures.push(failure);
      if (!(error instanceof Unavailable)) log(failure);
    }
  }
  return { failures };
}

/** The message of an error. An AggregateError without one (a connection refused at two addresses) gets those of its parts. */
export function errorMessage(error: unknown): string {
  if (error instanceof AggregateError && !error.message) return error.errors.map(errorMessage).join(', ');
  return error instanceof Error ? error.message || error.name : String(error);
}
