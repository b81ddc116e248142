import type { Client } from './client.ts';
import type { Model } from './model.ts';
import type { ModelOptions } from './model-options.ts';
import type { Slots } from './slots.ts';

/** One model in memory, or on its way there or out. */
export interface Runner {
  readonly model: Model;
  /** Two requests whose keys are equal can share a load. */
  readonly key: string;
  readonly numCtx: number;
  readonly slots: Slots;
  /** Who uses it now, waiting for a slot or running. */
  readonly clients: Set<Client>;
  state: 'loading' | 'loaded' | 'unloading' | 'gone';
  /** Uses that have not ended. */
  uses: number;
  /** Stays this long after its last use; Infinity is for ever. */
  keepAliveMs: number;
  /** On the clock, when it is idle. */
  expiresAt: number;
  /** Runs while it is idle, or being unloaded. */
  timer: AbortController | undefined;
  /** Work that goes on although its client has left. */
  readonly lingering: Set<AbortController>;
}

/** The context a request gets: what it asks for or the server's own, never more than the model was trained for. */
export const contextFor = (model: Model, options: ModelOptions, serverNumCtx: number): number =>
  Math.min(options.numCtx ?? serverNumCtx, model.contextLength);

export const loadKey = (model: Model, options: ModelOptions, shift: boolean, serverNumCtx: number): string =>
  JSON.stringify({ numCtx: contextFor(model, options, serverNumCtx), shift, ...options.atLoad });

/** Which one goes when there is no room: an idle one before a busy one, then the shortest keep-alive. */
export const chooseEviction = (runners: Iterable<Runner>): Runner | undefined => {
  const byStay = [...runners].toSorted((a, b) => (a.keepAliveMs === b.keepAliveMs ? 0 : a.keepAliveMs - b.keepAliveMs));
  return byStay.find((runner) => runner.uses === 0) ?? byStay[0];
};
