import { Ollama } from 'ollama/browser';
import type { Address } from '../address.ts';
import { connectionsTo, type Sent, textOf } from './connections.ts';
import { answerLines } from './ndjson.ts';
import { secret } from './secret.ts';

/** The connections to one Ollama server. */
export interface Wire {
  /**
   * A client for one attempt: everything it does ends with `signal`, which also closes its connection, and that is how Ollama learns of it.
   * The package's own `abort` does nothing before the first token.
   */
  client(signal: AbortSignal, headers?: Readonly<Record<string, string>>): Ollama;
  /** Cuts all connections. */
  close(): Promise<void>;
}

/** Opens nothing until it is needed. */
export function wire({ url, authorization }: Address, stallMs: number, now: () => number): Wire {
  const { without } = secret({ authorization });
  const connections = connectionsTo(url, stallMs, now, without);

  const guarded = (signal: AbortSignal): typeof globalThis.fetch => {
    // Of a response the package reads no more than this.
    const checked = async (input: string, sent: Sent): Promise<Pick<globalThis.Response, 'ok' | 'json'> | { ok: true; body: object }> => {
      const received = await connections.send(input, sent, signal);
      if (input.endsWith('/api/chat')) return { ok: true, body: { getReader: () => answerLines(received.body, without) } };
      const text = await textOf(received);
      return { ok: true, json: async () => JSON.parse(text) as unknown };
    };
    return checked as unknown as typeof globalThis.fetch;
  };

  return {
    client: (signal, headers = {}) =>
      new Ollama({ host: url, fetch: guarded(signal), headers: { ...headers, ...(authorization ? { authorization } : {}) } }),
    close: () => connections.close(),
  };
}
