import type { ConsumeMessage, GetMessage, Options } from 'amqplib';
import type { Parcel } from './wire.ts';

/** A parcel as it came from the broker. */
export function parcelOf({ content, properties }: Pick<ConsumeMessage | GetMessage, 'content' | 'properties'>): Parcel {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  return {
    body: content,
    id: text(properties.messageId),
    type: text(properties.type),
    replyTo: text(properties.replyTo),
    correlationId: text(properties.correlationId),
    headers: { ...properties.headers },
  };
}

/** A parcel as it goes to the broker, to be kept on disk. */
export function letterOfParcel(parcel: Parcel, service: string): { body: Buffer; properties: Options.Publish } {
  const { body, id, type, replyTo, correlationId, headers } = parcel;
  const properties = {
    persistent: true,
    contentType: 'application/cloudevents+json',
    appId: service,
    headers,
    ...(id === undefined ? {} : { messageId: id }),
    ...(type === undefined ? {} : { type }),
    ...(replyTo === undefined ? {} : { replyTo }),
    ...(correlationId === undefined ? {} : { correlationId }),
  };
  return { body, properties };
}
