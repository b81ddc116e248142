import { rabbitBus } from '@maw/bus/rabbit.ts';
import { live } from '@maw/service/life.ts';
import { startOps } from '@maw/service/ops.ts';
import { logger } from '@maw/telemetry/log.ts';
import { startTelemetry } from '@maw/telemetry/start.ts';
import { gatewayConfig } from './config.ts';
import { llmGateway } from './service.ts';

const service = 'llm-gateway';
const config = gatewayConfig();
const log = logger(service, { level: config.LOG_LEVEL });
const telemetry = startTelemetry({
  service,
  endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
  protocol: config.OTEL_EXPORTER_OTLP_PROTOCOL,
  ratio: config.OTEL_TRACES_SAMPLER_ARG,
  log,
});
// What is in hand is given back by the bus before the time of the whole is over.
const bus = await rabbitBus({ url: config.AMQP_URL, service, graceMs: Math.round(config.GRACE_MS * 0.7) });
const gateway = await llmGateway({ bus, now: Date.now, log, options: config.options });
const ops = await startOps({
  service,
  host: config.HOST,
  port: config.PORT,
  ready: {
    broker: () => {
      if (!bus.isUp()) throw new Error('the broker is not connected');
    },
    models: () => gateway.ready(),
  },
});
log.info({ ops: ops.url, servers: config.options.servers.map(({ name, slots }) => `${name}=${slots}`) }, 'the gateway listens');

await live(
  [
    { name: 'bus', close: () => bus.close() },
    { name: 'gateway', close: () => gateway.close() },
    { name: 'ops', close: () => ops.close() },
    { name: 'telemetry', close: () => telemetry.close() },
  ],
  { graceMs: config.GRACE_MS, log },
);
