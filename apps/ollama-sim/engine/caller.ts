import { Gone } from '../errors.ts';

/** How far a request has come; closes are counted by it. */
export type Stage = 'reading' | 'queued' | 'loading' | 'waiting' | 'prefill' | 'streaming';

/** The one who asks. The signal aborts with `Gone` when the client leaves and with a `Failure` when the runner dies under it. */
export interface Caller {
  readonly signal: AbortSignal;
  abort(reason: Error): void;
  stage: Stage;
}

export const newCaller = (): Caller => {
  const controller = new AbortController();
  return { signal: controller.signal, abort: (reason) => controller.abort(reason), stage: 'reading' };
};

/** Why the caller was stopped. */
export const reasonOf = (caller: Caller): Error => (caller.signal.reason instanceof Error ? caller.signal.reason : new Gone());

/** Throws why the caller was stopped, if it was. */
export const stillThere = (caller: Caller): void => {
  if (caller.signal.aborted) throw reasonOf(caller);
};
