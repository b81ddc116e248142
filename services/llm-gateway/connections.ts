import { fetch, Pool, type RequestInit, type Response } from 'undici';
import { ServerSaid } from './fault.ts';

/** The connections to one model server. */
export interface Connections {
  /**
   * An answer with a status of success; its body is not read yet. It ends with `signal`, which also closes its connection.
   * @throws ServerSaid for any other status; what the network or the signal throws
   */
  send(url: string, init: RequestInit, signal: AbortSignal): Promise<Response>;
  /** Cuts all connections. */
  close(): Promise<void>;
}

const CONNECT_MS = 5_000;
/** Longest answer that is no stream, in bytes. */
export const LONGEST_BODY = 8_000_000;
const LONGEST_ERROR = 64_000;
/** Nobody rests longer because a server said so, in milliseconds. */
const LONGEST_REST_MS = 600_000;

/**
 * Opens nothing until it is needed. There is no limit of time until the headers, for Ollama sends them with the first token, after
 * queueing, loading and prefill: the deadline ends that. Between two pieces of a body at most `stallMs` may pass.
 */
export function connectionsTo(url: string, stallMs: number, now: () => number): Connections {
  const pool = new Pool(new URL(url).origin, { headersTimeout: 0, bodyTimeout: stallMs, connect: { timeout: CONNECT_MS } });
  return {
    async send(to, init, signal) {
      // Followed, a redirect would turn POST into GET, and carry a key to somebody else.
      const response = await fetch(to, { ...init, signal, dispatcher: pool, redirect: 'manual' });
      if (response.ok) return response;
      const said = errorIn(await textOf(response, LONGEST_ERROR)) || response.statusText || 'nothing';
      throw new ServerSaid(response.status, said, restMs(response.headers.get('retry-after'), now()));
    },
    close: () => pool.destroy(),
  };
}

/** How long a Retry-After asks for, in milliseconds: seconds, or a date (RFC 9110, section 10.2.3). Undefined when it says nothing of use. */
export function restMs(retryAfter: string | null, at: number): number | undefined {
  if (retryAfter === null) return undefined;
  const text = retryAfter.trim();
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - at;
  return ms > 0 ? Math.min(Math.ceil(ms), LONGEST_REST_MS) : undefined;
}

/** The text of an error: `{"error":"..."}` or `{"error":{"message":"..."}}`, in which the text may be an error of llama-server, JSON again. */
export function errorIn(given: unknown): string {
  let said = given;
  for (let depth = 0; depth < 4; depth++) {
    if (typeof said === 'string') said = parsed(said);
    if (typeof said !== 'object' || said === null) break;
    const { error, message } = said as { error?: unknown; message?: unknown };
    if (error === undefined && message === undefined) break;
    said = error ?? message;
  }
  return typeof said === 'string' ? said : (JSON.stringify(said) ?? '');
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : text;
  } catch {
    return text;
  }
}

/** The whole of a body. @throws ServerSaid when it has more bytes than `most` */
export async function textOf(response: Response, most = LONGEST_BODY): Promise<string> {
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
