import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

/** A response. */
export interface Seen {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body was complete. */
  readonly complete: boolean;
}

/** A request in flight. */
export interface Probe {
  readonly request: ClientRequest;
  /** Resolves with the headers; rejects when the connection fails before. */
  readonly response: Promise<IncomingMessage>;
  /** The part of the body received so far. */
  body(): string;
  readonly seen: Promise<Seen>;
  /** Closes the connection. */
  leave(): void;
}

export interface Sending {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request on its own connection; `body` is sent as JSON, a string as it is. */
export const probe = (url: string, path: string, body?: unknown, { method, headers }: Sending = {}): Probe => {
  const { hostname, port } = new URL(url);
  const sent = request({
    hostname,
    port,
    path,
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { ...headers },
    agent: false,
  });
  let text = '';
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve);
    sent.once('error', reject);
  });
  const read = async (): Promise<Seen> => {
    const incoming = await response;
    incoming.setEncoding('utf8');
    incoming.on('data', (part: string) => {
      text += part;
    });
    await new Promise((resolve) => {
      incoming.once('close', resolve);
      incoming.on('error', () => undefined);
    });
    return { status: incoming.statusCode ?? 0, headers: incoming.headers, text, complete: incoming.complete };
  };
  const seen = read();
  response.catch(() => undefined);
  seen.catch(() => undefined);
  sent.on('error', () => undefined);
  sent.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
  return { request: sent, response, body: () => text, seen, leave: () => void sent.destroy() };
};

/** Sends a request and reads the whole answer. */
export const ask = (url: string, path: string, body?: unknown, sending?: Sending): Promise<Seen> => probe(url, path, body, sending).seen;

const DEADLINE_MS = 10_000;

/** Polls until a condition holds. @throws Error naming it after 10 s */
export const until = async (what: string, fact: () => boolean | Promise<boolean>): Promise<void> => {
  const deadline = Date.now() + DEADLINE_MS;
  while (!(await fact())) {
    if (Date.now() > deadline) throw new Error(`timed out waiting until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
};

/** Parses newline-delimited JSON. */
export const linesOf = (text: string): readonly Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const value: Record<string, unknown> = JSON.parse(line);
      return value;
    });
