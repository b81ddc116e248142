import { rabbitBus } from '@maw/bus/rabbitmq/rabbit-bus.ts';
import { recipesWith } from '@maw/minds/recipes.ts';
import { brokerOptions, databaseTlsOptions } from '@maw/service/connection-options.ts';
import { readServiceConfig, startService } from '@maw/service/start-service.ts';
import { postgresStore } from '@maw/store/postgres.ts';
import { config } from './config.ts';
import { defaultOptions } from './defaults.ts';
import { contest } from './service.ts';

const service = 'contest';
const given = readServiceConfig(service, config);
const { log, connect, connectBroker, watchClock, run } = await startService(service, given);
const database = { url: given.DATABASE_URL, tls: databaseTlsOptions(given), poolSize: 4, service };
const store = await connect('database', { open: () => postgresStore(database), check: (one) => one.ping() });
const clock = await watchClock(() => store.now());
const bus = await connectBroker(() =>
  rabbitBus({ ...brokerOptions(given), service, now: clock.now, graceMs: Math.floor(given.GRACE_MS / 2) }),
);
await clock.guard(bus);
const options = { maxTables: given.CONTEST_TABLES, workers: given.CONTEST_WORKERS ?? defaultOptions.workers };
const recipes = recipesWith(given.RECIPES_DIR);
const running = await contest({ bus, store, now: clock.now, log, recipes, options });

await run([
  { name: service, close: () => running.close() },
  { name: 'bus', close: () => bus.close() },
  { name: 'store', close: () => store.close() },
]);
