import { rabbitBus } from '@maw/bus/rabbit.ts';
import { live } from '@maw/service/life.ts';
import { startOps } from '@maw/service/ops.ts';
import { logger } from '@maw/telemetry/log.ts';
import { startTelemetry } from '@maw/telemetry/start.ts';
import { config, optionsOf } from './config.ts';
import { web } from './service.ts';

const given = config();
const { AMQP_URL, HOST, PORT, GRACE_MS, LOG_LEVEL } = given;
const options = optionsOf(given);
const log = logger('web', { level: LOG_LEVEL });
const telemetry = startTelemetry({
  service: 'web',
  endpoint: given.OTEL_EXPORTER_OTLP_ENDPOINT,
  protocol: given.OTEL_EXPORTER_OTLP_PROTOCOL,
  ratio: given.OTEL_TRACES_SAMPLER_ARG,
  log,
});
if (options.secret === undefined) log.warn('no WEB_SECRET: tokens end with this process and are good at this replica alone');
if (options.adminToken === undefined && !options.isOpen) log.warn('no MAW_ADMIN_TOKEN: only who can sign tokens may open tables');

const bus = await rabbitBus({ url: AMQP_URL, service: 'web', graceMs: Math.floor(GRACE_MS / 2) });
const door = await web({ bus, now: Date.now, log, options });
const ops = await startOps({
  service: 'web',
  host: HOST,
  port: PORT,
  ready: {
    bus: () => {
      if (!bus.isUp()) throw new Error('the broker cannot be reached');
    },
  },
});

await live(
  [
    { name: 'door', close: () => door.close() },
    { name: 'bus', close: () => bus.close() },
    { name: 'ops', close: () => ops.close() },
    { name: 'telemetry', close: () => telemetry.close() },
  ],
  { graceMs: GRACE_MS, log },
);
