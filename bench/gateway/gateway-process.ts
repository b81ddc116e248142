import { memoryBus } from '@maw/bus/memory/memory-bus.ts';
import { rabbitBus } from '@maw/bus/rabbitmq/rabbit-bus.ts';
import { llmGateway } from '@maw/llm-gateway/service.ts';
import { logger } from '@maw/telemetry/log.ts';
import { startTelemetry } from '@maw/telemetry/start.ts';
import { reportUsage } from '../measured-process.ts';

/** More than are ever sent at once. */
const SLOTS = 512;
const MANY = 100_000;
/** AMQP limits a prefetch to 65,535. */
const MAX_IN_FLIGHT = 20_000;

/** The first argument of this process, as JSON. */
export interface GatewayProcess {
  readonly model: string;
  readonly key: string;
  /** Whether every request is traced; the model server discards the traces. */
  readonly isTraced: boolean;
  /** The broker it consumes from as well. Default: HTTP only. */
  readonly amqpUrl?: string;
  /** Slots of the model server. Default: more than are ever used. */
  readonly slots?: number;
}

/** The process of a gateway with its HTTP server and nothing else. */
const { model, key, isTraced, amqpUrl, slots = SLOTS } = JSON.parse(process.argv[2]!) as GatewayProcess;
const log = logger('llm-gateway', { level: 'warn', destination: process.stderr });
startTelemetry({ service: 'llm-gateway', endpoint: isTraced ? model : undefined, log });
const gateway = await llmGateway({
  bus: amqpUrl === undefined ? memoryBus({ service: 'llm-gateway' }) : await rabbitBus({ url: amqpUrl, service: 'llm-gateway' }),
  now: Date.now,
  log,
  options: {
    servers: [{ url: model, name: new URL(model).host, authorization: undefined, slots }],
    agentRpm: MANY,
    agentBurst: MANY,
    agentTpm: 100 * MANY,
    gameTokens: MANY * MANY,
    tenantTokensPerDay: MANY * MANY,
    agentConcurrency: 0,
    gameConcurrency: 0,
    mostWaiting: MANY,
    maxInFlight: MAX_IN_FLIGHT,
  },
  http: {
    host: '127.0.0.1',
    port: 0,
    keys: [{ key, agent: 'bench', tenant: 'default', admin: true }],
    isOpen: false,
    graceMs: 1_000,
  },
});
reportUsage(gateway.httpUrl!);
