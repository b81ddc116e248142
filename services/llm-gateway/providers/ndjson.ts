import { type BodyReader, drain, errorText } from './connections.ts';
import { InvalidAnswer, ProtocolError, ServerError } from './errors.ts';

/** Characters of a line, and of a whole stream. */
export const MAX_LINE = 2_000_000;
export const MAX_STREAM = 64_000_000;

/** Splits a stream of bytes into lines. An incomplete line is searched only once, however small the pieces are. */
export function lineSplitter() {
  const decoder = new TextDecoder();
  let rest = '';
  let size = 0;
  return {
    /** The lines completed by these bytes. @throws ProtocolError when a line or the whole is too long */
    push(bytes: Uint8Array | undefined, isLast: boolean): readonly string[] {
      const text = isLast ? decoder.decode() : decoder.decode(bytes, { stream: true });
      size += text.length;
      const hasEnd = isLast || text.includes('\n');
      const lines = hasEnd ? (rest + text).split('\n') : [];
      rest = isLast ? '' : hasEnd ? lines.pop()! : rest + text;
      if (size > MAX_STREAM || rest.length > MAX_LINE) throw new ProtocolError('it is far too long');
      return lines;
    },
  };
}

/**
 * Checks the lines of a streamed answer before the `ollama` package sees them. The package prints lines that are not JSON to the console, where a
 * player's thoughts would appear, skips them, and buffers a line without an end for ever. The reader ends with the line that says `done`; the
 * rest is drained, so that the connection can be reused.
 *
 * Throws ServerError for a line with an error, ProtocolError for one that is no object and for an empty stream, InvalidAnswer for an end without
 * `done`. The rest is then left unread until the caller aborts the call.
 * @param redact removes our secrets from error texts
 */
export function checkedLines(body: BodyReader, redact: (text: string) => string): BodyReader & { releaseLock(): void } {
  const encoder = new TextEncoder();
  const splitter = lineSplitter();
  const lines: string[] = [];
  let isDone = false;
  let isEmpty = true;

  async function readLines(): Promise<void> {
    const { done, value } = await body.read();
    lines.push(...splitter.push(value, done).filter((line) => line.trim() !== ''));
    isEmpty &&= lines.length === 0;
    if (done && !lines.length) throw new (isEmpty ? ProtocolError : InvalidAnswer)('the stream ended without done');
  }

  return {
    async read() {
      if (isDone) return { done: true };
      while (!lines.length) await readLines();
      const line = lines.shift()!;
      if (isLastLine(line, redact)) {
        isDone = true;
        void drain(body);
      }
      return { done: false, value: encoder.encode(`${line}\n`) };
    },
    cancel: () => body.cancel(),
    releaseLock: () => undefined,
  };
}

/** @throws ServerError, ProtocolError */
function isLastLine(line: string, redact: (text: string) => string): boolean {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new ProtocolError('a line of the stream is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ProtocolError('a line of the stream is not an object');
  const { error, done } = value as { error?: unknown; done?: unknown };
  if (error !== undefined) throw new ServerError(200, redact(errorText({ error })));
  return done === true;
}
