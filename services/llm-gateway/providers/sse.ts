import type { Body } from './connections.ts';
import { drain, linesOf } from './ndjson.ts';

/** What ends a stream of the OpenAI protocol. */
const DONE = '[DONE]';

/**
 * The `data:` lines of a stream of server-sent events, each a whole, up to `[DONE]` or the end; comments and other fields say nothing.
 * What comes after `[DONE]` is read to its end, so that the connection can be used again; whoever stops before it closes the connection.
 * @throws NoAnswer for a line or a stream that is far too long
 */
export async function* dataLines(body: Body): AsyncGenerator<string> {
  const lines = linesOf();
  let isOver = false;
  try {
    while (!isOver) {
      const { done, value } = await body.read();
      for (const line of lines.of(value, done)) {
        if (!line.startsWith('data:')) continue;
        const data = line.slice('data:'.length).trim();
        if (data === DONE) {
          isOver = true;
          if (!done) void drain(body);
          return;
        }
        if (data !== '') yield data;
      }
      isOver = done;
    }
  } finally {
    if (!isOver) await body.cancel().catch(() => undefined);
  }
}
