import type { Body } from './connections.ts';
import { InvalidAnswer } from './fault.ts';
import { drain, LONGEST_LINE, LONGEST_STREAM } from './lines.ts';

/** What ends a stream of the OpenAI protocol. */
const DONE = '[DONE]';

/**
 * The `data:` lines of a stream of server-sent events, each a whole, up to `[DONE]` or the end; comments and other fields say nothing.
 * What comes after `[DONE]` is read to its end, so that the connection can be used again; whoever stops before it closes the connection.
 * @throws InvalidAnswer for a line or a stream that is far too long
 */
export async function* dataLines(body: Body): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let isOver = false;
  let rest = '';
  let size = 0;
  try {
    while (!isOver) {
      const { done, value } = await body.read();
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
      size += text.length;
      const lines = (rest + text).split('\n');
      rest = done ? '' : lines.pop()!;
      if (size > LONGEST_STREAM || rest.length > LONGEST_LINE) throw new InvalidAnswer('it is far too long');
      for (const line of lines) {
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
