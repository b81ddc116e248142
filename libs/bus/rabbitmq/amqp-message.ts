import type { ConsumeMessage, GetMessage, Options } from 'amqplib';
import { omitUndefined } from '@maw/contracts/omit-undefined.ts';
import type { RawMessage } from '../core/transport.ts';

export function fromAmqp({ content, properties }: Pick<ConsumeMessage | GetMessage, 'content' | 'properties'>): RawMessage {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  return {
    body: content,
    id: text(properties.messageId),
    type: text(properties.type),
    replyTo: text(properties.replyTo),
    correlationId: text(properties.correlationId),
    user: text(properties.userId),
    headers: { ...properties.headers },
  };
}

/**
 * A persistent message for the broker.
 * @param user our user at the broker, which it verifies; it closes the channel over any other. Undefined leaves it out, as where all services
 * share a user
 */
export function toAmqp(message: RawMessage, service: string, user: string | undefined): { body: Buffer; properties: Options.Publish } {
  const { body, id: messageId, type, replyTo, correlationId, expiresInMs, headers } = message;
  const expiration = expiresInMs === undefined ? undefined : String(expiresInMs);
  const given = omitUndefined({ userId: user, messageId, type, replyTo, correlationId, expiration });
  return { body, properties: { persistent: true, contentType: 'application/cloudevents+json', appId: service, headers, ...given } };
}
