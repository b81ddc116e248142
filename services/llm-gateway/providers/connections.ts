import { STATUS_CODES } from 'node:http';
import { Pool } from 'undici';
import { InvalidAnswer, ServerError } from './errors.ts';
import { type BodyReader, ResponseReader } from './response-reader.ts';

export interface OutgoingRequest {
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | null;
}

export interface IncomingResponse {
  readonly status: number;
  header(name: string): string | undefined;
  readonly body: BodyReader;
}

const CONNECT_MS = 5_000;
/** Bytes of a response that is not a stream. */
const MAX_BODY = 8_000_000;
const MAX_ERROR_BODY = 64_000;
const MAX_REST_MS = 600_000;

/**
 * The connections to one model server. Connects when it is first used. There is no timeout for the headers: Ollama sends them with the first token, after queueing, loading and
 * prefill, so the deadline ends that. A body stalls when nothing comes for `stallMs`.
 * @param redact removes our secrets from error texts, which may quote them, before the texts are cut
 */
export function connectTo(url: string, stallMs: number, now: () => number, redact: (text: string) => string) {
  const { origin } = new URL(url);
  const pool = new Pool(origin, { headersTimeout: 0, bodyTimeout: stallMs, connect: { timeout: CONNECT_MS } });
  return {
    /**
     * Resolves with the head of a successful response. Aborting `signal` closes the connection. Redirects are not followed: one would turn POST
     * into GET, and send a key to another host.
     * @throws ServerError for any other status; what the network or the signal throws
     */
    async send(
      to: string,
      { method = 'GET', headers = {}, body: text = null }: OutgoingRequest,
      signal: AbortSignal,
    ): Promise<IncomingResponse> {
      const path = to.startsWith(`${origin}/`) ? to.slice(origin.length) : pathOf(to);
      const body = new ResponseReader(signal);
      pool.dispatch({ path, method: method as 'GET', headers: { ...headers }, body: text }, body);
      const { status, headers: head } = await body.head();
      const header = (name: string): string | undefined => [head[name] ?? []].flat()[0];
      const response = { status, header, body };
      if (status >= 200 && status < 300) return response;
      const message = errorText(await readText(response, MAX_ERROR_BODY)) || STATUS_CODES[status] || 'nothing';
      throw new ServerError(status, redact(message), retryAfterMs(header('retry-after') ?? null, now()));
    },
    /** Cuts all connections. */
    close: (): Promise<void> => pool.destroy(),
  };
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** Reads a Retry-After header: seconds, or a date (RFC 9110, section 10.2.3). Milliseconds, at most ten minutes; undefined: nothing usable. */
export function retryAfterMs(header: string | null, at: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - at;
  return ms > 0 ? Math.min(Math.ceil(ms), MAX_REST_MS) : undefined;
}

/** The text of `{"error":"..."}` or `{"error":{"message":"..."}}`, in which the text may be JSON again, an error of llama-server. */
export function errorText(given: unknown): string {
  let value = given;
  for (let depth = 0; depth < 4; depth++) {
    if (typeof value === 'string') value = parseObject(value);
    if (typeof value !== 'object' || value === null) break;
    const { error, message } = value as { error?: unknown; message?: unknown };
    if (error === undefined && message === undefined) break;
    value = error ?? message;
  }
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function parseObject(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : text;
  } catch {
    return text;
  }
}

/** Reads a whole body. @throws InvalidAnswer, or ServerError for an error response, when it is larger than `max` bytes */
export async function readText({ status, body }: IncomingResponse, max = MAX_BODY): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (let piece = await body.read(); !piece.done; piece = await body.read()) {
    size += piece.value!.length;
    if (size > max) {
      await body.cancel();
      const message = `it has more than ${max} bytes`;
      // Many long vectors may be too large without any fault of the server.
      throw status < 300 ? new InvalidAnswer(message) : new ServerError(status, message);
    }
    text += decoder.decode(piece.value, { stream: true });
  }
  return text + decoder.decode();
}

const DRAIN_MS = 1_000;

/** Reads the rest of a complete answer, for a while, so that the connection can be reused. Never rejects. */
export async function drain(body: BodyReader): Promise<void> {
  if (body.isComplete) return;
  const timer = setTimeout(() => void body.cancel().catch(() => undefined), DRAIN_MS);
  try {
    while (!(await body.read()).done);
  } catch {
    // How the connection ends no longer matters.
  } finally {
    clearTimeout(timer);
  }
}
