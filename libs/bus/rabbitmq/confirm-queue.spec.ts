import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import amqp, { type ConfirmChannel } from 'amqplib';
import { MAX_UNCONFIRMED, MAX_WAITING } from '../core/message-limits.ts';
import { type ConfirmQueue, confirmQueue, type Publication } from './confirm-queue.ts';

type Confirm = (error: Error | null) => void;

/** A channel that confirms when the test says so. */
function channel() {
  const sent: { key: string; options: Record<string, unknown>; confirm: Confirm }[] = [];
  const emitter = new EventEmitter();
  const state = { isClosed: false, throws: undefined as Error | undefined };
  const publish = (_: string, key: string, __: Buffer, options: Record<string, unknown>, confirm: Confirm) => {
    if (state.isClosed) throw new amqp.IllegalOperationError('Channel closed');
    if (state.throws) throw state.throws;
    sent.push({ key, options, confirm });
    return true;
  };
  const fake = Object.assign(emitter, { publish }) as unknown as ConfirmChannel;
  const close = () => {
    state.isClosed = true;
    for (const { confirm } of sent) confirm(new Error('channel closed'));
  };
  return { fake, sent, state, close, keys: () => sent.map(({ key }) => key) };
}

const publication = (key: string, changes: Partial<Publication> = {}): Publication => ({
  exchange: '',
  key,
  body: Buffer.alloc(0),
  properties: { messageId: key },
  mandatory: false,
  expectsReply: false,
  ...changes,
});

describe('confirmQueue', () => {
  let returned: string[];
  let unconfirmed: string[];
  let out: ConfirmQueue;
  beforeEach(() => {
    returned = [];
    unconfirmed = [];
    out = confirmQueue('test', { onUnroutable: (key) => returned.push(key), onUnconfirmed: (key) => unconfirmed.push(key) });
  });
  afterEach(async () => {
    await out.close(0);
    jest.useRealTimers();
  });
  const settled = async (promise: Promise<unknown>) => {
    let is = false;
    const mark = () => void (is = true);
    promise.then(mark, mark);
    await new Promise((resolve) => setImmediate(resolve));
    return is;
  };

  it('waits for a channel and resolves on the confirm', async () => {
    const sent = out.send(publication('a'));
    const { fake, sent: seen } = channel();
    out.resume(fake, 'me');
    expect(seen).toHaveLength(1);
    expect(await settled(sent)).toBe(false);
    seen[0]!.confirm(null);
    await sent;
  });

  it('tells of a confirm that does not come, though others do, until it is sent again', async () => {
    jest.useFakeTimers();
    await out.close(0);
    out = confirmQueue('test', { onUnroutable: () => undefined, onUnconfirmed: (key) => unconfirmed.push(key) });
    const [first, second] = [channel(), channel()];
    out.resume(first.fake, 'me');
    const forgotten = out.send(publication('forgotten'));
    jest.advanceTimersByTime(20_000);
    const other = out.send(publication('other'));
    first.sent[1]!.confirm(null);
    await other;
    expect(unconfirmed).toEqual([]);
    jest.advanceTimersByTime(15_000);
    expect(unconfirmed).toEqual(['forgotten']);
    out.suspend();
    out.resume(second.fake, 'me');
    jest.advanceTimersByTime(25_000);
    expect([unconfirmed, second.keys()]).toEqual([['forgotten'], ['forgotten']]);
    second.sent[0]!.confirm(null);
    await forgotten;
    jest.advanceTimersByTime(60_000);
    expect(unconfirmed).toEqual(['forgotten']);
  });

  it('counts unconfirmed publications, sent or waiting', async () => {
    expect(out.size()).toBe(0);
    const sent = ['a', 'b'].map((key) => out.send(publication(key)));
    expect(out.size()).toBe(2);
    const { fake, sent: seen } = channel();
    out.resume(fake, 'me');
    expect(out.size()).toBe(2);
    seen[0]!.confirm(null);
    await sent[0];
    expect(out.size()).toBe(1);
    out.suspend();
    expect(out.size()).toBe(1);
    out.resume(fake, 'me');
    seen.at(-1)!.confirm(null);
    await sent[1];
    expect(out.size()).toBe(0);
  });

  it('resends unconfirmed publications on the next channel, oldest first', async () => {
    const [first, second] = [channel(), channel()];
    out.resume(first.fake, 'me');
    const all = ['a', 'b', 'c'].map((key) => out.send(publication(key)));
    first.sent[1]!.confirm(null);
    first.close();
    out.suspend();
    all.push(out.send(publication('d')));
    out.resume(second.fake, 'me');
    expect(second.keys()).toEqual(['a', 'c', 'd']);
    for (const { confirm } of second.sent) confirm(null);
    await Promise.all(all);
  });

  it('sets the reply-to of the channel it sends on', () => {
    const [first, second] = [channel(), channel()];
    void out.send(publication('a', { expectsReply: true })).catch(() => undefined);
    out.resume(first.fake, 'old');
    out.suspend();
    out.resume(second.fake, 'new');
    expect([first, second].map(({ sent }) => sent[0]!.options['replyTo'])).toEqual(['old', 'new']);
  });

  it(`sends at most ${MAX_UNCONFIRMED} unconfirmed publications`, () => {
    const { fake, sent } = channel();
    out.resume(fake, 'me');
    for (let n = 0; n < MAX_UNCONFIRMED + 5; n++) out.send(publication(`${n}`)).catch(() => undefined);
    expect(sent).toHaveLength(MAX_UNCONFIRMED);
    sent[0]!.confirm(null);
    sent[1]!.confirm(null);
    expect(sent).toHaveLength(MAX_UNCONFIRMED + 2);
  });

  it(`lets at most ${MAX_WAITING} publications wait`, async () => {
    for (let n = 0; n < MAX_WAITING; n++) out.send(publication(`${n}`)).catch(() => undefined);
    await expect(out.send(publication('one too many'))).rejects.toThrow(/10000 messages already wait for the broker/);
  });

  it('retries a publication that the broker rejected', async () => {
    jest.useFakeTimers();
    const { fake, sent, keys } = channel();
    out.resume(fake, 'me');
    const one = out.send(publication('a'));
    sent[0]!.confirm(new Error('message nacked'));
    expect(keys()).toEqual(['a']);
    jest.advanceTimersByTime(1_000);
    expect(keys()).toEqual(['a', 'a']);
    sent[1]!.confirm(null);
    await one;
  });

  it('tells of a publication that the broker rejects all the time, once on each connection', async () => {
    jest.useFakeTimers();
    await out.close(0);
    out = confirmQueue('test', { onUnroutable: () => undefined, onUnconfirmed: (key) => unconfirmed.push(key) });
    const rejectedOn = (all: ReturnType<typeof channel>['sent'], ms: number): void => {
      for (const end = performance.now() + ms; performance.now() < end; jest.advanceTimersByTime(100))
        for (const { confirm } of all.splice(0)) confirm(new Error('message nacked'));
    };
    const [first, second] = [channel(), channel()];
    out.resume(first.fake, 'me');
    const one = out.send(publication('a'));
    rejectedOn(first.sent, 29_000);
    expect(unconfirmed).toEqual([]);
    rejectedOn(first.sent, 6_000);
    expect(unconfirmed).toEqual(['a']);
    out.suspend();
    out.resume(second.fake, 'me');
    rejectedOn(second.sent, 20_000);
    expect(unconfirmed).toEqual(['a']);
    jest.advanceTimersByTime(1_000);
    second.sent[0]!.confirm(null);
    await one;
  });

  it('rejects an unroutable publish after its retries', async () => {
    const due = publication('gone', { mandatory: true });
    const one = out.send(due);
    for (let n = 0; n < 3; n++) {
      const { fake, sent } = channel();
      out.resume(fake, 'me');
      expect(sent[0]!.options['mandatory']).toBe(true);
      fake.emit('return', { fields: { exchange: '', routingKey: 'gone' }, properties: { messageId: 'gone' } });
      if (n < 2) {
        sent[0]!.confirm(null);
        expect(await settled(one)).toBe(false);
        expect(returned).toHaveLength(n + 1);
        out.suspend();
      } else sent[0]!.confirm(null);
    }
    await expect(one).rejects.toThrow(/no queue is bound to gone/);
  });

  it('finds the forbidden publication and sends the others', async () => {
    const outcomes: string[] = [];
    const all = ['a', 'b', 'c'].map((key) =>
      out.send(publication(key, { exchange: 'commands' })).then(
        () => outcomes.push(`${key} sent`),
        (error: Error) => outcomes.push(error.message),
      ),
    );
    const forbid = (one: ReturnType<typeof channel>) => {
      one.fake.emit('error', Object.assign(new Error('ACCESS_REFUSED'), { code: 403 }));
      one.close();
      out.suspend();
    };
    const [first, second, third, fourth] = [channel(), channel(), channel(), channel()];
    for (const one of [first, second, third, fourth]) one.fake.on('error', () => undefined);
    out.resume(first.fake, 'me');
    expect(first.keys()).toEqual(['a', 'b', 'c']);
    forbid(first);
    out.resume(second.fake, 'me');
    expect(second.keys()).toEqual(['a']);
    second.sent[0]!.confirm(null);
    expect(second.keys()).toEqual(['a', 'b']);
    forbid(second);
    out.resume(third.fake, 'me');
    expect(third.keys()).toEqual(['c']);
    third.close(); // For another reason: it is nobody's fault.
    out.suspend();
    out.resume(fourth.fake, 'me');
    fourth.sent[0]!.confirm(null);
    for (const key of ['d', 'e']) out.send(publication(key)).catch(() => undefined);
    expect(fourth.keys()).toEqual(['c', 'd', 'e']);
    await Promise.all(all);
    expect(outcomes.toSorted()).toEqual(['a sent', 'c sent', 'the broker does not allow test to send b to commands: ACCESS_REFUSED']);
  });

  it('rejects a publication that cannot be encoded, and continues', async () => {
    const { fake, state, sent } = channel();
    out.resume(fake, 'me');
    state.throws = new TypeError('messageId is too long');
    await expect(out.send(publication('a'))).rejects.toThrow(/too long/);
    state.throws = undefined;
    const next = out.send(publication('b'));
    sent[0]!.confirm(null);
    await next;
  });

  it('drops an aborted publication unless it is sent, and never resends it', async () => {
    const [first, second] = [channel(), channel()];
    const [early, late] = [new AbortController(), new AbortController()];
    const reasons = [new Error('early'), new Error('late')];
    const never = out.send(publication('early'), early.signal);
    early.abort(reasons[0]);
    await expect(never).rejects.toBe(reasons[0]);
    out.resume(first.fake, 'me');
    const begun = out.send(publication('late'), late.signal);
    late.abort(reasons[1]);
    expect(await settled(begun)).toBe(false);
    out.suspend();
    out.resume(second.fake, 'me');
    await expect(begun).rejects.toBe(reasons[1]);
    expect([first.keys(), second.keys()]).toEqual([['late'], []]);
    await expect(out.send(publication('x'), late.signal)).rejects.toBe(reasons[1]);
  });

  it('waits for confirms when closing, then rejects the rest', async () => {
    const { fake, sent } = channel();
    out.resume(fake, 'me');
    const [good, bad] = [out.send(publication('good')), out.send(publication('bad')).catch((error: Error) => error.message)];
    const closing = out.close(50);
    expect(await settled(closing)).toBe(false);
    sent[0]!.confirm(null);
    await good;
    await closing;
    expect(await bad).toMatch(/closed before the broker confirmed/);
    await expect(out.send(publication('x'))).rejects.toThrow(/closed/);
  });
});
