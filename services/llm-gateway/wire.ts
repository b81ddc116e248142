import { Ollama } from 'ollama/browser';
import { fetch, Pool, type RequestInit, Response } from 'undici';
import type { Address } from './address.ts';
import { answerLines } from './lines.ts';
import { ServerSaid } from './fault.ts';

/** The connections to one model server. */
export interface Wire {
  /**
   * A client for one attempt: everything it does ends with `signal`, which also closes its connection, and that is how Ollama learns of it.
   * The package's own `abort` does nothing before the first token.
   */
  client(signal: AbortSignal, headers?: Readonly<Record<string, string>>): Ollama;
  /** Cuts all connections. */
  close(): Promise<void>;
}

const CONNECT_MS = 5_000;
/** Longest answer that is no stream, in bytes. */
const LONGEST_BODY = 8_000_000;
const LONGEST_ERROR = 64_000;

/**
 * Opens nothing until it is needed. There is no limit of time until the headers, for Ollama sends them with the first token, after
 * queueing, loading and prefill: the deadline ends that. Between two pieces of a body at most `stallMs` may pass.
 */
export function wire({ url, authorization }: Address, stallMs: number): Wire {
  const pool = new Pool(new URL(url).origin, { headersTimeout: 0, bodyTimeout: stallMs, connect: { timeout: CONNECT_MS } });

  const guarded = (signal: AbortSignal): typeof globalThis.fetch => {
    const checked = async (input: string, init: RequestInit): Promise<Response> => {
      // A path with a double slash is answered by a redirect that would turn POST into GET.
      const response = await fetch(input, { ...init, signal, dispatcher: pool, redirect: 'manual' });
      if (!response.ok) throw new ServerSaid(response.status, errorIn(await textOf(response, LONGEST_ERROR), response.statusText));
      const isStream = input.endsWith('/api/chat') && response.body;
      return new Response(isStream ? answerLines(isStream) : await textOf(response, LONGEST_BODY));
    };
    return checked as unknown as typeof globalThis.fetch;
  };

  return {
    client: (signal, headers = {}) =>
      new Ollama({ host: url, fetch: guarded(signal), headers: { ...headers, ...(authorization ? { authorization } : {}) } }),
    close: () => pool.destroy(),
  };
}

/** `{"error":"..."}`, in which the text may be an error of llama-server, JSON again. */
function errorIn(text: string, otherwise: string): string {
  let said: unknown = text;
  for (let depth = 0; depth < 4; depth++) {
    if (typeof said === 'string') said = parsed(said);
    if (typeof said !== 'object' || said === null) break;
    const { error, message } = said as { error?: unknown; message?: unknown };
    if (error === undefined && message === undefined) break;
    said = error ?? message;
  }
  return (typeof said === 'string' ? said : JSON.stringify(said)) || otherwise || 'nothing';
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : text;
  } catch {
    return text;
  }
}

async function textOf(response: Response, most: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const bytes of response.body ?? []) {
    size += bytes.length;
    if (size > most) throw new ServerSaid(response.status, `more than ${most} bytes`);
    text += decoder.decode(bytes, { stream: true });
  }
  return text + decoder.decode();
}
