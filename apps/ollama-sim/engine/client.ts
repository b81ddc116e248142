import { RequestCanceled } from '../errors.ts';

/** The stage of a request; disconnects are counted by it. */
export type Stage = 'reading' | 'queued' | 'loading' | 'waiting' | 'prefill' | 'streaming';

/** The client of a request. Its signal aborts with `RequestCanceled` when it leaves, with an `HttpError` when the runner dies. */
export interface Client {
  readonly signal: AbortSignal;
  abort(reason: Error): void;
  stage: Stage;
}

export const newClient = (): Client => {
  const controller = new AbortController();
  return { signal: controller.signal, abort: (reason) => controller.abort(reason), stage: 'reading' };
};

/** The reason for which the client was aborted. */
export const abortReason = (client: Client): Error =>
  client.signal.reason instanceof Error ? client.signal.reason : new RequestCanceled();

/** @throws the abort reason, if the client was aborted */
export const throwIfAborted = (client: Client): void => {
  if (client.signal.aborted) throw abortReason(client);
};
