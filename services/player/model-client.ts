import type { Bus } from '@maw/bus/bus.ts';
import { contracts, type Data } from '@maw/contracts/contracts.ts';
import { type Reason, Refusal } from '@maw/contracts/refusal.ts';
import type { CompletionReply, CompletionRequest, Embeddings } from '@maw/minds/mind.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { isRefused } from './is-refused.ts';

export type Urgency = NonNullable<Data<'llm.complete'>['urgency']>;

/** The longest kind that `llm.complete` takes, in characters. */
const MAX_KIND = 40;

export interface ModelClientOptions {
  readonly bus: Bus;
  readonly log: Log;
  now(): number;
  readonly table: string;
  readonly seat: number;
  readonly model: string | undefined;
  /** Part of the kind of a request: completions of one step of one recipe have about the same length. */
  readonly recipe: string;
  /** How many calls a decision of the recipe makes; absent: 1. */
  readonly calls?: number | undefined;
  readonly urgency: Urgency;
  /** Id of the message that caused the request. */
  readonly cause: string;
  /** The longest that one completion may take, in milliseconds. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/**
 * Requests completions for a seat over the bus, and cancels them when `signal` is aborted. Urgency and kind are set here: nothing that a
 * mind puts into a completion changes them.
 * @param deadline when the answer must be there, milliseconds since the epoch; a call may have an earlier one
 * @throws Refusal without an answer in time; the abort reason of `signal`
 */
export const modelClient =
  (options: ModelClientOptions, deadline: () => number) =>
  async (completion: CompletionRequest, step = 'any', by = Infinity): Promise<CompletionReply> => {
    const { bus, log, now, table, seat, recipe, calls, urgency, signal } = options;
    const { id, replyBy, about } = envelope(options, Math.min(by, deadline()));
    const { messages, format, temperature, seed, maxTokens, think, topP, model = options.model } = completion;
    const data = {
      agent: `${table}:${seat}`,
      urgency,
      ...(calls === undefined ? {} : { calls }),
      kind: `${recipe}/${step}`.slice(0, MAX_KIND),
      messages: messages.map((message) => ({ ...message })),
      ...(format ? { format: { ...format } } : {}),
      ...(temperature === undefined ? {} : { temperature }),
      ...(seed === undefined ? {} : { seed }),
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...(think === undefined ? {} : { think }),
      ...(topP === undefined ? {} : { topP }),
      ...(model === undefined ? {} : { model }),
    };
    try {
      const reply = await bus.request(contracts.write('llm.complete', data, { ...about, id, replyBy }), { signal });
      if (isRefused(reply)) throw new Refusal(reply.data.reason as Reason, reply.data.detail ?? '');
      return reply.data;
    } catch (error) {
      if (signal.aborted) {
        const cancel = contracts.write('llm.cancel', { request: id, why: reasonOf(signal) }, { ...about, id: `${id}/cancel`, at: now() });
        await bus.publish(cancel).catch((err: unknown) => log.warn({ table, request: id, err }, 'cancelling a completion failed'));
      }
      throw error;
    }
  };

/**
 * Requests embeddings for a seat over the bus.
 * @throws Refusal without an answer in time; the abort reason of `signal`
 */
export const embeddingClient =
  (options: ModelClientOptions, deadline: () => number) =>
  async (texts: readonly string[], model?: string): Promise<Embeddings> => {
    const { bus, table, seat, urgency, signal } = options;
    const { id, replyBy, about } = envelope(options, deadline());
    const data = { agent: `${table}:${seat}`, urgency, input: [...texts], ...(model === undefined ? {} : { model }) };
    const reply = await bus.request(contracts.write('llm.embed', data, { ...about, id, replyBy }), { signal });
    if (isRefused(reply)) throw new Refusal(reply.data.reason as Reason, reply.data.detail ?? '');
    return reply.data;
  };

/** @throws Refusal late when no time is left */
function envelope({ now, table, cause, limitMs }: ModelClientOptions, deadline: number) {
  const at = now();
  const replyBy = Math.min(deadline, at + limitMs);
  if (replyBy <= at) throw new Refusal('late', 'no time is left to ask a model');
  return { id: crypto.randomUUID(), replyBy, about: { source: 'player', subject: table, at, causeid: cause } };
}

const reasonOf = ({ reason }: AbortSignal): string => (reason instanceof Error ? reason.message : String(reason)).slice(0, 200);
