import { connect } from 'node:net';
import type { RandomRequest } from './random-request.ts';

/** What came of a connection. */
export interface Exchanged {
  readonly statuses: readonly number[];
  /** Why it was not dealt with as it must be. */
  readonly wrong?: string;
}

/** Between two parts of what is written slowly, in milliseconds. */
const PAUSE_MS = 20;
/** Everything has an end by then: the doors wait less long for what does not come. */
const PATIENCE_MS = 600_000;

/** Writes a request on a connection of its own and reads what comes back, until the other side has said all of it. */
export function exchange({ port, parts, isWhole }: Pick<RandomRequest, 'port' | 'parts' | 'isWhole'>): Promise<Exchanged> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const end = (wrong?: string): void => {
      clearTimeout(patience);
      socket.destroy();
      const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
      const silent = wrong ?? (isWhole && !statuses.length ? 'it was hung up without an answer' : undefined);
      resolve({ statuses, ...(silent === undefined ? {} : { wrong: silent }) });
    };
    const patience = setTimeout(() => end(`no end came within ${PATIENCE_MS} ms, only ${JSON.stringify(text.slice(0, 200))}`), PATIENCE_MS);
    socket.on('data', (chunk) => {
      if (text.length < 100_000) text += chunk.toString('latin1');
      // A stream goes on for as long as it is read.
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
