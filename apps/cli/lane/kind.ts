import type { LaneConfig } from './config.ts';
import type { Found } from './way.ts';

export type Say = (line: string) => void;

/** One kind of server, and how to come by it. Each of the three opening functions throws `Unavailable` where it leads nowhere. */
export interface Kind {
  readonly name: string;
  /** The variable its address may be given in. */
  readonly variable: string;
  /** The Debian package that brings it. */
  readonly debian: string;
  /** The given address, out of the configuration. */
  given(config: LaneConfig): string | undefined;
  /** Uses the server at this address. */
  at(url: string): Promise<Found>;
  /** Starts it in Docker; with `keep`, on data in that folder. */
  inDocker(config: LaneConfig, keep: string | undefined, say: Say): Promise<Found>;
  /** Starts the one that is installed here, privately; with `keep`, on data in that folder. */
  installed(config: LaneConfig, keep: string | undefined, say: Say): Promise<Found>;
}
