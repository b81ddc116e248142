import { createHash } from 'node:crypto';
import { omitUndefined } from '@maw/contracts/omit-undefined.ts';
import { attribute } from '@maw/telemetry/span-names.ts';
import type { ThoughtCall, ThoughtDecision, ThoughtStep } from './recorded-thoughts.ts';

/** A log record of OpenTelemetry: its event name says which attributes it has. */
export interface ThoughtEvent {
  /** When the call or the step ended, ISO 8601. */
  readonly timestamp: string;
  readonly event_name: 'gen_ai.client.inference.operation.details' | 'maw.mind.step';
  /** The same for all events of a decision; 32 hexadecimal digits. */
  readonly trace_id: string;
  /** 16 hexadecimal digits. */
  readonly span_id: string;
  readonly attributes: { readonly [name: string]: unknown };
}

/** Who thought, and when. */
interface ThoughtContext {
  readonly table: string;
  /** The player's name. */
  readonly name: string;
  readonly decision: ThoughtDecision;
}

/** What the events tell in attributes of their own. */
const OWN_FIELDS = new Set(['calls', 'error', 'phase', 'recipe', 'ms', 'iteration']);

/**
 * The events of one step: one for each call of a model, as the GenAI conventions of OpenTelemetry have it, then one for its
 * result.
 */
export function thoughtEvents(context: ThoughtContext, { step, kind, name, at, content }: ThoughtStep): readonly ThoughtEvent[] {
  const { table, decision } = context;
  const { calls = [], error, phase, recipe, ms, iteration } = content;
  const common = {
    'gen_ai.conversation.id': table,
    'gen_ai.agent.id': `${table}:${decision.seat}`,
    'gen_ai.agent.name': context.name,
    [attribute.table]: table,
    [attribute.seat]: decision.seat,
    [attribute.decision]: decision.decision,
    'maw.decision.number': decision.n,
    ...omitUndefined({ [attribute.phase]: phase ?? decision.phase, [attribute.recipe]: recipe, 'maw.iteration': iteration }),
    [attribute.step]: name,
    'maw.step.number': step,
    'maw.step.kind': kind,
  };
  const event = (endedAt: number, place: string, rest: Pick<ThoughtEvent, 'event_name' | 'attributes'>): ThoughtEvent => ({
    timestamp: new Date(endedAt).toISOString(),
    event_name: rest.event_name,
    trace_id: digestOf([table, decision.decision], 32),
    span_id: digestOf([table, decision.decision, String(step), place], 16),
    attributes: { ...common, ...rest.attributes },
  });
  const result = Object.fromEntries(Object.entries(content).filter(([field]) => !OWN_FIELDS.has(field)));
  return [
    ...calls.map((call, i) =>
      event(call.at === undefined ? at : call.at + (call.ms ?? 0), String(i), {
        event_name: 'gen_ai.client.inference.operation.details',
        attributes: callAttributes(call),
      }),
    ),
    event(at, 'step', {
      event_name: 'maw.mind.step',
      attributes: { ...errorAttributes(error), ...omitUndefined({ 'maw.duration_ms': ms }), 'maw.step.result': result },
    }),
  ];
}

/** The attributes of a call of the event `gen_ai.client.inference.operation.details`. */
function callAttributes({ messages, embed, model, reply, failed, ms, ...request }: ThoughtCall): ThoughtEvent['attributes'] {
  const finish = reply?.reason ?? 'stop';
  return omitUndefined({
    [attribute.operation]: embed === undefined ? 'chat' : 'embeddings',
    [attribute.model]: model ?? reply?.model,
    [attribute.seed]: request.seed,
    [attribute.temperature]: request.temperature,
    [attribute.maxTokens]: request.maxTokens,
    [attribute.output]: embed === undefined ? (request.format ? 'json' : 'text') : undefined,
    'gen_ai.input.messages': messages.length ? messages.map(({ role, content }) => messageOf(role, content)) : undefined,
    [attribute.modelUsed]: reply?.model,
    [attribute.finish]: reply && [finish],
    [attribute.inputTokens]: reply?.tokens.prompt,
    [attribute.outputTokens]: reply?.tokens.completion,
    'gen_ai.output.messages': reply && [{ role: 'assistant', parts: replyParts(reply), finish_reason: finish }],
    ...errorAttributes(failed),
    'maw.duration_ms': ms,
    'maw.reply.repaired': reply?.repaired,
    'maw.embeddings': embed,
  });
}

const textPart = (content: string) => ({ type: 'text', content });
const messageOf = (role: string, content: string) => ({ role, parts: [textPart(content)] });

const replyParts = ({ thinking, content }: NonNullable<ThoughtCall['reply']>): readonly object[] => [
  ...(thinking ? [{ type: 'reasoning', content: thinking }] : []),
  textPart(content),
];

/** The code of a refusal, or `_OTHER` as the convention has it, and the message. */
const errorAttributes = (failed: string | undefined): ThoughtEvent['attributes'] =>
  failed === undefined ? {} : { [attribute.error]: /^([a-z]+(?:-[a-z]+)*)(?:: |$)/.exec(failed)?.[1] ?? '_OTHER', 'error.message': failed };

const digestOf = (parts: readonly string[], length: number): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, length);
