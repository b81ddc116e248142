import { rabbitBus } from '@maw/bus/rabbit.ts';
import { begin } from '@maw/service/begin.ts';
import { gatewayConfig } from './config.ts';
import { llmGateway } from './service.ts';

const service = 'llm-gateway';
const config = gatewayConfig();
const { log, needs, live } = await begin(service, config);
// What is in hand is given back by the bus before the time of the whole is over.
const bus = await rabbitBus({ url: config.AMQP_URL, service, graceMs: Math.round(config.GRACE_MS * 0.7) });
needs('broker', () => {
  if (!bus.isUp()) throw new Error('the broker cannot be reached');
});
const gateway = await llmGateway({ bus, now: Date.now, log, options: config.options });
needs('models', () => gateway.ready());
log.info({ servers: config.options.servers.map(({ name, slots }) => `${name}=${slots}`) }, 'the gateway listens');

await live([
  { name: 'bus', close: () => bus.close() },
  { name: 'gateway', close: () => gateway.close() },
]);
