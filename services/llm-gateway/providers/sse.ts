import { type EventSourceMessage, eventDecoder } from '@maw/http/event-decoder.ts';
import { drain } from './connections.ts';
import { ProtocolError } from './errors.ts';
import { MAX_LINE, MAX_STREAM } from './ndjson.ts';
import type { BodyReader } from './response-reader.ts';

/** The end of a stream of the OpenAI protocol. */
const DONE = '[DONE]';
const BLANK_LINE = new TextEncoder().encode('\n\n');

/**
 * The data of server-sent events, up to `[DONE]` or the end of the stream; a last event without a blank line counts. What comes after `[DONE]` is
 * drained, so that the connection can be reused; a consumer that stops earlier closes the connection.
 * @throws ProtocolError for an event or a stream that is too long
 */
export async function* eventData(body: BodyReader): AsyncGenerator<string> {
  const decode = boundedDecoder();
  let isDone = false;
  try {
    while (!isDone) {
      const { done, value } = await body.read();
      for (const event of decode(done ? BLANK_LINE : value!)) {
        const data = event.data.trim();
        if (data === DONE) {
          isDone = true;
          if (!done) void drain(body);
          return;
        }
        if (data !== '') yield data;
      }
      isDone = done;
    }
  } finally {
    if (!isDone) await body.cancel().catch(() => undefined);
  }
}

/** @throws ProtocolError */
function boundedDecoder(): (bytes: Uint8Array) => readonly EventSourceMessage[] {
  const decode = eventDecoder();
  let size = 0;
  let sizeAtEvent = 0;
  return (bytes) => {
    const events = decode(bytes);
    size += bytes.length;
    if (events.length > 0) sizeAtEvent = size;
    if (size > MAX_STREAM || size - sizeAtEvent > MAX_LINE) throw new ProtocolError('it is far too long');
    return events;
  };
}
