import { context } from '@opentelemetry/api';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import { contextFromHeaders } from '@maw/telemetry/trace-context.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { attribute, span } from '@maw/telemetry/names.ts';
import { inSpan } from '@maw/telemetry/spans.ts';
import { RequestTimeout } from '../bus.ts';
import type { Publisher } from './publisher.ts';
import { jsonOf, labelOf, senderLabelOf } from './parse.ts';
import type { SenderCheck } from './sender-check.ts';
import type { RawMessage } from './transport.ts';

interface Waiting {
  /** What was asked. */
  readonly type: string;
  /** An answer has come. @throws UnreadableMessage */
  hear(raw: unknown): void;
  fail(error: unknown): void;
  /** Sends it again at once, if it is under way. */
  again(): void;
}

export interface Requests {
  ask(message: Message, signal: AbortSignal | undefined): Promise<Reply>;
  take(parcel: RawMessage): void;
  /** Answers under way may be lost: all is asked again. */
  again(): void;
  close(): void;
}

/** Node takes longer times for none at all. */
const LONGEST_TIMER = 2_147_483_647;

/** Asks, and asks again with the same id, twice as late each time, until there is an answer or nobody needs one any more. */
export function requestsOver(given: {
  post: Publisher;
  senders: SenderCheck;
  service: string;
  system: string;
  now(): number;
  resendMs: number;
}): Requests {
  const { post, senders, service, system, now, resendMs } = given;
  // The same question may be asked twice at once: one answer is enough for both.
  const waiting = new Map<string, Set<Waiting>>();
  let isClosed = false;

  async function ask(message: Message, signal: AbortSignal | undefined): Promise<Reply> {
    const { id, type } = message;
    if (message.replyby === undefined)
      throw new TypeError(`${type} ${id} has no replyby: write it with replyBy, the time until which you wait`);
    if (!contracts.get(type).reply) throw new TypeError(`${type} is never answered: publish it`);
    if (isClosed) throw closed();
    signal?.throwIfAborted();
    const deadline = Date.parse(message.replyby);
    const over = new AbortController();
    const parent = context.active();
    const timers: { resend?: NodeJS.Timeout; deadline?: NodeJS.Timeout } = {};
    const answer = Promise.withResolvers<Reply>();
    const began = performance.now();
    let waitMs = resendMs;
    let isUnderWay = false;

    const send = (): void => {
      isUnderWay = false;
      const sent = () => {
        isUnderWay = true;
        timers.resend = setTimeout(resend, Math.min(waitMs, LONGEST_TIMER)).unref();
        waitMs *= 2;
      };
      post.message(message, { asks: true, signal: over.signal, parent }).then(
        () => over.signal.aborted || sent(),
        (error: unknown) => answer.reject(error),
      );
    };
    const resend = (): void => {
      if (!isUnderWay) return;
      clearTimeout(timers.resend);
      metrics.resent.inc({ service, type });
      send();
    };
    const watch = (): void => {
      const leftMs = deadline - now();
      if (leftMs > 0) timers.deadline = setTimeout(watch, Math.min(leftMs, LONGEST_TIMER));
      else {
        metrics.unanswered.inc({ service, type });
        answer.reject(new RequestTimeout(`${type} ${id}: nobody answered until ${message.replyby}`));
      }
    };
    const abort = (): void => answer.reject(signal!.reason);

    const one: Waiting = {
      type,
      hear: (raw) => answer.resolve(contracts.readReply(type, raw) as Reply),
      fail: answer.reject,
      again: resend,
    };
    waiting.set(id, (waiting.get(id) ?? new Set()).add(one));
    signal?.addEventListener('abort', abort, { once: true });
    watch();
    if (timers.deadline) send();
    try {
      const reply = await answer.promise;
      metrics.answerSeconds.observe({ service, type }, (performance.now() - began) / 1000);
      return reply;
    } finally {
      over.abort();
      clearTimeout(timers.resend);
      clearTimeout(timers.deadline);
      signal?.removeEventListener('abort', abort);
      const others = waiting.get(id)!;
      others.delete(one);
      if (!others.size) waiting.delete(id);
    }
  }

  const closed = () => new Error(`the bus of ${service} is closed: nobody will hear the answer`);
  const all = () => [...waiting.values()].flatMap((some) => [...some]);

  return {
    ask,
    take: (parcel) => {
      const askers = [...(waiting.get(parcel.correlationId ?? '') ?? [])];
      const type = labelOf(parcel.type);
      let sender = senderLabelOf(undefined); // not read where nobody waits for it
      // Nobody waits for it any more, or another one was quicker.
      if (!askers.length) return metrics.messagesTaken.inc({ service, sender, type, outcome: 'late' });
      const attributes = {
        [attribute.messagingSystem]: system,
        [attribute.messagingOperation]: 'process',
        [attribute.messagingName]: 'process',
        [attribute.messageId]: parcel.id,
        [attribute.conversation]: parcel.correlationId,
      };
      let outcome = 'done';
      const hear = () => {
        const forgery = senders.forgedAnswer(parcel, askers[0]!.type);
        if (forgery) {
          outcome = 'dropped'; // The true one may still come.
          return senders.count(parcel.type, forgery);
        }
        const raw = jsonOf(parcel);
        sender = senderLabelOf(raw);
        for (const asker of askers) asker.hear(raw);
      };
      inSpan(service, span.process(type), { kind: 'consumer', parent: contextFromHeaders(parcel.headers), attributes }, hear).then(
        () => metrics.messagesTaken.inc({ service, sender, type, outcome }),
        (error: unknown) => {
          metrics.messagesTaken.inc({ service, sender, type, outcome: 'unreadable' });
          for (const asker of askers) asker.fail(error);
        },
      );
    },
    again: () => all().forEach(({ again }) => again()),
    close: () => {
      isClosed = true;
      for (const { fail } of all()) fail(closed());
    },
  };
}
