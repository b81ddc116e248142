import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { contracts } from '@maw/contracts/contracts.ts';
import { RequestTimeout } from '../bus.ts';
import type { Publisher } from './publisher.ts';
import { type Requests, requestsOver } from './requests.ts';
import { createSenderCheck } from './sender-check.ts';

describe('requests', () => {
  let sent: number[];
  let requests: Requests;
  beforeEach(() => {
    jest.useFakeTimers();
    sent = [];
    const post: Publisher = { message: async () => void sent.push(Date.now() - start), answer: async () => undefined };
    const senders = createSenderCheck({ service: 'test', user: 'test', isChecking: false });
    requests = requestsOver({ post, senders, service: 'test', system: 'memory', now: Date.now, resendMs: 1000 });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  let start = 0;
  const ask = (replyInMs: number) => {
    start = Date.now();
    const about = { id: 'm', source: 'player', subject: 't', at: start, replyBy: start + replyInMs };
    return requests.ask(contracts.write('table.act', { seat: 1, question: 'q', says: ['x'] }, about), undefined);
  };
  const answer = () => {
    const reply = contracts.writeReply(
      'table.act',
      { performative: 'agree', data: { at: 1 } },
      { id: 'r', source: 'g', subject: 't', at: 0 },
    );
    requests.take({ body: Buffer.from(JSON.stringify(reply)), type: 'table.act.reply', correlationId: 'm', headers: {} });
  };

  it('are sent again twice as late each time, and no more once they are answered', async () => {
    const asked = ask(60_000);
    await jest.advanceTimersByTimeAsync(7_500);
    expect(sent).toEqual([0, 1000, 3000, 7000]);
    answer();
    expect(await asked).toEqual({ performative: 'agree', data: { at: 1 } });
    await jest.advanceTimersByTimeAsync(120_000);
    expect(sent).toHaveLength(4);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('are sent again at once when answers may have been lost', async () => {
    const asked = ask(60_000);
    await jest.advanceTimersByTimeAsync(10);
    requests.again();
    await jest.advanceTimersByTimeAsync(0);
    expect(sent).toEqual([0, 10]);
    await jest.advanceTimersByTimeAsync(1_500);
    expect(sent).toEqual([0, 10]); // The clock begins anew with the second.
    answer();
    await asked;
    requests.again();
    expect(sent).toHaveLength(2);
  });

  it('end at their deadline, neither before nor after', async () => {
    const asked = ask(5_000).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(4_999);
    expect(jest.getTimerCount()).toBeGreaterThan(0);
    await jest.advanceTimersByTimeAsync(1);
    expect(await asked).toBeInstanceOf(RequestTimeout);
    expect(jest.getTimerCount()).toBe(0);
    expect(sent).toEqual([0, 1000, 3000]);
  });

  it('may wait longer than a timer can', async () => {
    const days = 86_400_000;
    const asked = ask(60 * days).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(59 * days);
    expect(jest.getTimerCount()).toBeGreaterThan(0);
    await jest.advanceTimersByTimeAsync(2 * days);
    expect(await asked).toBeInstanceOf(RequestTimeout);
  });

  it('fail when the answer cannot be read', async () => {
    const asked = ask(60_000).catch((error: Error) => error.name);
    requests.take({ body: Buffer.from('{'), type: 'table.act.reply', correlationId: 'm', headers: {} });
    expect(await asked).toBe('UnreadableMessage');
  });
});
