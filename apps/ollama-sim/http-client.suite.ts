import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

/** What came back. */
export interface Seen {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The answer ended as HTTP says it must. */
  readonly complete: boolean;
}

/** A request under way, for tests that look at the wire. */
export interface Probe {
  readonly request: ClientRequest;
  /** Resolves with the headers; rejects when the connection fails before. */
  readonly response: Promise<IncomingMessage>;
  /** What of the body has come so far. */
  body(): string;
  readonly seen: Promise<Seen>;
  /** Leaves: closes the connection. */
  leave(): void;
}

export interface Sending {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request on a connection of its own; `body` goes as JSON, a string as it is. */
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

/** Waits until a fact is there. Throws, naming it, when it does not come. */
export const until = async (what: string, fact: () => boolean | Promise<boolean>): Promise<void> => {
  const deadline = Date.now() + DEADLINE_MS;
  while (!(await fact())) {
    if (Date.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
};

/** The objects of a stream. */
export const linesOf = (text: string): readonly Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const value: Record<string, unknown> = JSON.parse(line);
      return value;
    });
