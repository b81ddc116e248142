import type { ReadableStreamDefaultReader, ReadableStream as NodeStream } from 'node:stream/web';
import { InvalidAnswer, ServerSaid } from './fault.ts';

/** Longest line of a stream, and longest stream, in characters. */
export const LONGEST_LINE = 2_000_000;
export const LONGEST_STREAM = 64_000_000;
const DRAIN_MS = 1_000;

/**
 * The lines of a streamed answer, checked before the `ollama` package sees them: it prints lines that are no JSON, which may be a player's
 * thoughts, to the console, skips them, and keeps a line without an end in memory for ever. Ends with the line that says `done`; what comes
 * after is read to its end, so that the connection can be used again.
 * Fails with `ServerSaid` for a line with an error, with `InvalidAnswer` for one that is no object and for an end without `done`; the rest is
 * then left unread, until whoever asked aborts the call.
 */
export function answerLines(body: NodeStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = '';
  let size = 0;

  /** Hands on the lines that the next bytes complete, if any. */
  async function feed(out: ReadableStreamDefaultController<Uint8Array>): Promise<boolean> {
    const { done, value } = await reader.read();
    const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
    size += text.length;
    const lines = (rest + text).split('\n');
    rest = done ? '' : lines.pop()!;
    if (size > LONGEST_STREAM || rest.length > LONGEST_LINE) throw new InvalidAnswer('it is far too long');
    const full = lines.filter((line) => line.trim() !== '');
    for (const line of full) {
      const isLast = isDone(line);
      out.enqueue(encoder.encode(`${line}\n`));
      if (!isLast) continue;
      if (!done) void drain(reader);
      out.close();
      return true;
    }
    if (done) throw new InvalidAnswer('the stream ended without done');
    return full.length > 0;
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(out) {
        for (let isFed = false; !isFed;) isFed = await feed(out);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** Whether it is the last line. @throws ServerSaid, InvalidAnswer */
function isDone(line: string): boolean {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new InvalidAnswer('a line of the stream is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new InvalidAnswer('a line of the stream is not an object');
  const { error, done } = value as { error?: unknown; done?: unknown };
  if (error !== undefined) throw new ServerSaid(200, typeof error === 'string' ? error : JSON.stringify(error));
  return done === true;
}

/** Reads what is left, for a while, so that the connection can be used again. Never rejects. */
export async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), DRAIN_MS);
  try {
    while (!(await reader.read()).done);
  } catch {
    // The answer is complete; how its connection ends no longer matters.
  } finally {
    clearTimeout(timer);
  }
}
