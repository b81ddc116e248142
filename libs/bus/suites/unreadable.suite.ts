import { expect, it } from '@jest/globals';
import { metrics } from '@maw/telemetry/metrics.ts';
import { act, bytes, eachOn, type BusFixture, said, soon, tick } from './fixture.suite.ts';
import { metricValue } from './metric-value.suite.ts';
import { MAX_MESSAGE_BYTES } from '../core/topology.ts';

const TYPES = ['table.tick', 'table.act'] as const;
const message = tick(1);
const changed = (changes: object) => Buffer.from(JSON.stringify({ ...message, ...changes }));

const kinds: readonly [what: string, body: Buffer, error: RegExp][] = [
  ['broken JSON', Buffer.from('{"id": "x", '), /no JSON/],
  ['bytes that are no text', Buffer.from([0x22, 0xff, 0xfe, 0x22]), /no JSON in UTF-8/],
  ['nothing at all', Buffer.alloc(0), /no JSON/],
  ['no envelope', Buffer.from('[1]'), /envelope/],
  ['data of another shape', changed({ data: { alarm: 'soon' } }), /table\.tick.*alarm/s],
  ['a type that nobody knows', changed({ type: 'table.explode' }), /no contract is named table\.explode/],
  ['a newer version', changed({ dataversion: 99 }), /version 99 is newer/],
  ['a type that this queue does not take', bytes(said(1)), /nobody takes room\.said/],
  ['more than is ever read', Buffer.alloc(MAX_MESSAGE_BYTES + 1, 0x20), /1048577 bytes/],
];

export function unreadableSuite(open: () => Promise<BusFixture>): void {
  const ground = eachOn(open);

  it.each(kinds)('rests untouched among the dead letters: %s', async (_, body, error) => {
    const bus = await ground.open('reader');
    const taken: number[] = [];
    await bus.consume(ground.queue, TYPES, { concurrency: 1 }, async ({ data }) => void ('alarm' in data && taken.push(data.alarm)));
    const before = Date.now();
    await ground.inject(ground.queue, { body, id: 'strange', headers: { 'x-mine': 'kept' } });
    await ground.inject(ground.queue, { body: bytes(tick(2)) });
    await soon(() => expect(taken).toEqual([2]));
    const [letter, ...others] = await ground.dead(ground.queue);
    expect(others).toEqual([]);
    expect(letter).toMatchObject({
      id: 'strange',
      queue: ground.queue,
      reason: 'unreadable',
      error: expect.stringMatching(error),
      attempts: 0,
    });
    expect(letter!.error.length).toBeLessThanOrEqual(500);
    expect(letter!.at).toBeGreaterThanOrEqual(before);
    expect(letter!.body.equals(body)).toBe(true);
    expect(await metricValue(metrics.deadLetters, { service: 'reader', queue: ground.queue, reason: 'unreadable' })).toBe(1);
  });

  it('is refused to whoever asked it', async () => {
    const bus = await ground.open();
    await bus.consume(ground.queue, TYPES, { concurrency: 1 }, async () => undefined);
    const wrong = { body: Buffer.from(JSON.stringify({ ...act(1), data: {} })), type: 'table.act' };
    expect(await ground.askRaw(ground.queue, wrong)).toMatchObject({
      type: 'table.act.reply',
      performative: 'refuse',
      data: { reason: 'unreadable', detail: expect.stringContaining('seat') },
    });
    const twoFaced = { body: bytes(act(1)), type: 'table.tick' };
    expect(await ground.askRaw(ground.queue, twoFaced)).toMatchObject({
      type: 'table.tick.reply',
      performative: 'refuse',
      data: { reason: 'unreadable', detail: 'inside is another type than outside' },
    });
    const odd = { ...wrong, headers: { 'x-answers': 7 } };
    expect(await ground.askRaw(ground.queue, odd)).toMatchObject({ type: 'table.act.reply', performative: 'refuse' });
    const unheardOf = { body: Buffer.from('{'), type: 'table.explode' };
    expect(await ground.askRaw(ground.queue, unheardOf)).toMatchObject({
      type: 'table.explode.reply',
      performative: 'refuse',
      data: { reason: 'unreadable' },
    });
  });

  it('is not sent in the first place', async () => {
    const bus = await ground.open();
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
    await expect(bus.publish(large)).rejects.toThrow(/at most 1048576/);
  });
}
