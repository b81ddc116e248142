import { rabbitBus } from '@maw/bus/rabbitmq/rabbit-bus.ts';
import { brokerOptions, databaseTlsOptions } from '@maw/service/connection-options.ts';
import { startService } from '@maw/service/start-service.ts';
import { postgresStore } from '@maw/store/postgres.ts';
import { gatewayConfig } from './config.ts';
import { lateLedger } from './admission/lazy-ledger.ts';
import { llmGateway } from './service.ts';

const service = 'llm-gateway';
const config = gatewayConfig();
const { log, addReadinessCheck, run } = await startService(service, config);
const bus = await rabbitBus({ ...brokerOptions(config), service, graceMs: config.handMs });
addReadinessCheck('broker', () => {
  if (!bus.isUp()) throw new Error('the broker cannot be reached');
});
const { DATABASE_URL: url, options } = config;
const tls = databaseTlsOptions(config);
const store = options.record === 'off' || url === undefined ? undefined : await postgresStore({ url, tls, poolSize: 4, service });
if (store) addReadinessCheck('database', () => store.ping());
// A database that is away must not keep games from their models: without recordings nothing waits for it.
const late = store || url === undefined ? undefined : lateLedger(() => postgresStore({ url, tls, poolSize: 2, service }));
const kept = { recordings: store?.recordings, ledger: store?.budgetUsage ?? late?.ledger };
const gateway = await llmGateway({ bus, now: Date.now, log, options, http: config.http, ...kept });
addReadinessCheck('models', () => gateway.ready());
log.info({ servers: options.servers.map(({ name, slots }) => `${name}=${slots}`) }, 'the gateway listens');

await run([
  { name: 'gateway', close: () => gateway.close() },
  { name: 'bus', close: () => bus.close() },
  ...[store, late].flatMap((one) => (one ? [{ name: 'store', close: () => one.close() }] : [])),
]);
