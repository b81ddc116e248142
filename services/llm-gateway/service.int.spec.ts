import { afterEach, describe, expect, it } from '@jest/globals';
import { rabbitBus } from '@maw/bus/rabbitmq/rabbit-bus.ts';
import { contracts } from '@maw/contracts/contracts.ts';
import { logger } from '@maw/telemetry/log.ts';
import { ADMIN, httpGateway, cuttableProxy } from './http/http-server.suite.ts';
import { completionMessage, serverAt, eventually, fakeOllama } from './fake-ollama.suite.ts';
import { llmGateway } from './service.ts';

// The gateway over RabbitMQ; skipped, with the reason in its name, when AMQP_URL is not set.
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

  it('receives a cancellation behind hundreds of waiting requests', async () => {
    const prefix = `gateway-${crypto.randomUUID()}-`;
    const server = keep(await fakeOllama());
    await gatewayOn(prefix, server.url);
    const player = await open('player', prefix);
    const first = player.request(completionMessage('job 0'));
    await server.call('job 0');
    const gone = new AbortController();
    const others = Array.from({ length: 300 }, (_, n) =>
      player.request(completionMessage(`job ${n + 1}`), { signal: gone.signal }).catch(() => undefined),
    );
    const last = player.request(completionMessage('last'));
    await player.publish(cancelOf('id of last'));
    expect(await last).toMatchObject({ performative: 'refuse', data: { reason: 'failed', detail: 'cancelled: no longer wanted' } });
    await player.publish(cancelOf('id of job 0'));
    expect(await first).toMatchObject({ performative: 'refuse' });
    gone.abort();
    await Promise.all(others);
  }, 600_000);

  it('hands running and waiting requests to the standby', async () => {
    const prefix = `gateway-${crypto.randomUUID()}-`;
    const server = keep(await fakeOllama());
    const leader = await gatewayOn(prefix, server.url);
    const standby = await gatewayOn(prefix, server.url);
    const player = await open('player', prefix);
    const answers = ['runs', 'waits'].map((name) => player.request(completionMessage(name)));
    const call = await server.call('runs');
    await leader.bus.close();
    await leader.gateway.close();
    await eventually('the close', () => call.isAborted);
    for (const name of ['runs', 'waits']) (await eventually(name, () => server.open()[0])).answer('there');
    for (const reply of await Promise.all(answers)) expect(reply).toMatchObject({ performative: 'agree', data: { content: 'there' } });
    expect(server.calls.map(({ last }) => last).toSorted()).toEqual(['runs', 'runs', 'waits']);
    await standby.gateway.ready();
  }, 600_000);

  /** A leader behind a proxy that can be cut, a standby and a player. */
  async function leaderAndStandby() {
    const prefix = `gateway-${crypto.randomUUID()}-`;
    const server = keep(await fakeOllama());
    const proxy = keep(await cuttableProxy());
    const servers = [serverAt(server.url)];
    const busOfActive = await open('llm-gateway', prefix);
    const leader = keep(await httpGateway({ servers, bus: busOfActive, http: { url: proxy.url } }));
    proxy.to = Number(new URL(leader.url).port);
    const standby = keep(await httpGateway({ servers, bus: await open('llm-gateway', prefix) }));
    return {
      server,
      leader,
      standby,
      player: await open('player', prefix),
      /** The leader dies: HTTP callers get no answer, and the bus connection ends at once. */
      async die() {
        proxy.cut();
        await busOfActive.close();
        await leader.close();
      },
    };
  }

  it('completes bus and HTTP requests after the leader dies, under the changed limits', async () => {
    const { server, standby, player, die } = await leaderAndStandby();
    const limits = await standby.ask('/admin/limits', { agentTpm: 123_456 }, { key: ADMIN, method: 'PUT' });
    expect(limits.body).toMatchObject({ agentTpm: 123_456 });
    const byMessage = player.request(completionMessage('by message'));
    const first = await server.call('by message');
    const overHttp = ['waits', 'waits too'].map((say) => standby.chat(say));
    await standby.waits(2);
    await die();
    await eventually('the close', () => first.isAborted);
    server.answerAll('there');
    expect(await byMessage).toMatchObject({ performative: 'agree', data: { content: 'there' } });
    for (const { status, body } of await Promise.all(overHttp)) expect([status, body.choices[0].message.content]).toEqual([200, 'there']);
    // A waiting request may have started between the abort of the first and its own.
    const begun = Object.groupBy(server.calls, ({ last }) => last);
    expect(begun['by message']).toHaveLength(2);
    for (const say of ['waits', 'waits too']) expect([1, 2]).toContain(begun[say]?.length);
    expect((await standby.ask('/admin/limits', undefined, { key: ADMIN })).body).toMatchObject({ agentTpm: 123_456 });
  }, 600_000);
});
