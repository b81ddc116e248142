import { eventDecoder } from '@maw/http/event-decoder.ts';
import { type ApiProblem, problemOf, unanswered } from './problem.ts';
import { pause, retryPause } from './retry.ts';

/** One server-sent event, its data parsed. */
export interface Frame {
  readonly event: string;
  readonly data: unknown;
}

/** `lost`: nothing came for two keep-alives, or the connection broke. */
export type Link = 'connecting' | 'live' | 'lost';

export interface Following {
  /** Opens the stream where the reader is. */
  open(signal: AbortSignal): Promise<Response>;
  onFrame(frame: Frame): void;
  onLink(link: Link): void;
  readonly signal: AbortSignal;
  /** A stream that is silent for so long is dead; the server sends a comment every 15 s. */
  readonly silenceMs?: number;
  /** The first pause before a reconnect. */
  readonly retryMs?: number;
}

const SILENCE_MS = 32_000;

/**
 * Reads a stream until the signal is aborted, and opens it again whenever it breaks or falls silent.
 * @throws ApiProblem when the server refuses it
 */
export async function followStream(following: Following): Promise<void> {
  const { signal, onLink, silenceMs = SILENCE_MS, retryMs } = following;
  const progress = { failures: 0 };
  while (!signal.aborted) {
    const broken = new AbortController();
    let problem: ApiProblem | undefined;
    try {
      await readOnce(following, progress, AbortSignal.any([signal, broken.signal]), watchdog(silenceMs, broken));
    } catch (error) {
      if (signal.aborted) return;
      problem = problemOf(error);
      if (!problem.isTemporary) throw problem;
    } finally {
      broken.abort();
    }
    if (signal.aborted) return;
    onLink('lost');
    await pause(retryPause(++progress.failures, problem, retryMs), signal);
  }
}

interface Progress {
  /** Attempts since an event came. A server that is ready for no more answers too, and says something before it fails. */
  failures: number;
}

async function readOnce(
  { open, onFrame, onLink }: Following,
  progress: Progress,
  signal: AbortSignal,
  stillAlive: () => void,
): Promise<void> {
  stillAlive();
  const { body } = await open(signal);
  const reader = body!.getReader();
  const decode = eventDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw unanswered(error);
      });
      if (done) return;
      stillAlive();
      onLink('live');
      for (const { event = 'message', data } of decode(value)) {
        progress.failures = 0;
        onFrame({ event, data: JSON.parse(data) });
      }
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
