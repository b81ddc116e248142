import type { Dispatcher } from 'undici';

/** Reads a body piece by piece. */
export interface BodyReader {
  /** Whether everything has come and was read. */
  readonly isComplete: boolean;
  /** @throws what the network or the signal throws */
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  /** Closes the connection, unless everything was read. */
  cancel(): Promise<void>;
}

interface ResponseHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Bytes that may wait to be read; with more the connection is not read from. */
const MAX_UNREAD = 65_536;

/**
 * Takes the response of one request from undici. Its own streams cost as much as the rest of a request. Aborting `signal` closes the connection, or
 * takes the request out of the queue for one.
 */
export class ResponseReader implements Dispatcher.DispatchHandler, BodyReader {
  readonly #head = Promise.withResolvers<ResponseHead>();
  readonly #signal: AbortSignal;
  readonly #unread: Buffer[] = [];
  #unreadBytes = 0;
  #controller: Dispatcher.DispatchController | undefined;
  #failure: unknown;
  #hasEnded = false;
  #wake = (): void => undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    if (signal.aborted) this.#fail(signal.reason);
    else signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** @throws what the network or the signal throws */
  head(): Promise<ResponseHead> {
    return this.#head.promise;
  }

  async read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }> {
    for (;;) {
      const value = this.#unread.shift();
      if (value) {
        this.#unreadBytes -= value.length;
        if (this.#unreadBytes === 0 && this.#controller?.paused) this.#controller.resume();
        return { done: false, value };
      }
      if (this.#failure !== undefined) throw this.#failure as Error;
      if (this.#hasEnded) return { done: true };
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  get isComplete(): boolean {
    return this.#hasEnded && this.#unread.length === 0;
  }

  async cancel(): Promise<void> {
    if (!this.#hasEnded) this.#controller?.abort(new Error('the rest of the response is not wanted'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#failure !== undefined) controller.abort(this.#failure as Error);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: ResponseHead['headers']): void {
    if (status >= 200) this.#head.resolve({ status, headers });
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    this.#unread.push(piece);
    this.#unreadBytes += piece.length;
    if (this.#unreadBytes > MAX_UNREAD) controller.pause();
    this.#wake();
  }

  onResponseEnd(): void {
    this.#hasEnded = true;
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#wake();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }

  readonly #onAbort = (): void => {
    this.#fail(this.#signal.reason);
    this.#controller?.abort(this.#failure as Error);
  };

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#head.reject(this.#failure);
    this.#wake();
  }
}
