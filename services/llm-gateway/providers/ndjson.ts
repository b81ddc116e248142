import { drain, errorText } from './connections.ts';
import { InvalidAnswer, ProtocolError, ServerError } from './errors.ts';
import type { BodyReader } from './response-reader.ts';

/** Characters of a line, and of a whole stream. */
export const MAX_LINE = 2_000_000;
export const MAX_STREAM = 64_000_000;

const NEWLINE = 0x0a;
const wholeLines = new TextDecoder();

/** Splits a stream of bytes into lines. An incomplete line is searched only once, however small the pieces are. */
export function lineSplitter() {
  /** Of the bytes of a stream that was cut within a line. Most never are: one that decodes stream by stream costs several times as much. */
  let decoder: TextDecoder | undefined;
  let rest = '';
  let size = 0;
  return {
    /** The lines completed by these bytes. @throws ProtocolError when a line or the whole is too long */
    push(bytes: Uint8Array | undefined, isLast: boolean): readonly string[] {
      if (bytes && bytes.at(-1) !== NEWLINE) decoder ??= new TextDecoder();
      const text = decoder ? decoder.decode(bytes, { stream: !isLast }) : wholeLines.decode(bytes);
      size += text.length;
      const hasEnd = isLast || text.includes('\n');
      const lines = hasEnd ? (rest + text).split('\n') : [];
      rest = isLast ? '' : hasEnd ? lines.pop()! : rest + text;
      if (size > MAX_STREAM || rest.length > MAX_LINE) throw new ProtocolError('it is far too long');
      return lines;
    },
  };
}

/** One line of a streamed answer. */
export interface AnswerLine {
  readonly done?: unknown;
  readonly message?: { readonly content?: unknown; readonly thinking?: unknown; readonly tool_calls?: unknown } | null;
  readonly [field: string]: unknown;
}

export type AnswerLines = ReturnType<typeof answerLines>;

/**
 * The lines of a streamed answer, one after another. The `ollama` package prints lines that are not JSON to the console, where a player's thoughts would appear, skips them, and buffers a line without
 * an end for ever.
 * @param redact removes our secrets from error texts
 */
export function answerLines(body: BodyReader, redact: (text: string) => string) {
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
    /**
     * The next line; undefined after the one that says `done`. The rest is drained then, so that the connection can be reused.
     * @throws ServerError for a line with an error, ProtocolError for one that is no object and for an empty stream, InvalidAnswer for an end
     * without `done`. The rest is then left unread until the caller aborts the call.
     */
    async read(): Promise<AnswerLine | undefined> {
      if (isDone) return undefined;
      while (!lines.length) await readLines();
      const line = parseLine(lines.shift()!, redact);
      if (line.done === true) {
        isDone = true;
        void drain(body);
      }
      return line;
    },
  };
}

/** @throws ServerError, ProtocolError */
function parseLine(line: string, redact: (text: string) => string): AnswerLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new ProtocolError('a line of the stream is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ProtocolError('a line of the stream is not an object');
  const { error } = value as { error?: unknown };
  if (error !== undefined) throw new ServerError(200, redact(errorText({ error })));
  return value as AnswerLine;
}
