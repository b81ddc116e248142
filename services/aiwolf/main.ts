import { rabbitBus } from '@maw/bus/rabbitmq/rabbit-bus.ts';
import { brokerOptions, databaseTlsOptions } from '@maw/service/connection-options.ts';
import { readServiceConfig, startService } from '@maw/service/start-service.ts';
import { postgresStore } from '@maw/store/postgres.ts';
import { config } from './config.ts';
import { aiwolf } from './service.ts';

const service = 'aiwolf';
const given = readServiceConfig(service, config);
const { log, connect, connectBroker, watchClock, run } = await startService(service, given);
const database = { url: given.DATABASE_URL, tls: databaseTlsOptions(given), poolSize: 4, service };
const store = await connect('database', { open: () => postgresStore(database), check: (one) => one.ping() });
const clock = await watchClock(() => store.now());
const bus = await connectBroker(() =>
  rabbitBus({ ...brokerOptions(given), service, now: clock.now, graceMs: Math.floor(given.GRACE_MS / 2) }),
);
const servers = given.AIWOLF_SERVERS ?? [];
if (servers.length === 0) log.warn('AIWOLF_SERVERS is not set: there is no server that agents can connect to');
const options = { graceMs: given.RETURN_MS };
const running = await aiwolf({ bus, now: clock.now, log, sets: store.agentSets, servers, options });
for (const [i, { url }] of running.servers.entries()) log.info({ division: servers[i]!.division, url }, 'agents can connect');

await run([
  { name: service, close: () => running.close() },
  { name: 'bus', close: () => bus.close() },
  { name: 'store', close: () => store.close() },
]);
