import { LEVELS } from '@maw/telemetry/log.ts';
import { PROTOCOLS } from '@maw/telemetry/span-exporter.ts';
import { z } from 'zod';

/** PEM text; usually given as a file, `NAME_FILE`. */
const pem = (kind: string, says: string) =>
  z
    .string()
    .refine((text) => new RegExp(`-----BEGIN ([A-Z]+ )?${kind}-----`).test(text), `must be a ${kind.toLowerCase()} in PEM, -----BEGIN ...`)
    .optional()
    .describe(`${says}, in PEM; a file of it with _FILE`);
const yesOrNo = (usual: boolean, says: string) =>
  z
    .stringbool()
    .prefault(usual ? 'yes' : 'no')
    .describe(`${says}: yes or no`);

/** Variables of several services. A service's schema combines these with its own: `z.object({ ...busFields, ... })`. */
export const busFields = {
  AMQP_URL: z
    .url({ protocol: /^amqps?$/ })
    .default('amqp://guest:guest@127.0.0.1:5672')
    .describe('Address of the broker: amqp:// or amqps://'),
  AMQP_CA: pem('CERTIFICATE', 'The authority that signs the certificate of the broker; without it those that Node trusts'),
  AMQP_CERT: pem('CERTIFICATE', 'Our certificate, where the broker wants one'),
  AMQP_KEY: pem('PRIVATE KEY', 'The key of AMQP_CERT'),
  AMQP_SERVER_NAME: z
    .string()
    .min(1)
    .optional()
    .describe('The name in the certificate of the broker, where it is not the host of AMQP_URL'),
  AMQP_DECLARE: yesOrNo(true, 'Whether exchanges and queues are declared; a user that may not only looks for them'),
  AMQP_CHECK_SENDER: yesOrNo(
    false,
    'Whether messages are dropped whose sender the broker knows by another name; for brokers where each service is a user of its own',
  ),
};

/** For services with an optional database. */
export const storeTlsFields = {
  DATABASE_CA: pem('CERTIFICATE', 'The authority that signs the certificate of the database; without it those that Node trusts'),
  DATABASE_CERT: pem('CERTIFICATE', 'Our certificate, where the database wants one'),
  DATABASE_KEY: pem('PRIVATE KEY', 'The key of DATABASE_CERT'),
};

export const storeFields = {
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .describe('Address of the PostgreSQL database: postgres://, with ?sslmode=verify-full for an encrypted connection'),
  ...storeTlsFields,
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
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, 'at least 16 visible characters without spaces')
    .optional()
    .describe(
      'What whoever reads /metrics must bear; without it they are for this machine alone, and denied where HOST is no loopback address',
    ),
  MAW_OPEN: z.enum(['0', '1']).default('0').describe('1: on a machine of one’s own; /metrics need no token, whatever HOST is'),
  GRACE_MS: z.coerce.number().int().min(0).max(600_000).default(10_000).describe('How long an end may take, in milliseconds'),
  LOG_LEVEL: z.enum(LEVELS).default('info').describe('Log lines below it are not written'),
};
