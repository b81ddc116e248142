import { sendSignsOfLife } from '@maw/bus/sign-of-life.ts';
import { rabbitBus } from '@maw/bus/rabbitmq/rabbit-bus.ts';
import { brokerOptions, databaseTlsOptions } from '@maw/service/connection-options.ts';
import { recipesWith } from '@maw/minds/recipes.ts';
import { readServiceConfig, startService } from '@maw/service/start-service.ts';
import { postgresStore } from '@maw/store/postgres.ts';
import { config, optionsOf } from './config.ts';
import { player } from './service.ts';

const service = 'player';
const given = readServiceConfig(service, config);
const { log, connect, connectBroker, watchClock, run } = await startService(service, given);
const database = { url: given.DATABASE_URL, tls: databaseTlsOptions(given), poolSize: given.DATABASE_POOL, service };
const store = await connect('database', { open: () => postgresStore(database), check: (one) => one.ping() });
const clock = await watchClock(() => store.now());
const bus = await connectBroker(() =>
  rabbitBus({ ...brokerOptions(given), service, now: clock.now, graceMs: Math.floor(given.GRACE_MS / 2) }),
);
await clock.guard(bus);
const { thoughts, experience: pools, strategies, policies } = store;
const recipes = recipesWith(given.RECIPES_DIR);
const running = await player({ bus, thoughts, pools, strategies, policies, now: clock.now, log, options: optionsOf(given), recipes });
const stopSigns = sendSignsOfLife(bus, {
  service,
  now: clock.now,
  isAble: () => clock.isFresh() && !store.isFull(),
  recipes: recipes.map(({ name }) => name),
});

await run([
  { name: 'signs of life', close: async () => stopSigns() },
  { name: service, close: () => running.close() },
  { name: 'bus', close: () => bus.close() },
  { name: 'store', close: () => store.close() },
]);
