import { expect, it } from '@jest/globals';
import { metrics } from '@maw/telemetry/metrics.ts';
import { act, bytes, fixturePerTest, type BusFixture, said, eventually, tick } from './fixture.suite.ts';
import { metricValue } from './metric-value.suite.ts';
import { MAX_MESSAGE_BYTES } from '../core/message-limits.ts';

const TYPES = ['table.tick', 'table.act'] as const;
const message = tick(1);
const changed = (changes: object) => Buffer.from(JSON.stringify({ ...message, ...changes }));

const kinds: readonly [what: string, body: Buffer, error: RegExp][] = [
  ['broken JSON', Buffer.from('{"id": "x", '), /not JSON/],
  ['bytes that are no text', Buffer.from([0x22, 0xff, 0xfe, 0x22]), /not JSON in UTF-8/],
  ['nothing at all', Buffer.alloc(0), /not JSON/],
  ['no envelope', Buffer.from('[1]'), /envelope/],
  ['data of another shape', changed({ data: { alarm: 'soon' } }), /table\.tick.*alarm/s],
  ['a type that nobody knows', changed({ type: 'table.explode' }), /no contract is named table\.explode/],
  ['a newer version', changed({ dataversion: 99 }), /version 99 is newer/],
  ['a type that this queue does not take', bytes(said(1)), /does not accept room\.said/],
  ['more than is ever read', Buffer.alloc(MAX_MESSAGE_BYTES + 1, 0x20), /1048577 bytes/],
];

export function unreadableSuite(open: () => Promise<BusFixture>): void {
  const fixture = fixturePerTest(open);

  it.each(kinds)('is dead-lettered unchanged: %s', async (_, body, error) => {
    const bus = await fixture.open('reader');
    const taken: number[] = [];
    await bus.consume(fixture.queue, TYPES, { concurrency: 1 }, async ({ data }) => void ('alarm' in data && taken.push(data.alarm)));
    const before = Date.now();
    await fixture.inject(fixture.queue, { body, id: 'strange', headers: { 'x-mine': 'kept' } });
    await fixture.inject(fixture.queue, { body: bytes(tick(2)) });
    await eventually(() => expect(taken).toEqual([2]));
    const [letter, ...others] = await fixture.dead(fixture.queue);
    expect(others).toEqual([]);
    expect(letter).toMatchObject({
      id: 'strange',
      queue: fixture.queue,
      reason: 'unreadable',
      error: expect.stringMatching(error),
      attempts: 0,
    });
    expect(letter!.error.length).toBeLessThanOrEqual(500);
    expect(letter!.at).toBeGreaterThanOrEqual(before);
    expect(letter!.body.equals(body)).toBe(true);
    expect(await metricValue(metrics.deadLetters, { service: 'reader', queue: fixture.queue, reason: 'unreadable' })).toBe(1);
  });

  it('is refused to its sender', async () => {
    const bus = await fixture.open();
    await bus.consume(fixture.queue, TYPES, { concurrency: 1 }, async () => undefined);
    const wrong = { body: Buffer.from(JSON.stringify({ ...act(1), data: {} })), type: 'table.act' };
    expect(await fixture.askRaw(fixture.queue, wrong)).toMatchObject({
      type: 'table.act.reply',
      performative: 'refuse',
      data: { reason: 'unreadable', detail: expect.stringContaining('seat') },
    });
    const twoFaced = { body: bytes(act(1)), type: 'table.tick' };
    expect(await fixture.askRaw(fixture.queue, twoFaced)).toMatchObject({
      type: 'table.tick.reply',
      performative: 'refuse',
      data: { reason: 'unreadable', detail: 'the type in the body differs from the type in the properties' },
    });
    const odd = { ...wrong, headers: { 'x-answers': 7 } };
    expect(await fixture.askRaw(fixture.queue, odd)).toMatchObject({ type: 'table.act.reply', performative: 'refuse' });
    const unheardOf = { body: Buffer.from('{'), type: 'table.explode' };
    expect(await fixture.askRaw(fixture.queue, unheardOf)).toMatchObject({
      type: 'table.explode.reply',
      performative: 'refuse',
      data: { reason: 'unreadable' },
    });
  });

  it('is rejected by publish', async () => {
    const bus = await fixture.open();
    await expect(bus.publish({ ...tick(1), data: { alarm: -1 } })).rejects.toThrow(/alarm/);
    await expect(bus.publish({ ...tick(1), type: 'table.explode' as 'table.tick' })).rejects.toThrow(/no contract is named/);
    const says = Array.from({ length: 20 }, () => '\u{1F43A}'.repeat(4000));
    const long = act(1);
    await expect(bus.publish({ ...long, data: { ...long.data, says } })).resolves.toBeUndefined();
    const prompt = 'x'.repeat(400_000);
    const data = {
      agent: 'a',
      messages: Array.from({ length: 3 }, () => ({ role: 'user' as const, content: prompt })),
      tenant: 'default',
      urgency: 'talk' as const,
      kind: 'any',
      maxTokens: 1,
      think: false,
    };
    const large = { ...long, type: 'llm.complete' as const, data };
    await expect(bus.publish(large)).rejects.toThrow(/the limit is 1048576/);
  });
}
