import { RequestCanceled } from '../errors.ts';
import type { Exchange } from './exchange.ts';

/** Drops zero, empty and missing entries, as Go's `omitempty` does. */
export const omitEmpty = (entries: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => Boolean(value) && !(Array.isArray(value) && value.length === 0)));

/** Converts milliseconds to whole nanoseconds. */
export const nanoseconds = (ms: number): number => Math.max(0, Math.round(ms * 1e6));

export const sendText = ({ response }: Exchange, status: number, text: string, type = 'text/plain'): void => {
  response.removeHeader('Connection');
  response.statusCode = status;
  if (text !== '') response.setHeader('Content-Type', type);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
};

export const sendJson = (exchange: Exchange, status: number, value: unknown): void =>
  sendText(exchange, status, JSON.stringify(value), 'application/json; charset=utf-8');

/** Writes with backpressure; resolves at once when the client has left. */
export const write = async ({ response }: Exchange, text: string): Promise<void> => {
  if (response.destroyed || response.write(text)) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
};

/** Flushes, then resets the connection, or closes it in the middle of the response. */
export const cut = async (exchange: Exchange, how: 'resetAndDestroy' | 'destroy'): Promise<never> => {
  await new Promise((resolve) => setImmediate(resolve));
  exchange.wasCut = true;
  exchange.request.socket[how]();
  throw new RequestCanceled();
};
