import type { Exchange } from './exchange.ts';
import { goJson, hangUp, reset, write } from './reply.ts';

/** The wire format of a stream. */
export interface Framing {
  readonly contentType: string;
  readonly frame: (json: string) => string;
  /** The last object without its end mark; undefined: it is left out. */
  readonly unfinished: (value: Readonly<Record<string, unknown>>) => unknown;
  /** An error in the middle of the stream. */
  readonly error: (error: Error) => unknown;
}

/** A stream of JSON objects. Headers are sent with the first. */
interface JsonStream {
  write(value: Readonly<Record<string, unknown>>): Promise<void>;
  /** Writes the last object unless the generation ended without one (`done` false). Resolves to whether it was written whole. */
  last(value: Readonly<Record<string, unknown>>, done: boolean): Promise<boolean>;
}

export const openJsonStream = (exchange: Exchange, framing: Framing): JsonStream => {
  const { response, fault } = exchange;
  let written = 0;
  const begin = (): void => {
    if (response.headersSent) return;
    response.removeHeader('Connection');
    response.writeHead(200, { 'Content-Type': framing.contentType });
    exchange.failStream = async (error) => {
      await write(exchange, framing.frame(goJson(framing.error(error))));
      response.end();
    };
  };
  const put = async (text: string): Promise<void> => {
    begin();
    written++;
    await write(exchange, text);
  };
  /** Injects the faults in the middle: before the second line, or before the last if that is the first. */
  const midway = async (text: string): Promise<void> => {
    if (fault?.name === 'reset-mid-stream') {
      begin();
      await reset(exchange);
    }
    if (fault?.name === 'half-line') {
      await put(text.slice(0, text.length / 2));
      await hangUp(exchange);
    }
    if (fault?.name === 'invalid-json-line') await put(framing.frame('{"model":"simulated","created_at":}'));
  };
  let struck = false;
  const strike = async (text: string): Promise<void> => {
    if (struck) return;
    struck = true;
    await midway(text);
  };

  return {
    write: async (value) => {
      const text = framing.frame(goJson(value));
      if (written > 0) await strike(text);
      await put(text);
    },
    last: async (value, done) => {
      const text = framing.frame(goJson(value));
      await strike(text);
      begin();
      const whole = done && fault?.name !== 'end-without-done' && fault?.name !== 'done-false';
      const open = fault?.name === 'done-false' ? framing.unfinished(value) : undefined;
      if (whole) await put(text);
      else if (open !== undefined) await put(framing.frame(goJson(open)));
      exchange.client.signal.throwIfAborted();
      return whole;
    },
  };
};

/** Newline-delimited JSON: the native API. */
export const NDJSON: Framing = {
  contentType: 'application/x-ndjson',
  frame: (json) => `${json}\n`,
  unfinished: ({ model, created_at, message, response }) => ({ model, created_at, message, response, done: false }),
  error: (error) => ({ error: error.message }),
};
