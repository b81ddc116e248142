import { Ollama } from 'ollama/browser';
import type { ServerAddress } from '../address.ts';
import { connectTo, type OutgoingRequest, readText } from './connections.ts';
import { checkedLines } from './ndjson.ts';
import { serverSecret } from './secret.ts';

/** The connections to one Ollama server. */
export interface OllamaConnections {
  /** A client for one call. Aborting `signal` closes its connection; the package's own `abort` does nothing before the first token. */
  client(signal: AbortSignal, headers?: Readonly<Record<string, string>>): Ollama;
  /** Cuts all connections. */
  close(): Promise<void>;
}

/** Connects when it is first used. */
export function ollamaConnections({ url, authorization }: ServerAddress, stallMs: number, now: () => number): OllamaConnections {
  const { redact } = serverSecret({ authorization });
  const connections = connectTo(url, stallMs, now, redact);

  const fetchFor = (signal: AbortSignal): typeof globalThis.fetch => {
    // The package uses no more than this of a response.
    const fetch = async (
      input: string,
      request: OutgoingRequest,
    ): Promise<Pick<globalThis.Response, 'ok' | 'json'> | { ok: true; body: object }> => {
      const response = await connections.send(input, request, signal);
      if (input.endsWith('/api/chat')) return { ok: true, body: { getReader: () => checkedLines(response.body, redact) } };
      const text = await readText(response);
      return { ok: true, json: async () => JSON.parse(text) as unknown };
    };
    return fetch as unknown as typeof globalThis.fetch;
  };

  return {
    client: (signal, headers = {}) =>
      new Ollama({ host: url, fetch: fetchFor(signal), headers: { ...headers, ...(authorization ? { authorization } : {}) } }),
    close: () => connections.close(),
  };
}
