import { type Context, context } from '@opentelemetry/api';
import type { Answer, Message } from '@maw/contracts/contracts.ts';
import type { Refusal } from '@maw/games/refusal.ts';
import type { Check } from './schema.ts';

export type Completion = Answer<'llm.complete'>;

/** How a completion ended: an answer, a refusal, or given up here because the process ends, so that another can do it. */
export type Outcome = { readonly completion: Completion } | { readonly refusal: Refusal } | { readonly lost: Error };

/** A completion that waits or runs. */
export interface Job {
  readonly id: string;
  readonly message: Message<'llm.complete'>;
  readonly check: Check | undefined;
  /** Milliseconds since the epoch. */
  readonly arrived: number;
  readonly deadline: number;
  /** The trace it belongs to: it is begun by whoever frees a slot. */
  readonly context: Context;
  /** Aborted when the answer is not wanted any more. */
  readonly stop: AbortController;
  readonly outcome: PromiseWithResolvers<Outcome>;
  /** How many deliveries wait for it; a message may be delivered twice. */
  askers: number;
  isRunning: boolean;
  timer: NodeJS.Timeout | undefined;
}

type Begun = Pick<Job, 'message' | 'check' | 'arrived' | 'deadline'>;

export const jobOf = (begun: Begun): Job => ({
  ...begun,
  id: begun.message.id,
  context: context.active(),
  stop: new AbortController(),
  outcome: Promise.withResolvers(),
  askers: 0,
  isRunning: false,
  timer: undefined,
});

/** How much of memory an outcome takes, about, in characters. */
export const weightOf = (outcome: Outcome): number =>
  200 + ('completion' in outcome ? outcome.completion.content.length + (outcome.completion.thinking?.length ?? 0) : 0);

/** What `promise` resolves with, unless `signal` is aborted before. @throws what it was aborted with */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
