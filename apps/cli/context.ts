import type { CliConfig } from './config.ts';

/** The exit code of a command; nothing is 0. */
type Ending = number | void;

/** What the commands share. */
export interface CommandContext {
  readonly config: CliConfig;
  /** Aborts when the user interrupts the command. */
  readonly signal: AbortSignal;
  /** Every command ends here, with its exit code where it is not 0. */
  finish(code: Ending | Promise<Ending>): Promise<void>;
}
