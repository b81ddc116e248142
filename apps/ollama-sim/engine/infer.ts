import { ollamaErrors } from '../errors.ts';
import type { Fault } from '../faults.ts';
import type { Clock } from './clock.ts';
import type { Client, Lease, Scheduler } from './scheduler.ts';

export interface Speed {
  readonly prefillMsPerToken: number;
  /** With 1, 2, ... busy slots; the last value applies to more. */
  readonly decodeMsPerToken: readonly number[];
}

export interface Piece {
  readonly kind: 'thinking' | 'content';
  readonly text: string;
}

/** The end of a generation; durations in milliseconds. */
export interface InferenceEnd {
  readonly kind: 'end';
  /** `unfinished`: ended by the guard against repetition, without `done`. */
  readonly reason: 'stop' | 'length' | 'unfinished';
  readonly promptTokens: number;
  readonly promptMs: number;
  readonly tokens: number;
  readonly evalMs: number;
}

interface InferenceRequest {
  readonly lease: Lease;
  readonly client: Client;
  readonly prompt: string;
  readonly output: readonly Piece[];
  /** In tokens. */
  readonly limit: number;
  readonly fault: Fault | undefined;
}

export interface Engine {
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly speed: Speed;
}

export const CHARS_PER_TOKEN = 4;
/** Estimates the tokens of a prompt: four characters each. */
export const tokenCount = (text: string): number => Math.ceil(text.length / CHARS_PER_TOKEN);

const DRIP_MS = 250;

/** Evaluates the prompt and yields the output token by token, in a slot of the model. Always releases the slot. @throws the client's abort reason */
export async function* infer(work: InferenceRequest, engine: Engine): AsyncGenerator<Piece | InferenceEnd> {
  const { lease, client, fault } = work;
  const { clock, speed } = engine;
  const { slots } = lease.runner;
  const promptTokens = tokenCount(work.prompt);
  client.stage = 'waiting';
  const slot = await slots.take(client.signal);
  try {
    const promptFrom = clock.now();
    client.stage = 'prefill';
    await clock.wait(Math.max(1, promptTokens) * speed.prefillMsPerToken, client.signal);
    client.signal.throwIfAborted();
    if (fault?.name === 'out-of-memory') failRunner(work, engine);
    client.stage = 'streaming';
    const evalFrom = clock.now();
    const all = work.output.flatMap(({ kind, text }) => tokensOf(text).map((token): Piece => ({ kind, text: token })));
    const tokens = all.slice(0, Math.max(0, work.limit));
    const paced = pace(clock, () => decodeMs(speed, slots.busy()) + (fault?.name === 'slow-drip' ? (fault.ms ?? DRIP_MS) : 0));
    const breaksAt = Math.max(1, Math.floor(tokens.length / 2));
    for (const [at, token] of tokens.entries()) {
      if (at === breaksAt) failRunner(work, engine);
      await paced(client);
      client.signal.throwIfAborted();
      yield token;
    }
    if (tokens.length <= breaksAt) failRunner(work, engine);
    const reason = tokens.length < all.length ? 'length' : fault?.name === 'whitespace-run' ? 'unfinished' : 'stop';
    yield { kind: 'end', reason, promptTokens, promptMs: evalFrom - promptFrom, tokens: tokens.length, evalMs: clock.now() - evalFrom };
  } finally {
    if (fault?.name === 'wedge') slot.wedge();
    else slot.release();
  }
}

const decodeMs = (speed: Speed, busy: number): number =>
  speed.decodeMsPerToken[Math.min(Math.max(busy, 1), speed.decodeMsPerToken.length) - 1] ?? 0;

/** Injects the faults of a runner that is at work. */
export const failRunner = ({ fault, lease, client }: Pick<InferenceRequest, 'fault' | 'lease' | 'client'>, { scheduler }: Engine): void => {
  if (fault?.name === 'error-mid-stream') throw ollamaErrors.broken();
  if (fault?.name === 'out-of-memory') {
    scheduler.expire();
    throw ollamaErrors.outOfMemory();
  }
  if (fault?.name !== 'runner-crash') return;
  scheduler.crash(lease.runner, ollamaErrors.crashed());
  client.signal.throwIfAborted();
};

const FREE_RUN = 32;

/** Paces tokens without accumulating the timer's lateness. */
const pace = (clock: Clock, msPerToken: () => number): ((client: Client) => Promise<void>) => {
  let due = clock.now();
  let free = 0;
  return async (client) => {
    due += msPerToken();
    const left = due - clock.now();
    if (left > 0) await clock.wait(left, client.signal);
    // Tokens that cost no time must not starve the event loop.
    else if (++free % FREE_RUN === 0) await new Promise((resolve) => setImmediate(resolve));
  };
};

/** Splits a text into pieces about as long as a model's tokens. */
const tokensOf = (text: string): readonly string[] => text.match(/ ?\p{L}{1,7}|\d{1,3}|\n|[^\S\n]+|[^\p{L}\d\s]{1,2}/gu) ?? [];
