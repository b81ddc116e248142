import { SpanKind, trace } from '@opentelemetry/api';
import type { Bus } from '@maw/bus/bus.ts';
import { attribute, span } from '@maw/telemetry/names.ts';
import { tracerOf } from '@maw/telemetry/spans.ts';
import type { DerivedMessages } from './derive-messages.ts';

/**
 * Says what follows. Every question begins a trace of its own that ends with the act it leads to, linked to the one that led to it;
 * otherwise a whole game would be one trace.
 * @param table what it follows at
 */
export async function publishMessages(
  bus: Bus,
  table: string,
  { notices: told, decisions: asked, newPhase: reached }: DerivedMessages,
): Promise<void> {
  // In no trace, and linked to none: the act of a seat that ends a night tells that the seat was asked by night.
  if (reached !== undefined)
    tracerOf('gamemaster')
      .startSpan(span.phase, { root: true, attributes: { [attribute.table]: table, [attribute.phase]: reached } })
      .end();
  await Promise.all([
    ...told.map((message) => bus.publish(message)),
    ...asked.map((message) => {
      const cause = trace.getActiveSpan()?.spanContext();
      const { seat } = message.data;
      const attributes = {
        [attribute.table]: message.subject,
        [attribute.seat]: seat,
        [attribute.decision]: message.id,
      };
      const links = cause ? [{ context: cause }] : [];
      return tracerOf('gamemaster').startActiveSpan(
        span.ask,
        { root: true, kind: SpanKind.INTERNAL, attributes, links },
        async (asking) => {
          try {
            await bus.publish(message);
          } finally {
            asking.end();
          }
        },
      );
    }),
  ]);
}
