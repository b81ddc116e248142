import { rabbitBus } from '@maw/bus/rabbit.ts';
import { begin } from '@maw/service/begin.ts';
import { config, optionsOf } from './config.ts';
import { web } from './service.ts';

const given = config();
const options = optionsOf(given);
const { log, needs, live } = await begin('web', given);
if (options.secret === undefined) log.warn('no WEB_SECRET: tokens end with this process and are good at this replica alone');
if (options.adminToken === undefined && !options.isOpen) log.warn('no MAW_ADMIN_TOKEN: only who can sign tokens may open tables');

const bus = await rabbitBus({ url: given.AMQP_URL, service: 'web', graceMs: Math.floor(given.GRACE_MS / 2) });
needs('broker', () => {
  if (!bus.isUp()) throw new Error('the broker cannot be reached');
});
const door = await web({ bus, now: Date.now, log, options });

await live([
  { name: 'door', close: () => door.close() },
  { name: 'bus', close: () => bus.close() },
]);
