import { afterEach, describe, expect, it } from '@jest/globals';
import { rabbitBus } from '@maw/bus/rabbitmq/rabbit-bus.ts';
import { contracts } from '@maw/contracts/contracts.ts';
import { logger } from '@maw/telemetry/log.ts';
import { ADMIN, site, way } from './http/http-server.suite.ts';
import { completionMessage, serverAt, eventually, fakeOllama } from './fake-ollama.suite.ts';
import { llmGateway } from './service.ts';

// The gateway over RabbitMQ; skipped by name where AMQP_URL does not say which broker to use.
const url = process.env['AMQP_URL'];
const reason = url ? '' : ' (skipped: AMQP_URL is not set)';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});
const keep = <T extends { close(): Promise<void> }>(one: T): T => {
  opened.push(one);
  return one;
};

(url ? describe : describe.skip)(`the gateway on a broker${reason}`, () => {
  const open = async (service: string, prefix: string, graceMs = 50) =>
    keep(await rabbitBus({ url: url!, service, prefix, graceMs, resendMs: 60_000, log: logger(service, { level: 'silent' }) }));
  const gatewayOn = async (prefix: string, server: string) => {
    const bus = await open('llm-gateway', prefix);
    const log = logger('llm-gateway', { level: 'silent' });
    return {
      bus,
      gateway: keep(
        await llmGateway({ bus, now: Date.now, log, options: { servers: [serverAt(server)], agentRpm: 0, agentConcurrency: 0 } }),
      ),
    };
  };
  const cancelOf = (request: string) =>
    contracts.write('llm.cancel', { request }, { id: crypto.randomUUID(), source: 'player', subject: 't', at: Date.now() });

  it('hears a cancellation behind hundreds that wait', async () => {
    const prefix = `gateway-${crypto.randomUUID()}-`;
    const server = keep(await fakeOllama());
    await gatewayOn(prefix, server.url);
    const asker = await open('player', prefix);
    const first = asker.request(completionMessage('job 0'));
    await server.call('job 0');
    const gone = new AbortController();
    const others = Array.from({ length: 300 }, (_, n) =>
      asker.request(completionMessage(`job ${n + 1}`), { signal: gone.signal }).catch(() => undefined),
    );
    const last = asker.request(completionMessage('last'));
    await asker.publish(cancelOf('id of last'));
    expect(await last).toMatchObject({ performative: 'refuse', data: { reason: 'failed', detail: 'cancelled: no longer wanted' } });
    await asker.publish(cancelOf('id of job 0'));
    expect(await first).toMatchObject({ performative: 'refuse' });
    gone.abort();
    await Promise.all(others);
  }, 600_000);

  it('is taken over by the one that stands by, with what runs and what waits', async () => {
    const prefix = `gateway-${crypto.randomUUID()}-`;
    const server = keep(await fakeOllama());
    const active = await gatewayOn(prefix, server.url);
    const standby = await gatewayOn(prefix, server.url);
    const asker = await open('player', prefix);
    const answers = ['runs', 'waits'].map((name) => asker.request(completionMessage(name)));
    const call = await server.call('runs');
    await active.bus.close();
    await active.gateway.close();
    await eventually('the close', () => call.isAborted);
    for (const name of ['runs', 'waits']) (await eventually(name, () => server.open()[0])).answer('there');
    for (const reply of await Promise.all(answers)) expect(reply).toMatchObject({ performative: 'agree', data: { content: 'there' } });
    expect(server.calls.map(({ last }) => last).toSorted()).toEqual(['runs', 'runs', 'waits']);
    await standby.gateway.ready();
  }, 600_000);

  /** One that schedules, behind a way that can be cut, one that stands by, and a player. */
  async function two() {
    const prefix = `gateway-${crypto.randomUUID()}-`;
    const server = keep(await fakeOllama());
    const road = keep(await way());
    const servers = [serverAt(server.url)];
    const busOfActive = await open('llm-gateway', prefix);
    const active = keep(await site({ servers, bus: busOfActive, door: { url: road.url } }));
    road.to = Number(new URL(active.url).port);
    const standby = keep(await site({ servers, bus: await open('llm-gateway', prefix) }));
    return {
      server,
      active,
      standby,
      asker: await open('player', prefix),
      /** Without a word to those who wait at its door; the broker is left at once. */
      async die() {
        road.cut();
        await busOfActive.close();
        await active.close();
      },
    };
  }

  it('has the door of the one that stands by answered by the one that schedules: answers, streams, and hang-ups', async () => {
    const { server, active, standby } = await two();
    expect((await standby.status()).instance).toBe((await active.status()).instance);
    const answer = standby.chat('hello');
    (await server.call('hello')).answer('Hello.');
    expect((await answer).body.choices[0].message.content).toBe('Hello.');
    const asked = standby.stream('tell');
    const call = await server.call('tell');
    call.write({ message: { content: 'Once ' }, done: false });
    const heard = await asked;
    await heard.hears('Once ');
    call.answer('upon a time.');
    expect([await heard.ended(), heard.said()]).toEqual(['done', 'Once upon a time.']);
    const gone = new AbortController();
    const given = standby.chat('given up', {}, { signal: gone.signal }).catch((error: Error) => error.name);
    const left = await server.call('given up');
    gone.abort();
    expect(await given).toBe('AbortError');
    await eventually('the close', () => left.isAborted);
  }, 600_000);

  it('loses nothing when the one that schedules dies: what came by messages and over HTTP is done by the other, under the limits that were set', async () => {
    const { server, standby, asker, die } = await two();
    const limits = await standby.ask('/admin/limits', { agentTpm: 123_456 }, { key: ADMIN, method: 'PUT' });
    expect(limits.body).toMatchObject({ agentTpm: 123_456 });
    const told = asker.request(completionMessage('by message'));
    const first = await server.call('by message');
    const over = ['waits', 'waits too'].map((say) => standby.chat(say));
    await standby.waits(2);
    await die();
    await eventually('the close', () => first.isAborted);
    server.answerAll('there');
    expect(await told).toMatchObject({ performative: 'agree', data: { content: 'there' } });
    for (const { status, body } of await Promise.all(over)) expect([status, body.choices[0].message.content]).toEqual([200, 'there']);
    // One that waited may have begun when the first was seen to be given up, before it was so itself.
    const begun = Object.groupBy(server.calls, ({ last }) => last);
    expect(begun['by message']).toHaveLength(2);
    for (const say of ['waits', 'waits too']) expect([1, 2]).toContain(begun[say]?.length);
    expect((await standby.ask('/admin/limits', undefined, { key: ADMIN })).body).toMatchObject({ agentTpm: 123_456 });
  }, 600_000);
});
