import { rabbitBus } from '@maw/bus/rabbit.ts';
import { begin } from '@maw/service/begin.ts';
import { postgresStore } from '@maw/store/postgres.ts';
import { gatewayConfig } from './config.ts';
import { llmGateway } from './service.ts';

const service = 'llm-gateway';
const config = gatewayConfig();
const { log, needs, live } = await begin(service, config);
const bus = await rabbitBus({ url: config.AMQP_URL, service, graceMs: config.handMs });
needs('broker', () => {
  if (!bus.isUp()) throw new Error('the broker cannot be reached');
});
const { DATABASE_URL: url, options } = config;
const store = options.record === 'off' || url === undefined ? undefined : await postgresStore({ url, poolSize: 4, service });
if (store) needs('database', () => store.ping());
const gateway = await llmGateway({ bus, now: Date.now, log, options, door: config.door, recordings: store?.recordings });
needs('models', () => gateway.ready());
log.info({ servers: options.servers.map(({ name, slots }) => `${name}=${slots}`) }, 'the gateway listens');

await live([
  { name: 'gateway', close: () => gateway.close() },
  { name: 'bus', close: () => bus.close() },
  ...(store ? [{ name: 'store', close: () => store.close() }] : []),
]);
