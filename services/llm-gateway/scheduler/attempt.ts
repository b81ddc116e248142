import { traceHeaders } from '@maw/telemetry/trace-context.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { span } from '@maw/telemetry/names.ts';
import { inSpan } from '@maw/telemetry/spans.ts';
import { InvalidAnswer } from '../providers/fault.ts';
import type { ModelAnswer, Job } from '../request.ts';
import { type GatewayOptions, SERVICE } from '../options.ts';
import { attemptAttributes } from './telemetry/request-span.ts';
import type { Model, Server } from '../servers/server.ts';

/** What only the gateway knows of an answer. Times in milliseconds. */
export interface About {
  readonly server: string;
  readonly times: {
    readonly queued: number;
    readonly load: number;
    readonly prefill: number;
    readonly decode: number;
    readonly total: number;
  };
  readonly attempts: number;
  readonly repaired: boolean;
}

/** What came of one call. */
export interface Called {
  readonly tokens: { readonly prompt: number; readonly completion: number };
  readonly times: { readonly load: number; readonly prefill: number; readonly decode: number };
  /** The answer as its asker gets it. */
  answer(about: About): ModelAnswer;
}

type How = Pick<GatewayOptions, 'numCtx' | 'keepAlive'> & { readonly maxTokens: number; now(): number };

/**
 * One call of a server for a job that has a slot there: a span, and the tokens counted. The prompt and the answer are in neither.
 * @throws what the provider throws, and what `job.stop` was aborted with
 */
export function attempt(job: Job, server: Server, model: Model, how: How): Promise<Called> {
  /** An answer that is no good has been paid for too. */
  const count = (tokens: Called['tokens']): void => {
    job.usedTokens += tokens.prompt + tokens.completion;
    metrics.completionTokens.inc({ model: model.name, kind: 'input' }, tokens.prompt);
    metrics.completionTokens.inc({ model: model.name, kind: 'output' }, tokens.completion);
  };
  return inSpan(SERVICE, span.attempt, { kind: 'client' }, async (call) => {
    const sentAt = how.now();
    const tell = (called: Seen | undefined, error?: unknown): void => {
      if (call.isRecording()) call.setAttributes(attemptAttributes(job, server, model, { called, error, sentAt, at: how.now() }));
    };
    try {
      const called = await (job.message.type === 'llm.embed' ? embed : chat)(job, server, model, how);
      count(called.tokens);
      tell(called);
      return called;
    } catch (error) {
      if (error instanceof InvalidAnswer && error.tokens) count(error.tokens);
      tell(undefined, error);
      throw error;
    }
  });
}

type Seen = Called & { readonly model: string; readonly reason: string | undefined };

async function chat(job: Job, { provider }: Server, model: Model, { numCtx, keepAlive, maxTokens, now }: How): Promise<Seen> {
  const { data } = job.message;
  if (!('messages' in data)) throw new Error('a chat has messages');
  const hear = (piece: string): void => {
    job.hasBegun = true;
    job.begunAt ??= now();
    if (!job.hear || piece === '' || job.stop.signal.aborted) return;
    job.isHeard = true;
    try {
      job.hear(piece);
    } catch {
      // Whoever listens has a trouble of its own, which must not be laid at the door of the server; the answer is still to be had.
    }
  };
  const { check, complaint } = job;
  const canThink = model.capabilities?.includes('thinking') ?? false;
  const options = { model: model.name, canThink, numCtx, keepAlive, maxTokens, check, complaint, hear };
  const { times, ...chatted } = await provider.chat(data, options, { signal: job.stop.signal, headers: traceHeaders() });
  return { ...chatted, times, answer: (about) => ({ ...chatted, ...about }) };
}

async function embed(job: Job, { provider }: Server, { name }: Model, { numCtx, keepAlive }: How): Promise<Seen> {
  const { data } = job.message;
  if (!('input' in data)) throw new Error('an embedding has texts');
  const call = { signal: job.stop.signal, headers: traceHeaders() };
  const { embeddings, model, promptTokens, times } = await provider.embed(data.input, { model: name, numCtx, keepAlive }, call);
  return {
    model,
    reason: undefined,
    tokens: { prompt: promptTokens, completion: 0 },
    times: { load: times.load, prefill: times.work, decode: 0 },
    answer: ({ server, times: { queued, total } }) => ({
      embeddings: embeddings.map((vector) => [...vector]),
      model,
      server,
      tokens: { prompt: promptTokens },
      times: { queued, total },
    }),
  };
}
