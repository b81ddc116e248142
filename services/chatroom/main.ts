import { sendSignsOfLife } from '@maw/bus/sign-of-life.ts';
import { rabbitBus } from '@maw/bus/rabbitmq/rabbit-bus.ts';
import { brokerOptions, databaseTlsOptions } from '@maw/service/connection-options.ts';
import { readServiceConfig, startService } from '@maw/service/start-service.ts';
import { postgresStore } from '@maw/store/postgres.ts';
import { config, optionsOf } from './config.ts';
import { chatroom } from './service.ts';

const service = 'chatroom';
const given = readServiceConfig(service, config);
const { connect, connectBroker, watchClock, run } = await startService(service, given);
const database = { url: given.DATABASE_URL, tls: databaseTlsOptions(given), poolSize: given.DATABASE_POOL, service };
const store = await connect('database', { open: () => postgresStore(database), check: (one) => one.ping() });
const clock = await watchClock(() => store.now());
const bus = await connectBroker(() =>
  rabbitBus({ ...brokerOptions(given), service, now: clock.now, graceMs: Math.floor(given.GRACE_MS / 2) }),
);
await clock.guard(bus);
const running = await chatroom({ bus, rooms: store.rooms, now: clock.now, options: optionsOf(given) });
const stopSigns = sendSignsOfLife(bus, { service, now: clock.now, isAble: () => clock.isFresh() && !store.isFull() });

await run([
  { name: 'signs of life', close: async () => stopSigns() },
  { name: service, close: () => running.close() },
  { name: 'bus', close: () => bus.close() },
  { name: 'store', close: () => store.close() },
]);
