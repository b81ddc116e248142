import { LEVELS } from '@maw/telemetry/log.ts';
import { PROTOCOLS } from '@maw/telemetry/span-exporter.ts';
import { z } from 'zod';

/** Variables that more than one service reads. A service's schema is made of these and of its own: `z.object({ ...busFields, ... })`. */
export const busFields = {
  AMQP_URL: z
    .url({ protocol: /^amqps?$/ })
    .default('amqp://guest:guest@127.0.0.1:5672')
    .describe('Address of the broker: amqp:// or amqps://'),
};

export const storeFields = {
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).describe('Address of the PostgreSQL database: postgres://'),
};

export const telemetryFields = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Where traces are sent (OTLP over HTTP), without /v1/traces; none are made without it'),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.enum(PROTOCOLS).default('http/protobuf').describe('How traces are written'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1).describe('The part of new traces that is recorded, 0 to 1'),
};

export const lifeFields = {
  HOST: z.string().default('127.0.0.1').describe('Interface to listen on; 0.0.0.0 in a container'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(0).describe('Port of /healthz, /readyz and /metrics; 0 takes a free one'),
  GRACE_MS: z.coerce.number().int().min(0).max(600_000).default(10_000).describe('How long an end may take, in milliseconds'),
  LOG_LEVEL: z.enum(LEVELS).default('info').describe('Log lines below it are not written'),
};
