import { isSpanContextValid, SpanKind, trace, TraceFlags } from '@opentelemetry/api';
import type { Bus } from '@maw/bus/bus.ts';
import type { Message } from '@maw/contracts/contracts.ts';
import { attribute, span } from '@maw/telemetry/span-names.ts';
import { tracerOf } from '@maw/telemetry/spans.ts';
import { untraced } from '@maw/telemetry/trace-context.ts';
import type { DerivedMessages } from './derive-messages.ts';

/**
 * Publishes derived messages. Every question starts its own trace, linked to its cause: otherwise a whole game would be one trace. Messages that
 * not everybody may know of are not traced: who is asked by night has a role, and how many are asked tells who was executed.
 * @param table where they were derived
 */
export async function publishMessages(
  bus: Bus,
  table: string,
  { notices, decisions, secret, talk = [], newPhase }: DerivedMessages,
): Promise<void> {
  // As people's talk is not traced, and everybody hears this, it is a trace of its own too.
  for (const { seat, to = 'all' } of talk)
    tracerOf('gamemaster')
      .startSpan(span.talk, {
        root: true,
        attributes: { [attribute.table]: table, [attribute.seat]: seat, [attribute.addressee]: String(to) },
      })
      .end();
  // Linked to no trace: the act that ends a night would reveal that its seat was asked at night.
  if (newPhase !== undefined)
    tracerOf('gamemaster')
      .startSpan(span.phase, { root: true, attributes: { [attribute.table]: table, [attribute.phase]: newPhase } })
      .end();
  const publish = (message: Message) => bus.publish(message);
  await Promise.all([
    ...notices.map((message) => (secret.has(message) ? untraced(() => publish(message)) : publish(message))),
    ...decisions.map((message) => (secret.has(message) ? untraced(() => publish(message)) : publishQuestion(bus, message))),
  ]);
}

function publishQuestion(bus: Bus, message: Message<'seat.decide'>): Promise<void> {
  const cause = trace.getActiveSpan()?.spanContext();
  const isRecorded = cause && isSpanContextValid(cause) && cause.traceFlags & TraceFlags.SAMPLED;
  const attributes = {
    [attribute.table]: message.subject,
    [attribute.seat]: message.data.seat,
    [attribute.decision]: message.id,
  };
  const options = { root: true, kind: SpanKind.INTERNAL, attributes, links: isRecorded ? [{ context: cause }] : [] };
  return tracerOf('gamemaster').startActiveSpan(span.ask, options, async (asking) => {
    try {
      await bus.publish(message);
    } finally {
      asking.end();
    }
  });
}
