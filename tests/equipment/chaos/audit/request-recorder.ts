import { createHash } from 'node:crypto';
import type { TrafficListener } from '../network/fault-proxy.ts';
import { type AmqpMessage, amqpParser } from '../network/amqp-parser.ts';

/** A reply as the service sent it. */
export interface RecordedAnswer {
  readonly by: string;
  readonly performative: string;
  /** The reason of a refusal or failure. */
  readonly reason: string | undefined;
  /** Equal for equal replies. */
  readonly digest: string;
  readonly at: number;
}

/** A request with all its copies and replies. Times are milliseconds since the epoch. */
export interface RecordedRequest {
  readonly id: string;
  readonly type: string;
  readonly table: string;
  /** The requesting service. */
  readonly by: string;
  readonly seat: number | undefined;
  /** Its deadline. */
  until: number;
  /** Each time it was sent, with its reply queue. */
  readonly sent: { readonly at: number; readonly replyTo: string }[];
  readonly said: RecordedAnswer[];
  /** Each time a reply was delivered. */
  readonly heard: number[];
}

export interface RequestRecorder {
  /** The requests about a table, in order. */
  of(table: string): readonly RecordedRequest[];
  all(): readonly RecordedRequest[];
  /** Drops the requests about a table. */
  forget(table: string): void;
  /** The number of messages so far. */
  messages(): number;
  /** A listener for a connection of a service to the broker. */
  listen(service: string): TrafficListener;
}

/** Records all requests and replies from the traffic between services and broker. */
export function requestRecorder(now: () => number): RequestRecorder {
  /** By message id; a copy has the same. */
  const asked = new Map<string, RecordedRequest>();
  const tables = new Map<string, RecordedRequest[]>();
  let messages = 0;

  function request(service: string, { body, replyTo, id, type }: AmqpMessage): void {
    // A service that forwards a request keeps its id and reply queue.
    if (id === undefined || type === undefined || replyTo === undefined || !replyTo.startsWith(`reply.${service}.`)) return;
    const said = jsonOf(body);
    const until = Date.parse(String(said['replyby']));
    const known = asked.get(id);
    if (known) {
      known.sent.push({ at: now(), replyTo });
      known.until = Math.max(known.until, until);
      return;
    }
    const seat = (said['data'] as { seat?: number } | undefined)?.seat;
    const table = String(said['subject']);
    const one: RecordedRequest = { id, type, table, by: service, seat, until, sent: [{ at: now(), replyTo }], said: [], heard: [] };
    asked.set(id, one);
    const others = tables.get(table);
    if (others) others.push(one);
    else tables.set(table, [one]);
  }

  function answer(service: string, { body, correlationId }: AmqpMessage): void {
    const one = asked.get(correlationId ?? '');
    if (!one) return;
    const { performative, data } = jsonOf(body);
    const reason = (data as { reason?: string } | undefined)?.reason;
    const isGood = performative === 'agree' || performative === 'inform';
    const digest = createHash('sha256')
      .update(JSON.stringify([performative, data]))
      .digest('base64url')
      .slice(0, 16);
    one.said.push({ by: service, performative: String(performative), reason: isGood ? undefined : reason, digest, at: now() });
  }

  function hear(service: string, message: AmqpMessage): void {
    messages++;
    const isToAsker = message.key.startsWith('reply.'); // through any exchange
    if (message.how === 'deliver') {
      if (isToAsker) asked.get(message.correlationId ?? '')?.heard.push(now());
    } else if (isToAsker) answer(service, message);
    else if (message.exchange === 'commands') request(service, message);
  }

  return {
    of: (table) => tables.get(table) ?? [],
    all: () => [...asked.values()],
    forget(table) {
      for (const { id } of tables.get(table) ?? []) asked.delete(id);
      tables.delete(table);
    },
    messages: () => messages,
    listen: (service) => ({ up: amqpParser((message) => hear(service, message)), down: amqpParser((message) => hear(service, message)) }),
  };
}

const jsonOf = (body: Buffer): { readonly [field: string]: unknown } => JSON.parse(body.toString('utf8'));
