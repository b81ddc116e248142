import type { CliConfig } from './config.ts';

/** What the commands share. */
export interface CommandContext {
  readonly config: CliConfig;
  /** Aborts when the user interrupts the command. */
  readonly signal: AbortSignal;
  /** Every command passes on its exit code here. */
  finish(code: number | Promise<number>): Promise<void>;
}
