import { rabbitBus } from '@maw/bus/rabbit.ts';
import { brokerOf, databaseTlsOf } from '@maw/service/addresses.ts';
import { begin } from '@maw/service/begin.ts';
import { postgresStore } from '@maw/store/postgres.ts';
import { config, optionsOf } from './config.ts';
import { gamemaster } from './service.ts';

const service = 'gamemaster';
const given = config();
const { log, needs, live } = await begin(service, given);
const store = await postgresStore({ url: given.DATABASE_URL, tls: databaseTlsOf(given), poolSize: given.DATABASE_POOL, service });
needs('database', () => store.ping());
const bus = await rabbitBus({ ...brokerOf(given), service, graceMs: Math.floor(given.GRACE_MS / 2) });
needs('broker', () => {
  if (!bus.isUp()) throw new Error('the broker cannot be reached');
});
const running = await gamemaster({ bus, tapes: store.tapes, pulse: store.heartbeat, now: Date.now, log, options: optionsOf(given) });

await live([
  { name: service, close: () => running.close() },
  { name: 'bus', close: () => bus.close() },
  { name: 'store', close: () => store.close() },
]);
