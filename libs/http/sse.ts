import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** A client does not read what is sent to it. */
export class SlowReader extends Error {
  override readonly name = 'SlowReader';
}

/**
 * Writes to one client with backpressure: at most one chunk is buffered for it.
 * @param slowMs how long a client may read nothing
 * @returns resolves when more may be written; throws SlowReader, or the abort reason of `signal`
 */
export function backpressureWriter(res: Writable, slowMs: number, signal: AbortSignal): (text: string) => Promise<void> {
  return async (text) => {
    signal.throwIfAborted();
    if (res.write(text)) return;
    const timeout = AbortSignal.timeout(slowMs);
    try {
      await once(res, 'drain', { signal: AbortSignal.any([signal, timeout]) });
    } catch (error) {
      signal.throwIfAborted();
      throw timeout.aborted ? new SlowReader(`the client read nothing for ${slowMs} ms`) : error;
    }
  };
}

/** One server-sent event; JSON holds no line breaks that would have to be split. */
export const formatEvent = (event: string, data: unknown, id?: number | string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** A comment, which readers skip. */
export const formatComment = (text: string): string => `: ${text}\n\n`;
