import { STATUS_CODES } from 'node:http';
import type { Readable } from 'node:stream';
import { Pool } from 'undici';
import { InvalidAnswer, ServerSaid } from './fault.ts';

/** What is sent to a server. */
export interface Sent {
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
}

/** A body as it comes; only what reading one takes, for streams of the web cost as much as the rest of a request. */
export interface Body {
  /** @throws what the network or the signal throws */
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  /** Closes the connection, unless all was read. */
  cancel(): Promise<void>;
}

/** An answer of which only the head has come. */
export interface Received {
  readonly status: number;
  header(name: string): string | undefined;
  readonly body: Body;
}

/** The connections to one model server. */
export interface Connections {
  /**
   * An answer with a status of success; its body is not read yet. It ends with `signal`, which also closes its connection.
   * @throws ServerSaid for any other status; what the network or the signal throws
   */
  send(url: string, sent: Sent, signal: AbortSignal): Promise<Received>;
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
 * @param without takes secrets of ours out of the texts of errors, which may quote them, before anything is cut off there
 */
export function connectionsTo(url: string, stallMs: number, now: () => number, without: (text: string) => string): Connections {
  const pool = new Pool(new URL(url).origin, { headersTimeout: 0, bodyTimeout: stallMs, connect: { timeout: CONNECT_MS } });
  return {
    // No redirect is followed: it would turn POST into GET, and carry a key to somebody else.
    async send(to, { method = 'GET', headers = {}, body: text = null }, signal) {
      const { pathname, search } = new URL(to);
      const asked = { path: pathname + search, method: method as 'GET', headers: { ...headers }, body: text, signal };
      const { statusCode: status, headers: head, body } = await pool.request(asked);
      const header = (name: string): string | undefined => [head[name] ?? []].flat()[0];
      const received = { status, header, body: bodyOf(body) };
      if (status >= 200 && status < 300) return received;
      const said = errorIn(await textOf(received, LONGEST_ERROR)) || STATUS_CODES[status] || 'nothing';
      throw new ServerSaid(status, without(said), restMs(header('retry-after') ?? null, now()));
    },
    close: () => pool.destroy(),
  };
}

/** The pieces of a body one by one; as an async iterator of it, which costs several times as much. */
function bodyOf(pieces: Readable): Body {
  let failure: Error | undefined;
  let wake = (): void => undefined;
  pieces.once('error', (error) => (failure = error));
  for (const event of ['readable', 'end', 'close']) pieces.on(event, () => wake());
  return {
    async read() {
      for (;;) {
        const value = pieces.read() as Uint8Array | null;
        if (value !== null) return { done: false, value };
        if (failure) throw failure;
        if (pieces.readableEnded) return { done: true };
        if (pieces.closed) throw new Error('the answer was left unread');
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    cancel: async () => void pieces.destroy(),
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

/** The whole of a body. @throws InvalidAnswer, or ServerSaid where it is that of an error, when it has more bytes than `most` */
export async function textOf({ status, body }: Received, most = LONGEST_BODY): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (let piece = await body.read(); !piece.done; piece = await body.read()) {
    size += piece.value!.length;
    if (size > most) {
      await body.cancel();
      const said = `it has more than ${most} bytes`;
      // Many long vectors may be too long without any fault of the server.
      throw status < 300 ? new InvalidAnswer(said) : new ServerSaid(status, said);
    }
    text += decoder.decode(piece.value, { stream: true });
  }
  return text + decoder.decode();
}
