import { Ollama } from 'ollama/browser';
import { type RequestInit, Response } from 'undici';
import type { Address } from './address.ts';
import { connectionsTo, textOf } from './connections.ts';
import { answerLines } from './lines.ts';

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
  const connections = connectionsTo(url, stallMs, now);

  const guarded = (signal: AbortSignal): typeof globalThis.fetch => {
    const checked = async (input: string, init: RequestInit): Promise<Response> => {
      const response = await connections.send(input, init, signal);
      const isStream = input.endsWith('/api/chat') && response.body;
      return new Response(isStream ? answerLines(isStream) : await textOf(response));
    };
    return checked as unknown as typeof globalThis.fetch;
  };

  return {
    client: (signal, headers = {}) =>
      new Ollama({ host: url, fetch: guarded(signal), headers: { ...headers, ...(authorization ? { authorization } : {}) } }),
    close: () => connections.close(),
  };
}
