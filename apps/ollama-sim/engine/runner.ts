import type { Client } from './client.ts';
import type { Model } from './model-spec.ts';
import type { ModelOptions } from './model-options.ts';
import type { Slots } from './slots.ts';

/** A model that is loading, loaded or unloading. */
export interface Runner {
  readonly model: Model;
  /** Requests with the same key can share the runner. */
  readonly key: string;
  readonly numCtx: number;
  readonly slots: Slots;
  /** Clients that run or wait for a slot. */
  readonly clients: Set<Client>;
  state: 'loading' | 'loaded' | 'unloading' | 'gone';
  /** The number of uses that have not ended. */
  uses: number;
  /** How long it stays after its last use; Infinity: for ever. */
  keepAliveMs: number;
  /** On the clock; valid while idle. */
  expiresAt: number;
  /** Runs while it is idle or unloading. */
  timer: AbortController | undefined;
  /** Work that goes on after its client left. */
  readonly lingering: Set<AbortController>;
}

/** The context of a request: its own or the server's, capped at the model's. */
export const contextFor = (model: Model, options: ModelOptions, serverNumCtx: number): number =>
  Math.min(options.numCtx ?? serverNumCtx, model.contextLength);

export const loadKey = (model: Model, options: ModelOptions, shift: boolean, serverNumCtx: number): string =>
  JSON.stringify({ numCtx: contextFor(model, options, serverNumCtx), shift, ...options.atLoad });

/** The runner to evict: idle before busy, then the shortest keep-alive. */
export const chooseEviction = (runners: Iterable<Runner>): Runner | undefined => {
  const byStay = [...runners].toSorted((a, b) => (a.keepAliveMs === b.keepAliveMs ? 0 : a.keepAliveMs - b.keepAliveMs));
  return byStay.find((runner) => runner.uses === 0) ?? byStay[0];
};
