import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { contracts } from '@maw/contracts/contracts.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { PermanentError } from '../bus.ts';
import { asDeadLetter, asNextAttempt, asFirstAttempt } from './dead-letter.ts';
import { act, agreed, LONG_MS, moved, eventually, speak, tick } from '../suites/fixture.suite.ts';
import { metricValue } from '../suites/metric-value.suite.ts';
import { memoryBus, memoryHub, type MemoryHub } from '../memory/memory-bus.ts';
import { respondersOf, senderOf, createSenderCheck } from './sender-check.ts';
import { header } from './headers.ts';
import { OPERATOR, replyQueueOf } from './topology.ts';
import type { RawMessage } from './transport.ts';

const rawMessage = (changes: Partial<RawMessage>): RawMessage => ({ body: Buffer.from('{}'), headers: {}, ...changes });
const replyTo = (service: string) => replyQueueOf(service, randomUUID());
const services = ['gamemaster', 'chatroom', 'player', 'llm-gateway', 'web', 'aiwolf', 'contest'];
const checking = createSenderCheck({ service: 'gamemaster', user: 'gamemaster', isChecking: true });

describe('forgery', () => {
  const message = { type: 'table.act', source: 'player' };

  it('accepts a service that sends what its contracts allow', () => {
    const fine = services.flatMap((user) =>
      contracts.all
        .filter(({ name }) => !checking.forgery(rawMessage({ user }), { type: name, source: user }))
        .map(({ name }) => `${user} ${name}`),
    );
    expect(fine.toSorted()).toEqual(contracts.all.flatMap(({ name, from }) => from.map((user) => `${user} ${name}`)).toSorted());
  });

  it('accepts a foreign source only from the service that forwards the request', () => {
    const borrowed = services.flatMap((user) =>
      services
        .filter((source) => source !== user)
        .flatMap((source) =>
          contracts.all
            .filter(({ name }) => !checking.forgery(rawMessage({ user }), { type: name, source }))
            .map(({ name }) => `${user} says ${name} for ${source}`),
        ),
    );
    expect(borrowed).toEqual(['chatroom says table.act for player', 'chatroom says table.act for web']);
  });

  it('names the reason why a message is forged', () => {
    expect(checking.forgery(rawMessage({}), message)).toBe('no-user');
    expect(checking.forgery(rawMessage({ user: 'web' }), message)).toBe('other-user');
    expect(checking.forgery(rawMessage({ user: 'llm-gateway' }), message)).toBe('not-its-type');
    expect(checking.forgery(rawMessage({ user: 'player' }), { ...message, source: 'gamemaster' })).toBe('not-its-type');
    expect(checking.forgery(rawMessage({ user: 'player' }), { ...message, source: 'web' })).toBe('other-user');
    expect(checking.forgery(rawMessage({ user: 'player' }), { ...message, type: 'table.explode' })).toBe('not-its-type');
    expect(checking.forgery(rawMessage({ user: 'player' }), message)).toBeUndefined();
  });

  it('accepts a reply-to of the sender, or of the original requester', () => {
    const asked = (user: string, asker: string, changes: Partial<RawMessage> = {}) =>
      checking.forgery(rawMessage({ user, type: 'table.act', replyTo: asker, ...changes }), message);
    expect(asked('player', replyTo('player'))).toBeUndefined();
    expect(asked('player', replyTo('web'))).toBe('reply-to');
    expect(asked('player', 'gamemaster')).toBe('reply-to');
    expect(asked('player', `${replyTo('player')}x`)).toBe('reply-to');
    expect(asked('chatroom', replyTo('player'), { headers: { [header.answers]: 'room.speak' } })).toBeUndefined();
    expect(asked('chatroom', replyTo('llm-gateway'), { headers: { [header.answers]: 'room.speak' } })).toBe('reply-to');
    expect(asked('chatroom', replyTo('web'), { headers: { [header.answers]: 'room.open' } })).toBe('reply-to');
    expect(checking.forgery(rawMessage({ user: 'player', replyTo: replyTo('player') }), undefined)).toBeUndefined();
    expect(checking.forgery(rawMessage({ user: 'player', replyTo: replyTo('web') }), undefined)).toBe('reply-to');
    expect(checking.forgery(rawMessage({ replyTo: replyTo('web') }), undefined)).toBe('no-user');
  });

  it('accepts replies of receivers, also after forwarding', () => {
    expect(respondersOf('table.act')).toEqual(['gamemaster']);
    expect(respondersOf('room.speak')).toEqual(['chatroom', 'gamemaster']);
    expect(respondersOf('llm.complete')).toEqual(['llm-gateway']);
    expect(respondersOf('table.explode')).toEqual([]);
    const answer = (user: string | undefined, source: string) =>
      checking.forgedReply(rawMessage({ user, body: Buffer.from(JSON.stringify({ source })) }), 'room.speak');
    expect(answer('gamemaster', 'gamemaster')).toBeUndefined();
    expect(answer('chatroom', 'gamemaster')).toBe('other-user');
    expect(answer('web', 'web')).toBe('not-its-type');
    expect(answer(undefined, 'gamemaster')).toBe('no-user');
    expect(checking.forgedReply(rawMessage({ user: 'web', body: Buffer.from('{') }), 'room.speak')).toBe('not-its-type');
    expect(checking.forgedReply(rawMessage({ user: 'chatroom', body: Buffer.from('{') }), 'room.speak')).toBeUndefined();
  });

  it('accepts everything when checking is off', () => {
    const trusting = createSenderCheck({ service: 'gamemaster', user: 'guest', isChecking: false });
    expect(trusting.forgery(rawMessage({ replyTo: 'anywhere' }), { type: 'table.act', source: 'nobody' })).toBeUndefined();
    expect(trusting.forgedReply(rawMessage({}), 'table.act')).toBeUndefined();
  });
});

describe('senderOf', () => {
  const noted = (user: string | undefined) => rawMessage({ user, headers: { [header.sender]: 'web' } });

  it('trusts the noted sender only from the queue owner or the operator', () => {
    expect(senderOf(rawMessage({ user: 'player' }), 'gamemaster')).toBe('player');
    expect(senderOf(noted('gamemaster'), 'gamemaster')).toBe('web');
    expect(senderOf(noted(OPERATOR), 'gamemaster')).toBe('web');
    expect(senderOf(noted('player'), 'gamemaster')).toBe('player');
    expect(senderOf(noted(undefined), 'gamemaster')).toBeUndefined();
    expect(senderOf(rawMessage({ user: 'gamemaster' }), 'gamemaster')).toBe('gamemaster');
  });

  it('is overwritten on every copy', () => {
    const why = { reason: 'failed', error: '', queue: 'q', at: 0, attempts: 1 };
    for (const [sender, expected] of [
      ['player', 'player'],
      [undefined, undefined],
    ] as const) {
      expect(asNextAttempt(noted('player'), 2, sender).headers[header.sender]).toBe(expected);
      expect(asDeadLetter(noted('player'), { ...why, sender }).headers[header.sender]).toBe(expected);
      expect(asFirstAttempt(noted('player'), sender).headers[header.sender]).toBe(expected);
    }
    expect(Object.keys(asNextAttempt(rawMessage({ headers: { CC: ['x'], BCC: ['y'] } }), 2, undefined).headers)).toEqual([header.attempt]);
  });
});

describe('a bus that checks senders', () => {
  let hub: MemoryHub;
  const opened: { close(): Promise<void> }[] = [];
  const open = (service: string, changes: object = {}) => {
    const bus = memoryBus({ service, hub, retryMs: [10, 20], graceMs: 100, checkSender: true, ...changes });
    opened.push(bus);
    return bus;
  };
  beforeEach(() => {
    hub = memoryHub();
  });
  afterEach(async () => {
    for (const bus of opened.splice(0)) await bus.close();
  });
  const forged = (reason: string, type: string) => metricValue(metrics.forged, { service: 'gamemaster', reason, type });

  it('drops and counts forged messages without a reply', async () => {
    const heard: number[] = [];
    await open('gamemaster').consume('gamemaster', ['table.act', 'table.tick'], { concurrency: 1 }, async (message) => {
      heard.push(message.type === 'table.act' ? message.data.seat : -1);
      return message.type === 'table.act' ? agreed(message.data.seat) : undefined;
    });
    const [player, web] = [open('player'), open('web')];
    const before = [await forged('other-user', 'table.act'), await forged('not-its-type', 'table.tick')];
    await web.publish(act(1));
    await player.publish({ ...tick(1), source: 'gamemaster' });
    expect(await player.request(act(2))).toEqual(agreed(2));
    expect(heard).toEqual([2]);
    expect([await forged('other-user', 'table.act'), await forged('not-its-type', 'table.tick')]).toEqual(before.map((n) => n + 1));
    expect(hub.dead).toEqual([]);
  });

  it('drops messages without a user, readable or not', async () => {
    const heard: number[] = [];
    await open('gamemaster').consume('gamemaster', ['table.act'], { concurrency: 1 }, async ({ data }) => {
      heard.push(data.seat);
      return agreed(data.seat);
    });
    const before = [await forged('no-user', 'table.act'), await forged('no-user', 'unknown')];
    hub.send({ queue: 'gamemaster' }, rawMessage({ body: Buffer.from(JSON.stringify(act(1))) }));
    hub.send({ queue: 'gamemaster' }, rawMessage({ body: Buffer.from('{') }));
    await open('player').request(act(2));
    expect(heard).toEqual([2]);
    expect([await forged('no-user', 'table.act'), await forged('no-user', 'unknown')]).toEqual(before.map((n) => n + 1));
    expect(hub.dead).toEqual([]);
  });

  it('keeps the original sender over retries and dead letters', async () => {
    const attempts: number[] = [];
    await open('gamemaster').consume('gamemaster', ['table.act'], { concurrency: 1 }, async (_, { attempt }) => {
      attempts.push(attempt);
      if (attempt === 3) throw new PermanentError('never');
      throw new Error('not yet');
    });
    await open('player').publish(act(1));
    await eventually(() => expect(hub.dead).toHaveLength(1));
    expect(attempts).toEqual([1, 2, 3]);
    expect(hub.dead[0]).toMatchObject({ reason: 'gave-up', error: 'never' });
  });

  it('accepts forwarded requests and the replies to them', async () => {
    await open('chatroom').consume('chatroom', ['room.speak'], { concurrency: 1 }, async ({ id, source, subject, data }, delivery) => {
      const about = { id, source, subject, at: 0, replyBy: Date.now() + LONG_MS };
      await delivery.forward(contracts.write('table.act', { seat: 1, question: 'q', says: [data.text] }, about));
    });
    await open('gamemaster').consume('gamemaster', ['table.act'], { concurrency: 1 }, async ({ data }) => agreed(data.says[0]!.length));
    expect(await open('player').request(speak('hello'))).toEqual(agreed(5));
  });

  it('ignores forged replies and waits for the real one', async () => {
    const player = open('player', { resendMs: LONG_MS });
    const message = act(1);
    let replyQueue = '';
    await open('gamemaster').consume('gamemaster', ['table.act'], { concurrency: 1 }, async () => {
      const untrue = contracts.writeReply('table.act', agreed(9), { id: 'r', source: 'gamemaster', subject: 't', at: 0 });
      const answer = rawMessage({ type: 'table.act.reply', correlationId: message.id, body: Buffer.from(JSON.stringify(untrue)) });
      for (const user of [undefined, 'web', 'chatroom']) hub.send({ replyQueue }, { ...answer, user });
      hub.send({ replyQueue }, { ...answer, user: 'chatroom', body: Buffer.from('{') });
      return agreed(1);
    });
    const spy = hub.send.bind(hub);
    hub.send = (to, given) => {
      replyQueue = given.replyTo ?? replyQueue;
      spy(to, given);
    };
    expect(await player.request(message)).toEqual(agreed(1));
  });

  it('drops forged events before subscribers see them', async () => {
    const rung: string[] = [];
    await open('web').subscribe(['table.moved'], async ({ subject }) => void rung.push(subject));
    const before = await metricValue(metrics.forged, { service: 'web', reason: 'not-its-type' });
    await open('player').publish({ ...moved('false'), source: 'gamemaster' });
    await open('gamemaster').publish({ ...moved('true'), source: 'gamemaster' });
    await eventually(() => expect(rung).toEqual(['true']));
    expect(await metricValue(metrics.forged, { service: 'web', reason: 'not-its-type' })).toBe(before + 1);
  });
});
