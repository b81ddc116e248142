import { rabbitBus } from '@maw/bus/rabbitmq/rabbit-bus.ts';
import { brokerOptions, databaseTlsOptions } from '@maw/service/connection-options.ts';
import { cardsWith } from '@maw/recipes/recipes.ts';
import { readServiceConfig, startService } from '@maw/service/start-service.ts';
import { showDatabaseUse } from '@maw/store/driver/database-use.ts';
import { postgresStore } from '@maw/store/postgres.ts';
import { config, optionsOf } from './config.ts';
import { gamemaster } from './service.ts';

const service = 'gamemaster';
const given = readServiceConfig(service, config);
const { log, addReadinessCheck, connect, connectBroker, watchClock, run } = await startService(service, given);
const database = { url: given.DATABASE_URL, tls: databaseTlsOptions(given), poolSize: given.DATABASE_POOL, service };
const store = await connect('database', { open: () => postgresStore(database), check: (one) => one.ping() });
const clock = await watchClock(() => store.now());
const bus = await connectBroker(() =>
  rabbitBus({ ...brokerOptions(given), service, now: clock.now, graceMs: Math.floor(given.GRACE_MS / 2) }),
);
await clock.guard(bus);
const options = optionsOf(given);
const { tapes, strategies, experience: pools, policies, heartbeat } = store;
const recipes = cardsWith(given.RECIPES_DIR);
const ports = { bus, tapes, strategies, pools, policies, heartbeat };
const running = await gamemaster({ ...ports, now: clock.now, clock: clock.clock, log, options, recipes });
addReadinessCheck('heartbeat', () => running.check());
const stopShowing = showDatabaseUse(store.use, { service, diskBytes: given.DATABASE_DISK_GB && given.DATABASE_DISK_GB * 1e9 });

await run([
  { name: service, close: () => (stopShowing(), running.close()) },
  { name: 'bus', close: () => bus.close() },
  { name: 'store', close: () => store.close() },
]);
