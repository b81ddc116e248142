import { createParser, type EventSourceMessage } from 'eventsource-parser';

export type { EventSourceMessage } from 'eventsource-parser';

/**
 * Parses server-sent events chunk by chunk. Each call returns the events that the chunk completes; an unfinished one is never returned.
 * @param maxChars the longest event; unlimited without it
 * @throws ParseError max-buffer-size-exceeded for a longer event
 */
export function eventDecoder(maxChars?: number): (chunk: Uint8Array) => readonly EventSourceMessage[] {
  const text = new TextDecoder();
  let events: EventSourceMessage[] = [];
  const parser = createParser({
    maxBufferSize: maxChars,
    onEvent: (event) => void events.push(event),
    onError(error) {
      if (error.type === 'max-buffer-size-exceeded') throw error;
    },
  });
  return (chunk) => {
    events = [];
    parser.feed(text.decode(chunk, { stream: true }));
    return events;
  };
}
