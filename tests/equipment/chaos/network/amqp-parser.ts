/** A message as it passed between a process and the broker: where to, what is written on the outside, and its bytes. */
export interface AmqpMessage {
  /** `publish`: the process sends it; `deliver`: it is handed to the process. */
  readonly how: 'publish' | 'deliver';
  readonly exchange: string;
  readonly key: string;
  readonly type: string | undefined;
  readonly id: string | undefined;
  readonly correlationId: string | undefined;
  readonly replyTo: string | undefined;
  readonly body: Buffer;
}

type Half = Omit<AmqpMessage, 'body' | 'type' | 'id' | 'correlationId' | 'replyTo'>;
type Outside = Pick<AmqpMessage, 'type' | 'id' | 'correlationId' | 'replyTo'>;

interface Coming {
  readonly half: Half;
  outside?: Outside;
  size: number;
  readonly pieces: Buffer[];
}

const METHOD = 1;
const HEADER = 2;
const BODY = 3;
const BASIC = 60;
const PUBLISH = 40;
const DELIVER = 60;

/**
 * Reads the letters in one direction of an AMQP 0-9-1 connection (the specification's chapter 4.2), in whatever pieces its bytes come.
 * @param hear of each letter once its last byte has passed
 */
export function amqpParser(hear: (letter: AmqpMessage) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let isBegun = false;
  const coming = new Map<number, Coming>();

  function frame(type: number, channel: number, payload: Buffer): void {
    if (type === METHOD) {
      coming.delete(channel); // a content that another method interrupts is none
      const half = halfOf(payload);
      if (half) coming.set(channel, { half, size: Number.POSITIVE_INFINITY, pieces: [] });
      return;
    }
    const one = coming.get(channel);
    if (!one) return;
    if (type === HEADER) {
      one.size = Number(payload.readBigUInt64BE(4));
      one.outside = outsideOf(payload);
    } else if (type === BODY) {
      one.pieces.push(payload);
      one.size -= payload.length;
    }
    if (one.size > 0 || !one.outside) return;
    coming.delete(channel);
    hear({ ...one.half, ...one.outside, body: Buffer.concat(one.pieces) });
  }

  return (bytes) => {
    rest = rest.length ? Buffer.concat([rest, bytes]) : bytes;
    if (!isBegun) {
      if (rest.length < 8) return;
      // The client begins with the name of the protocol, the server with a frame.
      if (rest.toString('latin1', 0, 4) === 'AMQP') rest = rest.subarray(8);
      isBegun = true;
    }
    while (rest.length >= 7) {
      const end = 7 + rest.readUInt32BE(3);
      if (rest.length <= end) break;
      frame(rest[0]!, rest.readUInt16BE(1), rest.subarray(7, end));
      rest = rest.subarray(end + 1);
    }
    rest = Buffer.from(rest);
  };
}

/** Strings and numbers one after another. */
function reading(bytes: Buffer, from: number) {
  let at = from;
  const skip = (many: number): void => void (at += many);
  const short = (): string => {
    const length = bytes[at]!;
    at += 1 + length;
    return bytes.toString('utf8', at - length, at);
  };
  const long = (): void => skip(4 + bytes.readUInt32BE(at));
  return { skip, short, long };
}

function halfOf(payload: Buffer): Half | undefined {
  if (payload.readUInt16BE(0) !== BASIC) return undefined;
  const method = payload.readUInt16BE(2);
  const { skip, short } = reading(payload, 4);
  if (method === PUBLISH) skip(2);
  else if (method === DELIVER) {
    short(); // the consumer
    skip(9); // the delivery's number, and whether it comes again
  } else return undefined;
  return { how: method === PUBLISH ? 'publish' : 'deliver', exchange: short(), key: short() };
}

/** The properties, in the order of the specification; a bit for each says whether it is there. */
function outsideOf(payload: Buffer): Outside {
  const flags = payload.readUInt16BE(12);
  const has = (bit: number): boolean => (flags & (1 << bit)) !== 0;
  const { skip, short, long } = reading(payload, 14);
  if (has(15)) short(); // content type
  if (has(14)) short(); // content encoding
  if (has(13)) long(); // headers
  if (has(12)) skip(1); // delivery mode
  if (has(11)) skip(1); // priority
  const correlationId = has(10) ? short() : undefined;
  const replyTo = has(9) ? short() : undefined;
  if (has(8)) short(); // expiration
  const id = has(7) ? short() : undefined;
  if (has(6)) skip(8); // time
  const type = has(5) ? short() : undefined;
  return { type, id, correlationId, replyTo };
}
