import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** The reader does not take what is sent to it. */
export class TooSlow extends Error {
  override readonly name = 'TooSlow';
}

/**
 * Writes to one reader and waits whenever it does not keep up, so that no more than one piece is held for it.
 * @param slowReaderMs how long a reader may take nothing at all
 * @returns resolves when more may be written; throws TooSlow, or what `signal` was aborted with
 */
export function pen(res: ServerResponse, slowReaderMs: number, signal: AbortSignal): (text: string) => Promise<void> {
  return async (text) => {
    signal.throwIfAborted();
    if (res.write(text)) return;
    const timeout = AbortSignal.timeout(slowReaderMs);
    try {
      await once(res, 'drain', { signal: AbortSignal.any([signal, timeout]) });
    } catch (error) {
      signal.throwIfAborted();
      throw timeout.aborted ? new TooSlow(`took nothing for ${slowReaderMs} ms`) : error;
    }
  };
}

/** One server-sent event; JSON has no line breaks that would have to be split. */
export const frame = (event: string, data: unknown, id?: number): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** A line that readers skip. */
export const comment = (text: string): string => `: ${text}\n\n`;
