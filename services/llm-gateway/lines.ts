import type { Body } from './connections.ts';
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
export function answerLines(body: Body): Body & { releaseLock(): void } {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const full: string[] = [];
  let isOver = false;
  let rest = '';
  let size = 0;

  /** Takes in the next bytes, and the lines that they complete. */
  async function feed(): Promise<void> {
    const { done, value } = await body.read();
    const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
    size += text.length;
    const lines = (rest + text).split('\n');
    rest = done ? '' : lines.pop()!;
    if (size > LONGEST_STREAM || rest.length > LONGEST_LINE) throw new InvalidAnswer('it is far too long');
    full.push(...lines.filter((line) => line.trim() !== ''));
    if (done && !full.length) throw new InvalidAnswer('the stream ended without done');
  }

  return {
    async read() {
      if (isOver) return { done: true };
      while (!full.length) await feed();
      const line = full.shift()!;
      if (isDone(line)) {
        isOver = true;
        void drain(body);
      }
      return { done: false, value: encoder.encode(`${line}\n`) };
    },
    cancel: () => body.cancel(),
    releaseLock: () => undefined,
  };
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
export async function drain(body: Body): Promise<void> {
  const timer = setTimeout(() => void body.cancel().catch(() => undefined), DRAIN_MS);
  try {
    while (!(await body.read()).done);
  } catch {
    // The answer is complete; how its connection ends no longer matters.
  } finally {
    clearTimeout(timer);
  }
}
