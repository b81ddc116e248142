import { type EventSourceMessage, eventDecoder } from '@maw/http/event-decoder.ts';
import { ApiProblem, unanswered } from './problem.ts';
import { type Patience, pause, retryPause } from './retry.ts';

/** One server-sent event, its data parsed. */
export interface Frame {
  readonly event: string;
  readonly data: unknown;
}

/** `lost`: nothing came for two keep-alives, or the connection broke. */
export type Link = 'connecting' | 'live' | 'lost';

export interface Following extends Omit<Patience, 'onFailure'> {
  onLink?(link: Link): void;
  /** A stream that is silent for so long is dead; the server sends a comment every 15 s. */
  readonly silenceMs?: number;
}

const SILENCE_MS = 32_000;

/**
 * Reads a stream until the signal is aborted, and opens it again whenever it breaks or falls silent.
 * @param open opens the stream where the reader is
 * @throws ApiProblem when the server refuses it, or no event came for `forMs`
 */
export async function* followStream(open: (signal: AbortSignal) => Promise<Response>, following: Following = {}): AsyncGenerator<Frame> {
  const { onLink, silenceMs = SILENCE_MS, forMs = Infinity, pause: wait = pause } = following;
  const signal = following.signal ?? new AbortController().signal;
  // Attempts since an event came. A server that is ready for no more answers too, and says something before it fails.
  let failures = 0;
  let waitedMs = 0;
  while (!signal.aborted) {
    const broken = new AbortController();
    let problem: ApiProblem | undefined;
    try {
      const isAlive = watchdog(silenceMs, broken);
      isAlive();
      const response = await open(AbortSignal.any([signal, broken.signal]));
      const onChunk = (): void => {
        isAlive();
        onLink?.('live');
      };
      for await (const { event = 'message', data } of readEvents(response, onChunk)) {
        failures = waitedMs = 0;
        yield { event, data: JSON.parse(data) };
      }
    } catch (error) {
      if (signal.aborted) return;
      problem = error instanceof ApiProblem ? error : undefined;
      if (!problem?.isTemporary && !broken.signal.aborted) throw error;
    } finally {
      broken.abort();
    }
    if (signal.aborted) return;
    onLink?.('lost');
    const pauseMs = retryPause(++failures, problem);
    waitedMs += pauseMs;
    if (waitedMs > forMs && problem) throw problem;
    await wait(pauseMs, signal);
  }
}

/** Reads the events of one connection. @throws ApiProblem when it breaks */
async function* readEvents({ body, url }: Response, onChunk: () => void): AsyncGenerator<EventSourceMessage> {
  const reader = body!.getReader();
  const decode = eventDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw unanswered(error, { at: url });
      });
      if (done) return;
      onChunk();
      yield* decode(value);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Aborts `broken` unless it is called again within `ms`. */
function watchdog(ms: number, broken: AbortController): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  broken.signal.addEventListener('abort', () => clearTimeout(timer));
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => broken.abort(), ms);
  };
}
