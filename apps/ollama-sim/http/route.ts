import type { Exchange } from './exchange.ts';

/** The handler of one method on one path. */
export interface Route {
  /** Gets the faults meant for inference. */
  readonly inference?: boolean;
  /** Formats an error; by default `{"error": text}`. */
  readonly error?: (error: Error, status: number) => unknown;
  run(exchange: Exchange): void | Promise<void>;
}

/** The routes of a path by method. */
export type Routes = Readonly<Record<string, Readonly<Record<string, Route>>>>;
