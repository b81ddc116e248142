/** Writes AMQP 0-9-1 as clients and servers do, for specs. */

const short = (text: string): Buffer => Buffer.concat([Buffer.from([Buffer.byteLength(text)]), Buffer.from(text)]);
const number = (value: number, bytes: 2 | 4 | 8): Buffer => {
  const buffer = Buffer.alloc(bytes);
  if (bytes === 8) buffer.writeBigUInt64BE(BigInt(value));
  else buffer.writeUIntBE(value, 0, bytes);
  return buffer;
};
export const frame = (type: number, channel: number, payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from([type]), number(channel, 2), number(payload.length, 4), payload, Buffer.from([0xce])]);
export const method = (channel: number, klass: number, id: number, ...args: Buffer[]): Buffer =>
  frame(1, channel, Buffer.concat([number(klass, 2), number(id, 2), ...args]));
export const publish = (channel: number, exchange: string, key: string): Buffer =>
  method(channel, 60, 40, number(0, 2), short(exchange), short(key), Buffer.from([1]));
export const deliver = (channel: number, exchange: string, key: string): Buffer =>
  method(channel, 60, 60, short('consumer'), number(7, 8), Buffer.from([1]), short(exchange), short(key));
export interface Outside {
  readonly type?: string;
  readonly id?: string;
  readonly correlationId?: string;
  readonly replyTo?: string;
}

/** The header of a content with every property there is. */
export const header = (channel: number, size: number, { type = '', id = '', correlationId = '', replyTo = '' }: Outside): Buffer => {
  const table = Buffer.concat([short('x'), Buffer.from('S'), number(3, 4), Buffer.from('abc')]);
  const all = [
    short('application/json'),
    short('gzip'),
    Buffer.concat([number(table.length, 4), table]),
    Buffer.from([2]),
    Buffer.from([0]),
    short(correlationId),
    short(replyTo),
    short('60000'),
    short(id),
    number(1_800_000_000, 8),
    short(type),
    short('user'),
    short('web'),
    short(''),
  ];
  return frame(2, channel, Buffer.concat([number(60, 2), number(0, 2), number(size, 8), number(0xff_fc, 2), ...all]));
};
/** One without any. */
export const bare = (channel: number, size: number): Buffer =>
  frame(2, channel, Buffer.concat([number(60, 2), number(0, 2), number(size, 8), number(0, 2)]));
export const body = (channel: number, text: string): Buffer => frame(3, channel, Buffer.from(text));

/** What a client sends to publish a message. */
export const published = (exchange: string, key: string, outside: Outside, content: unknown): Buffer => {
  const text = JSON.stringify(content);
  return Buffer.concat([publish(1, exchange, key), header(1, Buffer.byteLength(text), outside), body(1, text)]);
};

/** What a server sends to hand one out. */
export const delivered = (exchange: string, key: string, outside: Outside, content: unknown): Buffer => {
  const text = JSON.stringify(content);
  return Buffer.concat([deliver(1, exchange, key), header(1, Buffer.byteLength(text), outside), body(1, text)]);
};
