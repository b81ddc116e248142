import type { Bus } from '@maw/bus/bus.ts';
import { contracts } from '@maw/contracts/contracts.ts';
import { type Reason, Refusal } from '@maw/contracts/refusal.ts';
import type { CompletionReply, CompletionRequest } from '@maw/minds/mind.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { isRefused } from './is-refused.ts';
import type { Urgency } from './decision/urgency.ts';

/** The longest kind that `llm.complete` takes. */
const MOST_KIND = 40;

interface ModelClientOptions {
  readonly bus: Bus;
  readonly log: Log;
  now(): number;
  readonly table: string;
  readonly seat: number;
  readonly model: string | undefined;
  /** Whose steps ask: completions of one step of one recipe are about as long. */
  readonly recipe: string;
  readonly urgency: Urgency;
  /** The message it is asked because of. */
  readonly cause: string;
  /** The longest that one completion may take, in milliseconds. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/**
 * Asks the models through the bus, as the seat. When nobody wants the answer any more, the gateway is told so. How urgent it is and of what
 * kind is said here: nothing that a mind puts into a completion changes it.
 * @param deadline when the answer must be there
 * @throws Refusal when there is no answer in time, or none at all; @throws whatever `signal` was aborted with
 */
export const modelClient =
  ({ bus, log, now, table, seat, model, recipe, urgency, cause, limitMs, signal }: ModelClientOptions, deadline: () => number) =>
  async (completion: CompletionRequest, step = 'any'): Promise<CompletionReply> => {
    const at = now();
    const replyBy = Math.min(deadline(), at + limitMs);
    if (replyBy <= at) throw new Refusal('late', 'there is no time left to ask a model');
    const id = crypto.randomUUID();
    const about = { source: 'player', subject: table, at, causeid: cause };
    const { messages, format, temperature, seed, maxTokens, think } = completion;
    const data = {
      agent: `${table}:${seat}`,
      urgency,
      kind: `${recipe}/${step}`.slice(0, MOST_KIND),
      messages: messages.map((message) => ({ ...message })),
      ...(format ? { format: { ...format } } : {}),
      ...(temperature === undefined ? {} : { temperature }),
      ...(seed === undefined ? {} : { seed }),
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...(think === undefined ? {} : { think }),
      ...(model === undefined ? {} : { model }),
    };
    try {
      const reply = await bus.request(contracts.write('llm.complete', data, { ...about, id, replyBy }), { signal });
      if (isRefused(reply)) throw new Refusal(reply.data.reason as Reason, reply.data.detail ?? '');
      return reply.data;
    } catch (error) {
      if (signal.aborted) {
        const cancel = contracts.write('llm.cancel', { request: id, why: whyOf(signal) }, { ...about, id: `${id}/cancel`, at: now() });
        await bus
          .publish(cancel)
          .catch((err: unknown) => log.warn({ table, seat, err }, 'a completion that nobody wants could not be cancelled'));
      }
      throw error;
    }
  };

const whyOf = ({ reason }: AbortSignal): string => (reason instanceof Error ? reason.message : String(reason)).slice(0, 200);
