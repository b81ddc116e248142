import type { Exchange } from './exchange.ts';
import { cut, write } from './reply.ts';

/** The wire format of a stream. */
export interface Framing {
  readonly contentType: string;
  readonly frame: (json: string) => string;
  /** The last object without its end mark; undefined: it is left out. */
  readonly unfinished: (value: JsonObject) => unknown;
  /** An error in the middle of the stream. */
  readonly error: (error: Error) => unknown;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** A stream of JSON objects. Headers are sent with the first. */
export const openJsonStream = (exchange: Exchange, framing: Framing) => {
  const { response, fault } = exchange;
  const frame = (value: unknown): string => framing.frame(JSON.stringify(value));
  let hasStruck = false;
  const begin = (): void => {
    if (response.headersSent) return;
    response.removeHeader('Connection');
    response.writeHead(200, { 'Content-Type': framing.contentType });
    exchange.failStream = async (error) => {
      await write(exchange, frame(framing.error(error)));
      response.end();
    };
  };
  const put = (text: string): Promise<void> => {
    begin();
    return write(exchange, text);
  };
  /** Injects the faults in the middle, once: before the second line, or before the last if that is the first. */
  const strike = async (text: string): Promise<void> => {
    if (hasStruck) return;
    hasStruck = true;
    if (fault?.name === 'reset-mid-stream') {
      begin();
      await cut(exchange, 'resetAndDestroy');
    }
    if (fault?.name === 'half-line') {
      await put(text.slice(0, text.length / 2));
      await cut(exchange, 'destroy');
    }
    if (fault?.name === 'invalid-json-line') await put(framing.frame('{"model":"simulated","created_at":}'));
  };

  return {
    write: async (value: JsonObject): Promise<void> => {
      if (response.headersSent) await strike(frame(value));
      await put(frame(value));
    },
    /** Writes the last object unless the generation ended without one (`done` false). Resolves to whether it was written whole. */
    last: async (value: JsonObject, done: boolean): Promise<boolean> => {
      await strike(frame(value));
      begin();
      const whole = done && fault?.name !== 'end-without-done' && fault?.name !== 'done-false';
      const open = fault?.name === 'done-false' ? framing.unfinished(value) : undefined;
      if (whole) await put(frame(value));
      else if (open !== undefined) await put(frame(open));
      exchange.client.signal.throwIfAborted();
      return whole;
    },
  };
};

/** Newline-delimited JSON: the native API. */
export const NDJSON: Framing = {
  contentType: 'application/x-ndjson',
  frame: (json) => `${json}\n`,
  unfinished: ({ model, created_at, message }) => ({ model, created_at, message, done: false }),
  error: (error) => ({ error: error.message }),
};
