import type { ConsumeMessage, GetMessage, Options } from 'amqplib';
import type { RawMessage } from '../core/transport.ts';

/** A parcel as it came from the broker. */
export function parcelOf({ content, properties }: Pick<ConsumeMessage | GetMessage, 'content' | 'properties'>): RawMessage {
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
 * A parcel as it goes to the broker, to be kept on disk.
 * @param user the name that the broker knows us by, for it to check; any other it refuses, and closes the channel. Undefined where it says nothing
 * about who we are: where all services are one user, or it makes names of its own
 */
export function letterOfParcel(
  parcel: RawMessage,
  service: string,
  user: string | undefined,
): { body: Buffer; properties: Options.Publish } {
  const { body, id, type, replyTo, correlationId, headers } = parcel;
  const properties = {
    persistent: true,
    contentType: 'application/cloudevents+json',
    appId: service,
    ...(user === undefined ? {} : { userId: user }),
    headers,
    ...(id === undefined ? {} : { messageId: id }),
    ...(type === undefined ? {} : { type }),
    ...(replyTo === undefined ? {} : { replyTo }),
    ...(correlationId === undefined ? {} : { correlationId }),
  };
  return { body, properties };
}
