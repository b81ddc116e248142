import { expect, it } from '@jest/globals';
import { contracts } from '@maw/contracts/contracts.ts';
import { Refusal } from '@maw/contracts/refusal.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { PermanentError, RequestTimeout } from '../bus.ts';
import { act, agreed, fixturePerTest, gate, type BusFixture, LONG_MS, eventually, speak, tick } from './fixture.suite.ts';
import { metricValue } from './metric-value.suite.ts';

const TYPES = ['table.act'] as const;

export function requestSuite(open: () => Promise<BusFixture>): void {
  const fixture = fixturePerTest(open);

  it('resolves with the reply of the handler', async () => {
    const [asker, taker] = [await fixture.open('player'), await fixture.open('gamemaster')];
    await taker.consume(fixture.queue, TYPES, { concurrency: 4 }, async ({ data }) => agreed(data.seat + 1));
    const replies = await Promise.all([1, 2, 3].map((seat) => asker.request(act(seat))));
    expect(replies).toEqual([2, 3, 4].map((line) => ({ performative: 'agree', data: { at: 5, line } })));
  });

  it('is refused with reason and detail, without retry or dead letter', async () => {
    const [asker, taker] = [await fixture.open('player'), await fixture.open('refuser')];
    let tries = 0;
    await taker.consume(fixture.queue, TYPES, { concurrency: 1 }, () => {
      tries++;
      throw new Refusal('late', 'the bell rang');
    });
    expect(await asker.request(act(1))).toEqual({ performative: 'refuse', data: { reason: 'late', detail: 'the bell rang' } });
    expect(await asker.request(act(1))).toMatchObject({ performative: 'refuse' });
    expect(tries).toBe(2);
    expect(await fixture.dead(fixture.queue)).toEqual([]);
    await eventually(async () =>
      expect(await metricValue(metrics.messagesTaken, { service: 'refuser', outcome: 'refused' })).toBeGreaterThanOrEqual(2),
    );
  });

  it('receives the wait of a refusal in whole milliseconds, rounded up', async () => {
    const [asker, taker] = [await fixture.open('player'), await fixture.open('refuser')];
    await taker.consume(fixture.queue, TYPES, { concurrency: 1 }, () => {
      throw new Refusal('limited', 'there is no room', 2_000.1);
    });
    expect((await asker.request(act(1))).data).toEqual({ reason: 'limited', detail: 'there is no room', waitMs: 2_001 });
  });

  it.each([Number.NaN, Infinity, 1e300])('is refused without a wait when the wait is %s ms', async (waitMs) => {
    const [asker, taker] = [await fixture.open('player'), await fixture.open('refuser')];
    await taker.consume(fixture.queue, TYPES, { concurrency: 1 }, () => {
      throw new Refusal('limited', 'there is no room', waitMs);
    });
    expect((await asker.request(act(1))).data).toEqual({ reason: 'limited', detail: 'there is no room' });
  });

  it('fails after the last attempt, with a dead letter', async () => {
    const [asker, taker] = [await fixture.open('player'), await fixture.open('gamemaster', { retryMs: [20, 40] })];
    const attempts: number[] = [];
    await taker.consume(fixture.queue, TYPES, { concurrency: 1 }, (_, { attempt }) => {
      attempts.push(attempt);
      throw new Error('broken for good');
    });
    const message = act(1);
    expect(await asker.request(message)).toEqual({ performative: 'failure', data: { reason: 'failed' } });
    expect(attempts).toEqual([1, 2, 3]);
    expect(await fixture.dead(fixture.queue)).toMatchObject([{ id: message.id, reason: 'failed', error: 'broken for good', attempts: 3 }]);
  });

  it('fails at once after a PermanentError', async () => {
    const [asker, taker] = [await fixture.open('player'), await fixture.open('gamemaster')];
    await taker.consume(fixture.queue, TYPES, { concurrency: 1 }, () => Promise.reject(new PermanentError('never')));
    expect(await asker.request(act(1))).toEqual({ performative: 'failure', data: { reason: 'failed' } });
    expect(await fixture.dead(fixture.queue)).toMatchObject([{ reason: 'gave-up', error: 'never', attempts: 1 }]);
  });

  it('fails at once after any error whose isPermanent is true, and only then', async () => {
    const [asker, taker] = [await fixture.open('player'), await fixture.open('gamemaster', { retryMs: [20, 40] })];
    const attempts: (readonly [alarm: number, attempt: number])[] = [];
    await taker.consume(fixture.queue, TYPES, { concurrency: 1 }, async (message, { attempt }) => {
      const { seat } = message.data as { readonly seat: number };
      attempts.push([seat, attempt]);
      throw Object.assign(new Error('unfit'), { isPermanent: seat === 1 });
    });
    for (const seat of [1, 2]) expect(await asker.request(act(seat))).toEqual({ performative: 'failure', data: { reason: 'failed' } });
    expect(attempts).toEqual([
      [1, 1],
      [2, 1],
      [2, 2],
      [2, 3],
    ]);
  });

  it('fails when the reply breaks its contract', async () => {
    const [asker, taker] = [await fixture.open('player'), await fixture.open('gamemaster')];
    await taker.consume(fixture.queue, TYPES, { concurrency: 1 }, async () => ({ performative: 'agree', data: { secret: 'the wolf' } }));
    expect(await asker.request(act(1))).toEqual({ performative: 'failure', data: { reason: 'failed' } });
    expect(await fixture.dead(fixture.queue)).toMatchObject([{ reason: 'gave-up', error: expect.stringContaining('table.act') }]);
  });

  it('is resent with the same id until somebody replies', async () => {
    const asker = await fixture.open('lonely', { resendMs: 30 });
    const answer = asker.request(act(7));
    await eventually(async () => expect(await metricValue(metrics.resent, { service: 'lonely' })).toBeGreaterThan(0));
    const ids = new Set<string>();
    await asker.consume(fixture.queue, TYPES, { concurrency: 1 }, async ({ id, data }) => {
      ids.add(id);
      return agreed(data.seat);
    });
    expect(await answer).toEqual(agreed(7));
    expect(ids.size).toBe(1);
  });

  it('records the time to the reply by type, refusals included', async () => {
    const [asker, taker] = [await fixture.open('patient'), await fixture.open('gamemaster')];
    await taker.consume(fixture.queue, TYPES, { concurrency: 1 }, async ({ data }) =>
      data.seat === 2 ? Promise.reject(new Refusal('late')) : agreed(1),
    );
    for (const seat of [1, 2, 3]) await asker.request(act(seat));
    const measured = async () =>
      (await metrics.answerSeconds.get()).values.find(
        ({ metricName, labels }) => metricName === 'maw_request_duration_seconds_count' && labels.service === 'patient',
      );
    expect(await measured()).toMatchObject({ labels: { type: 'table.act' }, value: 3 });
  });

  it('throws RequestTimeout when the deadline passes without a reply', async () => {
    const asker = await fixture.open('unheard', { resendMs: 20 });
    await expect(asker.request(act(1, { replyInMs: 100 }))).rejects.toThrow(RequestTimeout);
    await expect(asker.request(act(1, { replyInMs: -1 }))).rejects.toThrow(RequestTimeout);
    expect(await metricValue(metrics.unanswered, { service: 'unheard' })).toBeGreaterThanOrEqual(2);
    expect(await metricValue(metrics.answerSeconds, { service: 'unheard' })).toBe(0); // it has no time to be measured
  });

  it('is dropped, not dead-lettered, when delivered after its deadline', async () => {
    const [asker, taker] = [await fixture.open('player'), await fixture.open('tardy')];
    const seats: number[] = [];
    const hear = async ({ data }: { data: { seat: number } }) => (seats.push(data.seat), agreed(1));
    const listening = await taker.consume(fixture.queue, TYPES, { concurrency: 1 }, hear);
    await asker.publish(act(1, { replyInMs: -1 }));
    await asker.request(act(2));
    await listening.stop();
    expect(seats).toEqual([2]);
    expect(await fixture.dead(fixture.queue)).toEqual([]);
    expect(await metricValue(metrics.messagesTaken, { service: 'tardy', outcome: 'late' })).toBeGreaterThanOrEqual(1);
  });

  it('rejects with the reason of an abort, before or while it waits', async () => {
    const asker = await fixture.open('player');
    const reason = new Error('the phase is over');
    await expect(asker.request(act(1), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const abort = new AbortController();
    const asked = gate();
    await asker.consume(fixture.queue, TYPES, { concurrency: 1 }, () => (asked.open(), new Promise(() => undefined)));
    const answer = asker.request(act(1), { signal: abort.signal });
    await asked.opened;
    abort.abort(reason);
    await expect(answer).rejects.toBe(reason);
    await fixture.kill(asker);
  });

  it('needs a replyby and a contract with a reply', async () => {
    const asker = await fixture.open('player');
    const { replyby: _, ...endless } = act(1);
    await expect(asker.request(endless)).rejects.toThrow(/no replyby.*replyBy/);
    await expect(asker.request({ ...tick(1), replyby: new Date(Date.now() + 1000).toISOString() })).rejects.toThrow(/has no reply/);
  });

  it('when forwarded is answered by the final receiver to the original sender', async () => {
    const [asker, door, master] = [await fixture.open('player'), await fixture.open('chatroom'), await fixture.open('gamemaster')];
    const passed = gate();
    await door.consume(`${fixture.queue}-door`, ['room.speak'], { concurrency: 1 }, async (message, delivery) => {
      const { id, source, subject } = message;
      await delivery.forward(
        contracts.write(
          'table.act',
          { seat: 1, question: 'q', says: [message.data.text] },
          { id, source, subject, at: 0, replyBy: Date.now() + LONG_MS },
        ),
      );
      passed.open();
    });
    await master.consume(fixture.queue, TYPES, { concurrency: 1 }, async ({ data }) => {
      await passed.opened;
      if (data.says[0] === 'boo') throw new Refusal('nothing-said');
      return agreed(data.says[0]!.length);
    });
    expect(await asker.request(speak('hello'))).toEqual(agreed(5));
    expect(await asker.request(speak('boo'))).toEqual({ performative: 'refuse', data: { reason: 'nothing-said' } });
  });

  it('made twice at a time with one id resolves both', async () => {
    const asker = await fixture.open('player');
    await asker.consume(fixture.queue, TYPES, { concurrency: 1 }, async ({ data }) => agreed(data.seat));
    const message = act(4);
    expect(await Promise.all([asker.request(message), asker.request(message)])).toEqual([agreed(4), agreed(4)]);
  });

  it('rejects when the bus closes', async () => {
    const asker = await fixture.open('player');
    const answer = asker.request(act(1)).catch((error: unknown) => error);
    await asker.close();
    expect(await answer).toMatchObject({ message: expect.stringMatching(/closed/) });
    await expect(asker.request(act(1))).rejects.toThrow(/closed/);
  });

  it('ignores a reply that arrives too late', async () => {
    const asker = await fixture.open('impatient');
    const late = gate();
    await asker.consume(fixture.queue, TYPES, { concurrency: 2 }, async ({ data }) => {
      if (data.seat === 1) await late.opened;
      return agreed(data.seat);
    });
    await expect(asker.request(act(1, { replyInMs: 300 }))).rejects.toThrow(RequestTimeout);
    late.open();
    await eventually(async () =>
      expect(await metricValue(metrics.messagesTaken, { service: 'impatient', type: 'table.act.reply', outcome: 'late' })).toBe(1),
    );
    expect(await asker.request(act(2))).toEqual(agreed(2));
  });
}
