import { rabbitBus } from '@maw/bus/rabbit.ts';
import { live } from '@maw/service/life.ts';
import { startOps } from '@maw/service/ops.ts';
import { postgresStore } from '@maw/store/postgres.ts';
import { logger } from '@maw/telemetry/log.ts';
import { startTelemetry } from '@maw/telemetry/start.ts';
import { config, optionsOf } from './config.ts';
import { player } from './service.ts';

const given = config();
const service = 'player';
const log = logger(service, { level: given.LOG_LEVEL });
const telemetry = startTelemetry({
  service,
  endpoint: given.OTEL_EXPORTER_OTLP_ENDPOINT,
  protocol: given.OTEL_EXPORTER_OTLP_PROTOCOL,
  ratio: given.OTEL_TRACES_SAMPLER_ARG,
  log,
});
const store = await postgresStore({ url: given.DATABASE_URL, poolSize: given.DATABASE_POOL, service });
const bus = await rabbitBus({ url: given.AMQP_URL, service, graceMs: Math.floor(given.GRACE_MS / 2) });
const running = await player({ bus, thoughts: store.thoughts, now: Date.now, log, options: optionsOf(given) });
const ops = await startOps({
  service,
  host: given.HOST,
  port: given.PORT,
  ready: {
    broker: () => {
      if (!bus.isUp()) throw new Error('the broker cannot be reached');
    },
    database: () => store.ping(),
  },
});
log.info({ ops: ops.url }, 'ready');

await live(
  [
    { name: 'player', close: () => running.close() },
    { name: 'bus', close: () => bus.close() },
    { name: 'store', close: () => store.close() },
    { name: 'ops', close: () => ops.close() },
    { name: 'telemetry', close: () => telemetry.close() },
  ],
  { graceMs: given.GRACE_MS, log },
);
