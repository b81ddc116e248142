import { RequestCanceled } from '../errors.ts';

/** How far a request has come; closes are counted by it. */
export type Stage = 'reading' | 'queued' | 'loading' | 'waiting' | 'prefill' | 'streaming';

/** The one who asks. The signal aborts with `Gone` when the client leaves and with a `Failure` when the runner dies under it. */
export interface Client {
  readonly signal: AbortSignal;
  abort(reason: Error): void;
  stage: Stage;
}

export const newClient = (): Client => {
  const controller = new AbortController();
  return { signal: controller.signal, abort: (reason) => controller.abort(reason), stage: 'reading' };
};

/** Why the caller was stopped. */
export const abortReason = (client: Client): Error =>
  client.signal.reason instanceof Error ? client.signal.reason : new RequestCanceled();

/** Throws why the caller was stopped, if it was. */
export const throwIfAborted = (client: Client): void => {
  if (client.signal.aborted) throw abortReason(client);
};
