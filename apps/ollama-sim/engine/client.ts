/** The stage of a request; disconnects are counted by it. */
export type Stage = 'reading' | 'queued' | 'loading' | 'waiting' | 'prefill' | 'streaming';

/** The client of a request. Aborted with `RequestCanceled` when it leaves, with an `HttpError` when the runner dies. */
export interface Client {
  readonly signal: AbortSignal;
  abort(reason: Error): void;
  stage: Stage;
}

export const newClient = (): Client => {
  const controller = new AbortController();
  return { signal: controller.signal, abort: (reason) => controller.abort(reason), stage: 'reading' };
};
