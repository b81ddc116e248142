import { type Body, errorIn } from './connections.ts';
import { InvalidAnswer, NoAnswer, ServerSaid } from './fault.ts';

/** Longest line of a stream, and longest stream, in characters. */
export const LONGEST_LINE = 2_000_000;
export const LONGEST_STREAM = 64_000_000;
const DRAIN_MS = 1_000;

/** The whole lines of a text that comes in pieces. What has no end yet is looked through once, however small the pieces are. */
export interface Lines {
  /** Those that the next bytes complete. @throws NoAnswer when a line, or the whole, is far too long */
  of(bytes: Uint8Array | undefined, isLast: boolean): readonly string[];
}

export function linesOf(): Lines {
  const decoder = new TextDecoder();
  let rest = '';
  let size = 0;
  return {
    of(bytes, isLast) {
      const text = isLast ? decoder.decode() : decoder.decode(bytes, { stream: true });
      size += text.length;
      const isWhole = isLast || text.includes('\n');
      const lines = isWhole ? (rest + text).split('\n') : [];
      rest = isLast ? '' : isWhole ? lines.pop()! : rest + text;
      if (size > LONGEST_STREAM || rest.length > LONGEST_LINE) throw new NoAnswer('it is far too long');
      return lines;
    },
  };
}

/**
 * The lines of a streamed answer, checked before the `ollama` package sees them: it prints lines that are no JSON, which may be a player's
 * thoughts, to the console, skips them, and keeps a line without an end in memory for ever. Ends with the line that says `done`; what comes
 * after is read to its end, so that the connection can be used again.
 * Fails with `ServerSaid` for a line with an error, with `NoAnswer` for one that is no object and for an end without any line, with
 * `InvalidAnswer` for an end without `done`; the rest is then left unread, until whoever asked aborts the call.
 * @param without takes secrets of ours out of the texts of errors, which may quote them
 */
export function answerLines(body: Body, without: (text: string) => string): Body & { releaseLock(): void } {
  const encoder = new TextEncoder();
  const lines = linesOf();
  const full: string[] = [];
  let isOver = false;
  let isEmpty = true;

  /** Takes in the next bytes, and the lines that they complete. */
  async function feed(): Promise<void> {
    const { done, value } = await body.read();
    full.push(...lines.of(value, done).filter((line) => line.trim() !== ''));
    isEmpty &&= full.length === 0;
    if (done && !full.length) throw new (isEmpty ? NoAnswer : InvalidAnswer)('the stream ended without done');
  }

  return {
    async read() {
      if (isOver) return { done: true };
      while (!full.length) await feed();
      const line = full.shift()!;
      if (isDone(line, without)) {
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
function isDone(line: string, without: (text: string) => string): boolean {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new NoAnswer('a line of the stream is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new NoAnswer('a line of the stream is not an object');
  const { error, done } = value as { error?: unknown; done?: unknown };
  if (error !== undefined) throw new ServerSaid(200, without(errorIn({ error })));
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
