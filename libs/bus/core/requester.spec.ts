import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { contracts } from '@maw/contracts/contracts.ts';
import { RequestTimeout } from '../bus.ts';
import type { Publisher } from './publisher.ts';
import { createRequester, type Requester } from './requester.ts';
import { createSenderCheck } from './sender-check.ts';

describe('requester', () => {
  let sent: number[];
  let requester: Requester;
  beforeEach(() => {
    jest.useFakeTimers();
    sent = [];
    const publisher: Publisher = { publish: async () => void sent.push(Date.now() - start), reply: async () => undefined };
    const senderCheck = createSenderCheck({ service: 'test', user: 'test', isChecking: false });
    requester = createRequester({
      publisher,
      senderCheck,
      service: 'test',
      transport: { system: 'memory' },
      now: Date.now,
      resendMs: 1000,
    });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  let start = 0;
  const request = (replyInMs: number) => {
    start = Date.now();
    const about = { id: 'm', source: 'player', subject: 't', at: start, replyBy: start + replyInMs };
    return requester.request(contracts.write('table.act', { seat: 1, question: 'q', says: ['x'] }, about), undefined);
  };
  const reply = () => {
    const message = contracts.writeReply(
      'table.act',
      { performative: 'agree', data: { at: 1 } },
      { id: 'r', source: 'g', subject: 't', at: 0 },
    );
    requester.onReply({ body: Buffer.from(JSON.stringify(message)), type: 'table.act.reply', correlationId: 'm', headers: {} });
  };

  it('resends after twice the time each time, until the reply arrives', async () => {
    const pending = request(60_000);
    await jest.advanceTimersByTimeAsync(7_500);
    expect(sent).toEqual([0, 1000, 3000, 7000]);
    reply();
    expect(await pending).toEqual({ performative: 'agree', data: { at: 1 } });
    await jest.advanceTimersByTimeAsync(120_000);
    expect(sent).toHaveLength(4);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('resends at once after a reconnect', async () => {
    const pending = request(60_000);
    await jest.advanceTimersByTimeAsync(10);
    requester.resendAll();
    await jest.advanceTimersByTimeAsync(0);
    expect(sent).toEqual([0, 10]);
    await jest.advanceTimersByTimeAsync(1_500);
    expect(sent).toEqual([0, 10]); // the time counts from the second sending
    reply();
    await pending;
    requester.resendAll();
    expect(sent).toHaveLength(2);
  });

  it('times out exactly at the deadline', async () => {
    const pending = request(5_000).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(4_999);
    expect(jest.getTimerCount()).toBeGreaterThan(0);
    await jest.advanceTimersByTimeAsync(1);
    expect(await pending).toBeInstanceOf(RequestTimeout);
    expect(jest.getTimerCount()).toBe(0);
    expect(sent).toEqual([0, 1000, 3000]);
  });

  it('waits longer than the longest timer', async () => {
    const days = 86_400_000;
    const pending = request(60 * days).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(59 * days);
    expect(jest.getTimerCount()).toBeGreaterThan(0);
    await jest.advanceTimersByTimeAsync(2 * days);
    expect(await pending).toBeInstanceOf(RequestTimeout);
  });

  it('fails when the reply is unreadable', async () => {
    const pending = request(60_000).catch((error: Error) => error.name);
    requester.onReply({ body: Buffer.from('{'), type: 'table.act.reply', correlationId: 'm', headers: {} });
    expect(await pending).toBe('UnreadableMessage');
  });
});
