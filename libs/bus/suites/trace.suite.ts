import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { startTelemetry } from '@maw/telemetry/start.ts';
import { inSpan } from '@maw/telemetry/spans.ts';
import { type ReceivedSpan, type OtlpReceiver, startOtlpReceiver } from '@maw/tests/equipment/fakes/otlp-receiver.ts';
import { act, agreed, ascending, fixturePerTest, type BusFixture, eventually, tick } from './fixture.suite.ts';

export function traceSuite(open: () => Promise<BusFixture>): void {
  const fixture = fixturePerTest(open);
  let receiver: OtlpReceiver;
  let telemetry: { close(): Promise<void> };
  beforeEach(async () => {
    receiver = await startOtlpReceiver();
    telemetry = startTelemetry({ service: 'test', endpoint: receiver.url, protocol: 'http/json' });
  });
  afterEach(async () => {
    await telemetry.close();
    await receiver.close();
  });

  const named = (spans: readonly ReceivedSpan[], name: string) => {
    const found = spans.filter((one) => one.name === name);
    if (found.length !== 1) throw new Error(`${found.length} spans ${name} among ${spans.map((one) => one.name).join(', ')}`);
    return found[0]!;
  };

  it('continues from the requester to the handler and back', async () => {
    const [asker, taker] = [await fixture.open('player'), await fixture.open('gamemaster')];
    await taker.consume(fixture.queue, ['table.act'], { concurrency: 1 }, () => inSpan('gamemaster', 'take act', {}, () => agreed(1)));
    const message = act(1, { table: 't7' });
    await inSpan('player', 'decide', {}, () => asker.request(message));
    await Promise.all([asker.close(), taker.close()]);
    await telemetry.close();
    const spans = receiver.spans();
    const [decide, send, process] = ['decide', 'publish commands:table.act', `process commands:table.act:${fixture.queue}`].map((name) =>
      named(spans, name),
    );
    const [reply, heard] = ['publish answers:table.act.reply', 'process answers:table.act.reply'].map((name) => named(spans, name));
    const parents = {
      [send!.spanId]: decide,
      [process!.spanId]: send,
      [named(spans, 'take act').spanId]: process,
      [reply!.spanId]: process,
      [heard!.spanId]: reply,
    };
    for (const span of spans) {
      expect(span.traceId).toBe(decide!.traceId);
      expect([span.name, span.parentSpanId]).toEqual([span.name, parents[span.spanId]?.spanId]);
    }
    expect([send!.kind, process!.kind, reply!.kind, heard!.kind]).toEqual(['producer', 'consumer', 'producer', 'consumer']);
    expect([send!.service, process!.service]).toEqual(['player', 'gamemaster']);
    expect(send!.attributes).toMatchObject({
      'messaging.message.id': message.id,
      'maw.table': 't7',
      'messaging.destination.name': 'commands:table.act',
      'messaging.rabbitmq.destination.routing_key': 'table.act',
    });
    expect(heard!.attributes).toMatchObject({
      'messaging.destination.template': 'answers:table.act.reply',
      'messaging.destination.temporary': true,
    });
    const isRabbit = send!.attributes['messaging.system'] === 'rabbitmq';
    for (const { name, attributes } of [send!, process!, reply!, heard!])
      expect([name, 'server.address' in attributes, 'server.port' in attributes]).toEqual([name, isRabbit, isRabbit]);
    expect(process!.attributes).toMatchObject({
      'messaging.message.id': message.id,
      'messaging.message.conversation_id': message.id,
      'maw.queue': fixture.queue,
      'maw.attempt': 1,
      'maw.table': 't7',
    });
    expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toContain('"q"');
  });

  it('is the same for all attempts and for subscribers, and records errors', async () => {
    const bus = await fixture.open('player', { retryMs: [10] });
    const seen: number[] = [];
    await bus.subscribe(['table.tick'], async ({ data }) => void seen.push(data.alarm));
    const listening = await bus.consume(fixture.queue, ['table.tick'], { concurrency: 1 }, async (_, { attempt }) => {
      if (attempt === 1) throw new Error('not yet');
      seen.push(attempt);
    });
    await bus.publish(tick(1));
    await eventually(() => expect(ascending(seen)).toEqual([1, 2]));
    await listening.stop();
    await bus.close();
    await telemetry.close();
    const spans = receiver.spans();
    const send = named(spans, 'publish commands:table.tick');
    const tried = spans.filter(({ name }) => name.startsWith('process '));
    expect(tried.map((one) => one.parentSpanId)).toEqual([send.spanId, send.spanId, send.spanId]);
    const told = tried.map(({ attributes, status }) => [attributes['maw.queue'], attributes['maw.attempt'], status.message]);
    expect(told).toEqual(
      expect.arrayContaining([
        [undefined, undefined, undefined],
        [fixture.queue, 1, 'not yet'],
        [fixture.queue, 2, undefined],
      ]),
    );
  });
}
