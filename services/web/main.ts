import { rabbitBus } from '@maw/bus/rabbitmq/rabbit-bus.ts';
import { brokerOptions, databaseTlsOptions } from '@maw/service/connection-options.ts';
import { startService } from '@maw/service/start-service.ts';
import { postgresStore } from '@maw/store/postgres.ts';
import { config, optionsOf } from './config.ts';
import { web } from './service.ts';

const service = 'web';
const given = config();
const options = optionsOf(given);
const { log, addReadinessCheck, run } = await startService(service, given);
if (options.secret === undefined) log.warn('no WEB_SECRET: tokens end with this process and are good at this replica alone');
if (options.adminToken === undefined && !options.isOpen)
  log.warn('no MAW_ADMIN_TOKEN: only who bears a token of an administrator may open tables');

const bus = await rabbitBus({ ...brokerOptions(given), service, graceMs: Math.floor(given.GRACE_MS / 2) });
addReadinessCheck('broker', () => {
  if (!bus.isUp()) throw new Error('the broker cannot be reached');
});
const { DATABASE_URL: url } = given;
const store = url === undefined ? undefined : await postgresStore({ url, tls: databaseTlsOptions(given), poolSize: 4, service });
if (!store) log.warn('no DATABASE_URL: what is revoked, and what administrators do, is known to this process alone and gone with it');
const door = await web({ bus, now: Date.now, log, options, ...(store ? { permits: store.tokens, audit: store.auditLog } : {}) });
addReadinessCheck('permits', () => door.remark());

await run([
  { name: 'door', close: () => door.close() },
  { name: 'bus', close: () => bus.close() },
  ...(store ? [{ name: 'store', close: () => store.close() }] : []),
]);
