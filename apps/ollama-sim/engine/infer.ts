import { tokensOf } from '../answer/tokens.ts';
import { failures, Gone } from '../errors.ts';
import type { Fault } from '../faults.ts';
import { type Caller, reasonOf, stillThere } from './caller.ts';
import type { Clock } from './clock.ts';
import { CHUNK_TOKENS, chunksOf, tokenCount } from './prompt-chunks.ts';
import type { Lease } from './residents.ts';
import type { Scheduler } from './scheduler.ts';
import type { Grant } from './slots.ts';

export interface Speed {
  readonly prefillMsPerToken: number;
  /** With 1, 2, ... busy slots; the last one holds for more. */
  readonly decodeMsPerToken: readonly number[];
  /** A prefill whose client has left goes on for at most this long. */
  readonly prefillGraceMs: number;
}

export interface Piece {
  readonly kind: 'thinking' | 'content';
  readonly text: string;
}

/** How a generation went; durations in milliseconds. */
export interface Ending {
  readonly kind: 'end';
  /** `unfinished` is what the guard against repetition leaves: no done at all. */
  readonly reason: 'stop' | 'length' | 'unfinished';
  readonly promptTokens: number;
  readonly promptMs: number;
  readonly tokens: number;
  readonly evalMs: number;
}

export interface Work {
  readonly lease: Lease;
  readonly caller: Caller;
  readonly prompt: string;
  /** What is said, by pass: a slot is given back between two passes. */
  readonly passes: readonly (readonly Piece[])[];
  /** Tokens per pass. */
  readonly limit: number;
  readonly fault: Fault | undefined;
}

export interface Machine {
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly speed: Speed;
}

const DRIP_MS = 250;

/** Evaluates the prompt and says the passes, token by token, in a slot of the model. Throws why it was stopped; the slot comes back in any case. */
export async function* infer(work: Work, machine: Machine): AsyncGenerator<Piece | Ending> {
  let prompt = work.prompt;
  for (const [at, pass] of work.passes.entries()) {
    const last = at === work.passes.length - 1;
    const ending: Ending = yield* onePass({ ...work, prompt }, pass, last, machine);
    if (last || ending.reason === 'length') {
      yield ending;
      return;
    }
    prompt += pass.map((piece) => piece.text).join('');
  }
}

async function* onePass(work: Work, pass: readonly Piece[], last: boolean, machine: Machine): AsyncGenerator<Piece, Ending> {
  const { lease, caller, fault } = work;
  const { clock, speed, scheduler } = machine;
  const { slots } = lease.runner;
  const promptTokens = tokenCount(work.prompt);
  caller.stage = 'waiting';
  const grant = await slots.take(chunksOf(work.prompt), caller);
  let giveBack = (): void => (fault?.name === 'wedge' ? grant.wedge() : grant.release());
  try {
    const promptFrom = clock.now();
    const prefillMs = Math.max(1, promptTokens - grant.cached * CHUNK_TOKENS) * speed.prefillMsPerToken;
    caller.stage = 'prefill';
    await clock.wait(prefillMs, caller.signal);
    if (caller.signal.aborted) {
      const graceMs = Math.min(promptFrom + prefillMs - clock.now(), speed.prefillGraceMs);
      if (reasonOf(caller) instanceof Gone && graceMs > 0 && fault?.name !== 'wedge')
        giveBack = () => scheduler.linger(lease.runner, graceMs, grant.release);
      throw reasonOf(caller);
    }
    if (fault?.name === 'out-of-memory') {
      scheduler.expire();
      throw failures.outOfMemory();
    }
    caller.stage = 'streaming';
    const evalFrom = clock.now();
    const all = pass.flatMap(({ kind, text }) => tokensOf(text).map((token): Piece => ({ kind, text: token })));
    const tokens = all.slice(0, Math.max(0, work.limit));
    const paced = pace(clock, () => decodeMs(speed, slots.busy()) + (fault?.name === 'slow-drip' ? (fault.ms ?? DRIP_MS) : 0));
    const breaksAt = last ? Math.max(1, Math.floor(tokens.length / 2)) : Infinity;
    for (const [at, token] of tokens.entries()) {
      if (at === breaksAt) breakDown(work, machine);
      await paced(caller);
      stillThere(caller);
      yield token;
    }
    if (tokens.length <= breaksAt && last) breakDown(work, machine);
    remember(grant, work.prompt, tokens);
    const reason = tokens.length < all.length ? 'length' : fault?.name === 'whitespace-run' && last ? 'unfinished' : 'stop';
    return { kind: 'end', reason, promptTokens, promptMs: evalFrom - promptFrom, tokens: tokens.length, evalMs: clock.now() - evalFrom };
  } finally {
    giveBack();
  }
}

const remember = (grant: Grant, prompt: string, tokens: readonly Piece[]): void =>
  grant.remember(chunksOf(prompt + tokens.map((token) => token.text).join('')));

const decodeMs = (speed: Speed, busy: number): number =>
  speed.decodeMsPerToken[Math.min(Math.max(busy, 1), speed.decodeMsPerToken.length) - 1] ?? 0;

const breakDown = ({ fault, lease, caller }: Work, { scheduler }: Machine): void => {
  if (fault?.name === 'error-mid-stream') throw failures.broken();
  if (fault?.name !== 'runner-crash') return;
  scheduler.crash(lease.runner, failures.crashed());
  stillThere(caller);
};

const FREE_RUN = 32;

/** Waits for one token after the other without adding up the timer's lateness. */
const pace = (clock: Clock, msPerToken: () => number): ((caller: Caller) => Promise<void>) => {
  let due = clock.now();
  let free = 0;
  return async (caller) => {
    due += msPerToken();
    const left = due - clock.now();
    if (left > 0) await clock.wait(left, caller.signal);
    // Many tokens that cost no time must not keep others from the event loop.
    else if (++free % FREE_RUN === 0) await new Promise((resolve) => setImmediate(resolve));
  };
};
