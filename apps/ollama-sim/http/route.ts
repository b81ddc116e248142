import type { Exchange } from './exchange.ts';

/** What answers one method on one path. */
export interface Route {
  /** Faults for inference strike here. */
  readonly inference?: boolean;
  /** How this API writes an error; otherwise `{"error": text}`. */
  readonly error?: (error: Error, status: number) => unknown;
  run(exchange: Exchange): void | Promise<void>;
}

/** The routes of a path by method. */
export type Routes = Readonly<Record<string, Readonly<Record<string, Route>>>>;
