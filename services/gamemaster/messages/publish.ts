import { SpanKind, trace } from '@opentelemetry/api';
import type { Bus } from '@maw/bus/bus.ts';
import { attribute, span } from '@maw/telemetry/span-names.ts';
import { tracerOf } from '@maw/telemetry/spans.ts';
import type { DerivedMessages } from './derive-messages.ts';

/**
 * Publishes derived messages. Every question starts its own trace, linked to its cause: otherwise a whole game would be one trace.
 * @param table where they were derived
 */
export async function publishMessages(
  bus: Bus,
  table: string,
  { notices: told, decisions: asked, newPhase: reached }: DerivedMessages,
): Promise<void> {
  // Linked to no trace: the act that ends a night would reveal that its seat was asked at night.
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
