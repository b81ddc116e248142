import type { DevServersConfig } from './config.ts';
import type { DevServer, Log } from './strategy.ts';

/** A kind of server, and the ways to start one. They throw `Unavailable` where this machine does not offer them. */
export interface ServerKind {
  readonly name: string;
  /** The environment variable with its address. */
  readonly variable: string;
  /** The Debian package with its programs. */
  readonly debianPackage: string;
  /** The configured address. */
  configuredUrl(config: DevServersConfig): string | undefined;
  /** Connects to the server at this address. */
  useUrl(url: string, config: DevServersConfig): Promise<DevServer>;
  /** Starts it in Docker. Without `dataFolder` its data is temporary. */
  startInDocker(config: DevServersConfig, dataFolder: string | undefined, log: Log): Promise<DevServer>;
  /** Starts a private one from the programs on this machine. Without `dataFolder` its data is temporary. */
  startInstalled(config: DevServersConfig, dataFolder: string | undefined, log: Log): Promise<DevServer>;
}
