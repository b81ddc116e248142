import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import amqp, { type ConfirmChannel } from 'amqplib';
import { type Letter, type ConfirmQueue, confirmQueue as newOutbox } from './confirm-queue.ts';
import { MAX_UNCONFIRMED, MAX_WAITING } from '../core/topology.ts';

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

const letter = (key: string, changes: Partial<Letter> = {}): Letter => ({
  exchange: '',
  key,
  body: Buffer.alloc(0),
  properties: { messageId: key },
  isDue: false,
  asks: false,
  ...changes,
});

describe('the outbox', () => {
  let returned: string[];
  let out: ConfirmQueue;
  beforeEach(() => {
    returned = [];
    out = newOutbox('test', (key) => returned.push(key));
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

  it('keeps what is sent until there is a channel, and resolves when it is confirmed', async () => {
    const sent = out.send(letter('a'));
    const { fake, sent: seen } = channel();
    out.resume(fake, 'me');
    expect(seen).toHaveLength(1);
    expect(await settled(sent)).toBe(false);
    seen[0]!.confirm(null);
    await sent;
  });

  it('says how many are not confirmed, on their way or waiting for a channel', async () => {
    expect(out.size()).toBe(0);
    const sent = ['a', 'b'].map((key) => out.send(letter(key)));
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

  it('sends all that was not confirmed again by the next channel, the oldest first, and nothing else', async () => {
    const [first, second] = [channel(), channel()];
    out.resume(first.fake, 'me');
    const all = ['a', 'b', 'c'].map((key) => out.send(letter(key)));
    first.sent[1]!.confirm(null);
    first.close();
    out.suspend();
    all.push(out.send(letter('d')));
    out.resume(second.fake, 'me');
    expect(second.keys()).toEqual(['a', 'c', 'd']);
    for (const { confirm } of second.sent) confirm(null);
    await Promise.all(all);
  });

  it('asks for the answer to come by the channel it is sent on', () => {
    const [first, second] = [channel(), channel()];
    void out.send(letter('a', { asks: true })).catch(() => undefined);
    out.resume(first.fake, 'old');
    out.suspend();
    out.resume(second.fake, 'new');
    expect([first, second].map(({ sent }) => sent[0]!.options['replyTo'])).toEqual(['old', 'new']);
  });

  it(`has at most ${MAX_UNCONFIRMED} under way`, () => {
    const { fake, sent } = channel();
    out.resume(fake, 'me');
    for (let n = 0; n < MAX_UNCONFIRMED + 5; n++) out.send(letter(`${n}`)).catch(() => undefined);
    expect(sent).toHaveLength(MAX_UNCONFIRMED);
    sent[0]!.confirm(null);
    sent[1]!.confirm(null);
    expect(sent).toHaveLength(MAX_UNCONFIRMED + 2);
  });

  it(`lets ${MAX_WAITING} wait for the broker, and no more`, async () => {
    for (let n = 0; n < MAX_WAITING; n++) out.send(letter(`${n}`)).catch(() => undefined);
    await expect(out.send(letter('one too many'))).rejects.toThrow(/10000 messages wait for the broker already/);
  });

  it('offers again, after a while, what the broker would not take', async () => {
    jest.useFakeTimers();
    const { fake, sent, keys } = channel();
    out.resume(fake, 'me');
    const one = out.send(letter('a'));
    sent[0]!.confirm(new Error('message nacked'));
    expect(keys()).toEqual(['a']);
    jest.advanceTimersByTime(1_000);
    expect(keys()).toEqual(['a', 'a']);
    sent[1]!.confirm(null);
    await one;
  });

  it('does not take a message for sent that reached no queue, and gives it up when it never does', async () => {
    const due = letter('gone', { isDue: true });
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
    await expect(one).rejects.toThrow(/there is no queue for gone/);
  });

  it('finds out by itself which one the broker does not let it send, and sends the others', async () => {
    const outcomes: string[] = [];
    const all = ['a', 'b', 'c'].map((key) =>
      out.send(letter(key, { exchange: 'commands' })).then(
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
    for (const key of ['d', 'e']) out.send(letter(key)).catch(() => undefined);
    expect(fourth.keys()).toEqual(['c', 'd', 'e']);
    await Promise.all(all);
    expect(outcomes.toSorted()).toEqual(['a sent', 'c sent', 'the broker does not let test send b to commands: ACCESS_REFUSED']);
  });

  it('rejects what cannot be written, and goes on', async () => {
    const { fake, state, sent } = channel();
    out.resume(fake, 'me');
    state.throws = new TypeError('messageId is too long');
    await expect(out.send(letter('a'))).rejects.toThrow(/too long/);
    state.throws = undefined;
    const next = out.send(letter('b'));
    sent[0]!.confirm(null);
    await next;
  });

  it('forgets what nobody wants sent any more, if it is not on its way, or when it would be sent again', async () => {
    const [first, second] = [channel(), channel()];
    const [early, late] = [new AbortController(), new AbortController()];
    const reasons = [new Error('early'), new Error('late')];
    const never = out.send(letter('early'), early.signal);
    early.abort(reasons[0]);
    await expect(never).rejects.toBe(reasons[0]);
    out.resume(first.fake, 'me');
    const begun = out.send(letter('late'), late.signal);
    late.abort(reasons[1]);
    expect(await settled(begun)).toBe(false);
    out.suspend();
    out.resume(second.fake, 'me');
    await expect(begun).rejects.toBe(reasons[1]);
    expect([first.keys(), second.keys()]).toEqual([['late'], []]);
    await expect(out.send(letter('x'), late.signal)).rejects.toBe(reasons[1]);
  });

  it('waits for what is not confirmed when it closes, rejects the rest, and takes no more', async () => {
    const { fake, sent } = channel();
    out.resume(fake, 'me');
    const [good, bad] = [out.send(letter('good')), out.send(letter('bad')).catch((error: Error) => error.message)];
    const closing = out.close(50);
    expect(await settled(closing)).toBe(false);
    sent[0]!.confirm(null);
    await good;
    await closing;
    expect(await bad).toMatch(/closed before the broker confirmed/);
    await expect(out.send(letter('x'))).rejects.toThrow(/closed/);
  });
});
