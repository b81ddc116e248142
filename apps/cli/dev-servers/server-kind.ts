import type { DevServersConfig } from './config.ts';
import type { DevServer } from './strategy.ts';

export type Log = (line: string) => void;

/** One kind of server, and how to come by it. Each of the three opening functions throws `Unavailable` where it leads nowhere. */
export interface ServerKind {
  readonly name: string;
  /** The variable its address may be given in. */
  readonly variable: string;
  /** The Debian package that brings it. */
  readonly debian: string;
  /** The given address, out of the configuration. */
  given(config: DevServersConfig): string | undefined;
  /** Uses the server at this address. */
  at(url: string, config: DevServersConfig): Promise<DevServer>;
  /** Starts it in Docker; with `keep`, on data in that folder. */
  inDocker(config: DevServersConfig, keep: string | undefined, say: Log): Promise<DevServer>;
  /** Starts the one that is installed here, privately; with `keep`, on data in that folder. */
  installed(config: DevServersConfig, keep: string | undefined, say: Log): Promise<DevServer>;
}
