import { connect } from 'node:net';
import type { RandomRequest } from './random-request.ts';

/** The response on a connection. */
export interface RawResponse {
  readonly statuses: readonly number[];
  /** Why the server's behaviour is wrong. */
  readonly wrong?: string;
}

/** Pause between two parts of a slow request. */
const PAUSE_MS = 20;
/** The servers' own timeouts are far shorter. */
const PATIENCE_MS = 600_000;

/** Writes a request on a connection of its own and reads until the server closes it. */
export function exchange({ port, parts, isWhole }: Pick<RandomRequest, 'port' | 'parts' | 'isWhole'>): Promise<RawResponse> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const end = (wrong?: string): void => {
      clearTimeout(patience);
      socket.destroy();
      const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
      const silent = wrong ?? (isWhole && !statuses.length ? 'the server closed the connection without a response' : undefined);
      resolve({ statuses, ...(silent === undefined ? {} : { wrong: silent }) });
    };
    const patience = setTimeout(
      () => end(`the connection was not closed within ${PATIENCE_MS} ms; received ${JSON.stringify(text.slice(0, 200))}`),
      PATIENCE_MS,
    );
    socket.on('data', (chunk) => {
      if (text.length < 100_000) text += chunk.toString('latin1');
      // An event stream never ends.
      if (/content-type: text\/event-stream/i.test(text) && /^(data|event|:)/m.test(text)) end();
    });
    socket.on('error', () => end());
    socket.on('close', () => end());
    socket.on('connect', () => void writeAll());

    async function writeAll(): Promise<void> {
      for (const [i, part] of parts.entries()) {
        if (i) await new Promise((next) => setTimeout(next, PAUSE_MS));
        if (socket.destroyed) return;
        socket.write(Buffer.from(part, 'base64'));
      }
      if (!isWhole) socket.end();
    }
  });
}
