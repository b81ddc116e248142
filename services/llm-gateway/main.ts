import { rabbitBus } from '@maw/bus/rabbitmq/rabbit-bus.ts';
import { brokerOptions, databaseTlsOptions } from '@maw/service/connection-options.ts';
import { readServiceConfig, startService } from '@maw/service/start-service.ts';
import { postgresStore } from '@maw/store/postgres.ts';
import { lazyStore } from './lazy-store.ts';
import { gatewayConfig } from './config.ts';
import { llmGateway } from './service.ts';

const service = 'llm-gateway';
const config = readServiceConfig(service, gatewayConfig);
const { log, addReadinessCheck, connect, connectBroker, watchClock, run } = await startService(service, config);
const { DATABASE_URL: url, options, http } = config;
const tls = databaseTlsOptions(config);
const openStore = url === undefined ? undefined : (poolSize: number) => postgresStore({ url, tls, poolSize, service });
const store =
  options.record === 'off' || !openStore ? undefined : await connect('database', { open: () => openStore(4), check: (one) => one.ping() });
// Without a recording the gateway starts without its database: games must not lose their models.
const lazy = store || !openStore ? undefined : lazyStore(() => openStore(2));
const clock = await watchClock((store ?? lazy)?.now, { isOptional: lazy !== undefined });
const bus = await connectBroker(() => rabbitBus({ ...brokerOptions(config), service, now: clock.now, graceMs: config.handMs }));
await clock.guard(bus);
const { budgetUsage, llmUsage, gatewayKeys } = store ?? lazy ?? {};
const stored = { recordings: store?.recordings, budgetUsage, llmUsage, gatewayKeys };
const gateway = await llmGateway({ bus, now: clock.now, log, options, http, ...stored });
addReadinessCheck('models', () => gateway.ready());
log.info({ servers: options.servers.map(({ name, slots }) => `${name}=${slots}`) }, 'gateway is running');

await run([
  { name: 'gateway', close: () => gateway.close() },
  { name: 'bus', close: () => bus.close() },
  ...[store, lazy].flatMap((one) => (one ? [{ name: 'store', close: () => one.close() }] : [])),
]);
