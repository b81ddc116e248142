import { rabbitBus } from '@maw/bus/rabbitmq/rabbit-bus.ts';
import { brokerOptions, databaseTlsOptions } from '@maw/service/connection-options.ts';
import { readServiceConfig, startService } from '@maw/service/start-service.ts';
import { postgresStore } from '@maw/store/postgres.ts';
import { config, optionsOf } from './config.ts';
import { web } from './service.ts';

const service = 'web';
const given = readServiceConfig(service, config);
const options = optionsOf(given);
const { log, addReadinessCheck, connect, connectBroker, watchClock, run } = await startService(service, given);
if (options.secret === undefined) log.warn('WEB_SECRET is not set: tokens end with this process and are valid at this replica only');
if (options.adminToken === undefined && !options.isOpen)
  log.warn('MAW_ADMIN_TOKEN is not set: opening tables takes a signed token of an administrator');

const { DATABASE_URL: url } = given;
const openStore = url === undefined ? undefined : () => postgresStore({ url, tls: databaseTlsOptions(given), poolSize: 4, service });
// Once it is open, the service stays ready without it: the check of permits remarks on it.
const store = openStore && (await connect('database', { open: openStore, check: () => undefined }));
if (!store) log.warn('DATABASE_URL is not set: tokens, revocations and the audit log are in memory and end with this process');
const clock = await watchClock(store && (() => store.now()));
const bus = await connectBroker(() =>
  rabbitBus({ ...brokerOptions(given), service, now: clock.now, graceMs: Math.floor(given.GRACE_MS / 2) }),
);
const site = await web({ bus, now: clock.now, log, options, ...(store ? { tokens: store.tokens, audit: store.auditLog } : {}) });
addReadinessCheck('permits', () => site.remark());

await run([
  { name: 'door', close: () => site.close() },
  { name: 'bus', close: () => bus.close() },
  ...(store ? [{ name: 'store', close: () => store.close() }] : []),
]);
