import { RequestCanceled } from '../errors.ts';
import type { Exchange } from './exchange.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** JSON as Go writes it: escaped for HTML. */
export const goJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (symbol) => ESCAPES[symbol] ?? symbol);

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
  sendText(exchange, status, goJson(value), 'application/json; charset=utf-8');

/** Sends an inference response in one piece, or what a fault makes of it. `unfinished`: the response with `done: false`. */
export const sendWhole = async (exchange: Exchange, value: unknown, unfinished: unknown, done: boolean): Promise<void> => {
  const text = goJson(value);
  const fault = exchange.fault?.name;
  if (fault === 'reset-mid-stream' || fault === 'half-line') {
    await sendHalf(exchange, text);
    return fault === 'half-line' ? hangUp(exchange) : reset(exchange);
  }
  if (fault === 'invalid-json-line') return sendText(exchange, 200, text.slice(0, -5), 'application/json; charset=utf-8');
  if (fault === 'slow-drip') return drip(exchange, text);
  const open = !done || fault === 'end-without-done' || fault === 'done-false';
  sendJson(exchange, 200, open ? unfinished : value);
};

const sendHalf = async (exchange: Exchange, text: string): Promise<void> => {
  exchange.response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(text) });
  await write(exchange, text.slice(0, text.length / 2));
};

const DRIP_PARTS = 8;

const drip = async (exchange: Exchange, text: string): Promise<void> => {
  const { response, server, fault, client } = exchange;
  response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' });
  const size = Math.ceil(text.length / DRIP_PARTS);
  for (let at = 0; at < text.length && !client.signal.aborted; at += size) {
    await server.engine.clock.wait(fault?.ms ?? 250, client.signal);
    await write(exchange, text.slice(at, at + size));
  }
  response.end();
};

/** Writes with backpressure; resolves at once when the client has left. */
export const write = ({ response }: Exchange, text: string): Promise<void> => {
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.once('close', done);
    if (response.write(text)) done();
    else response.once('drain', done);
  });
};

/** Flushes, then resets the connection. */
export const reset = async (exchange: Exchange): Promise<never> => {
  await new Promise((resolve) => setImmediate(resolve));
  exchange.wasCut = true;
  exchange.request.socket.resetAndDestroy();
  throw new RequestCanceled();
};

/** Flushes, then closes the connection in the middle of the response. */
export const hangUp = async (exchange: Exchange): Promise<never> => {
  await new Promise((resolve) => setImmediate(resolve));
  exchange.wasCut = true;
  exchange.request.socket.destroy();
  throw new RequestCanceled();
};
