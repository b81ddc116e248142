import { createHash } from 'node:crypto';
import type { TrafficListener } from '../network/fault-proxy.ts';
import { type AmqpMessage, amqpParser } from '../network/amqp-parser.ts';

/** One answer as the service gave it to the broker. */
export interface RecordedAnswer {
  readonly by: string;
  readonly performative: string;
  /** Why it was refused, or failed. */
  readonly reason: string | undefined;
  /** Two answers that say the same have the same. */
  readonly digest: string;
  readonly at: number;
}

/** A request: everything that passed between its asker and whoever answered. Times are milliseconds since the epoch. */
export interface RecordedRequest {
  readonly id: string;
  readonly type: string;
  readonly table: string;
  /** The service that asked. */
  readonly by: string;
  readonly seat: number | undefined;
  /** Until when it waits for an answer. */
  until: number;
  /** When it was sent, each time, and to which queue the answer was to come. */
  readonly sent: { readonly at: number; readonly replyTo: string }[];
  readonly said: RecordedAnswer[];
  /** When an answer was handed to the asker, each time. */
  readonly heard: number[];
}

export interface RequestRecorder {
  /** What was asked about a table, in the order it was first asked. */
  of(table: string): readonly RecordedRequest[];
  /** Forgets what was asked about a table. */
  forget(table: string): void;
  /** How many messages have passed. */
  letters(): number;
  /** Listens on a connection of a service to the broker. */
  listen(service: string): TrafficListener;
}

/** Keeps what is asked and answered, by listening on the way between the services and the broker, where nothing can be hidden from it. */
export function requestRecorder(now: () => number): RequestRecorder {
  /** By the id of the message; the same id sent again is the same request. */
  const asked = new Map<string, RecordedRequest>();
  const tables = new Map<string, RecordedRequest[]>();
  let letters = 0;

  function request(service: string, { body, replyTo, id, type }: AmqpMessage): void {
    // Whoever passes a request on sends it under the same id, on behalf of the asker.
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

  function hear(service: string, letter: AmqpMessage): void {
    letters++;
    const isToAsker = letter.key.startsWith('reply.'); // by whichever exchange
    if (letter.how === 'deliver') {
      if (isToAsker) asked.get(letter.correlationId ?? '')?.heard.push(now());
    } else if (isToAsker) answer(service, letter);
    else if (letter.exchange === 'commands') request(service, letter);
  }

  return {
    of: (table) => tables.get(table) ?? [],
    forget(table) {
      for (const { id } of tables.get(table) ?? []) asked.delete(id);
      tables.delete(table);
    },
    letters: () => letters,
    listen: (service) => ({ up: amqpParser((letter) => hear(service, letter)), down: amqpParser((letter) => hear(service, letter)) }),
  };
}

const jsonOf = (body: Buffer): { readonly [field: string]: unknown } => JSON.parse(body.toString('utf8'));
