import { type Context, context } from '@opentelemetry/api';
import type { ReplyData, Message } from '@maw/contracts/contracts.ts';
import type { Refusal } from '@maw/contracts/refusal.ts';
import type { Size } from './scheduler/estimates.ts';
import type { Queued } from './scheduler/fair-queue.ts';
import type { Check } from './admission/answer-schema.ts';
import type { Server } from './servers/server.ts';

export type Completion = ReplyData<'llm.complete'>;
export type Embedding = ReplyData<'llm.embed'>;
/** What is asked for: an answer, or vectors. */
export type RequestMessage = Message<'llm.complete'> | Message<'llm.embed'>;
export type ModelAnswer = Completion | Embedding;

/** How a completion ended: an answer, a refusal, or given up here because the process ends, so that another can do it. */
export type Outcome = { readonly answer: ModelAnswer } | { readonly refusal: Refusal } | { readonly lost: Error };

/** An answer that was not what was asked for, and what was wrong with it; both empty when it did not come to an end. */
export interface RepairHint {
  readonly said: string;
  readonly wrong: string;
}

/** A completion that waits or runs. */
export interface Job extends Queued {
  readonly message: RequestMessage;
  /** What its answer has to meet; undefined: anything will do. */
  check: Check | undefined;
  /** Milliseconds since the epoch. */
  readonly arrived: number;
  readonly deadline: number;
  readonly size: Size;
  /** The trace it belongs to: it is begun by whoever frees a slot. */
  readonly context: Context;
  /** Aborted when the answer is not wanted any more. */
  readonly stop: AbortController;
  readonly outcome: PromiseWithResolvers<Outcome>;
  /** Hears the answer as it comes, piece by piece; what comes of it may still be a refusal. */
  readonly hear: ((piece: string) => void) | undefined;
  rank: number;
  lane: string;
  /** How many deliveries wait for it; a message may be delivered twice. */
  askers: number;
  isRunning: boolean;
  /** Whether it was sent to the server in the attempt that runs; before that its model is loaded. */
  isSent: boolean;
  /** Whether the first piece of the answer has come in the attempt that runs. */
  hasBegun: boolean;
  /** When that was, in milliseconds since the epoch. */
  begunAt: number | undefined;
  /** The server of the last attempt, and whether it is the one its game was at work on before. */
  server: Server | undefined;
  isWarm: boolean;
  /** Since when it has a slot, in milliseconds since the epoch; and the slot time of the attempts before, in milliseconds. */
  runSince: number | undefined;
  slotMs: number;
  endedAt: number | undefined;
  /** Whether it was let in: by all limits, to the line. */
  isLetIn: boolean;
  /** Whether it is answered from a recording. */
  isReplayed: boolean;
  /** Whether somebody has heard a piece of the answer: it cannot be taken back. */
  isHeard: boolean;
  /** Since when no server that is up can do it, in milliseconds since the epoch; undefined while one can. */
  unservedSince: number | undefined;
  /** How often it was sent to a server. */
  attempts: number;
  /** Why the last attempt failed; undefined when none has. */
  failure: string | undefined;
  repairs: number;
  complaint: RepairHint | undefined;
  /** Tokens that servers have counted for it. */
  usedTokens: number;
  /** Gives back what was set aside for it. As for `Settle`. */
  settle(tokens: number, at: number): void;
  /** Servers that have failed with it. */
  readonly failedOn: Set<string>;
  timer: NodeJS.Timeout | undefined;
}

type Begun = Pick<Job, 'message' | 'arrived' | 'deadline' | 'hear'> & { readonly account?: string | undefined };

/** What is asked of a model, as the gen_ai convention calls it. */
export const operationOf = ({ type }: RequestMessage): 'chat' | 'embeddings' => (type === 'llm.embed' ? 'embeddings' : 'chat');

/** About how many tokens a text has: four characters each, in the languages models were trained on most. */
const CHARACTERS_PER_TOKEN = 4;
export const roughTokens = (texts: readonly string[]): number =>
  Math.ceil(texts.reduce((sum, text) => sum + text.length, 0) / CHARACTERS_PER_TOKEN);

export const jobOf = ({ account, ...begun }: Begun): Job => {
  const { id, subject, data } = begun.message;
  const texts = 'input' in data ? data.input : data.messages.map(({ content }) => content);
  return {
    ...begun,
    id,
    game: account ?? subject,
    urgency: data.urgency,
    rank: begun.deadline,
    lane: '',
    size: {
      kind: 'input' in data ? 'embed' : data.kind,
      promptTokens: roughTokens(texts),
      maxTokens: 'input' in data ? 0 : data.maxTokens,
    },
    check: undefined,
    context: context.active(),
    stop: new AbortController(),
    outcome: Promise.withResolvers(),
    askers: 0,
    isRunning: false,
    isSent: false,
    hasBegun: false,
    begunAt: undefined,
    server: undefined,
    isWarm: false,
    runSince: undefined,
    slotMs: 0,
    endedAt: undefined,
    isLetIn: false,
    isReplayed: false,
    isHeard: false,
    unservedSince: undefined,
    attempts: 0,
    failure: undefined,
    repairs: 0,
    complaint: undefined,
    usedTokens: 0,
    settle: () => undefined,
    failedOn: new Set(),
    timer: undefined,
  };
};

/** What a number takes in a vector, about, in characters. */
const NUMBER = 10;

/** How much of memory an outcome takes, about, in characters. */
export function weightOf(outcome: Outcome): number {
  if ('refusal' in outcome) return 200 + outcome.refusal.detail.length;
  if ('lost' in outcome) return 200;
  const { answer } = outcome;
  if ('embeddings' in answer) return 200 + NUMBER * answer.embeddings.reduce((sum, vector) => sum + vector.length, 0);
  return 200 + answer.content.length + (answer.thinking?.length ?? 0);
}

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
