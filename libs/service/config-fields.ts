import { LEVELS } from '@maw/telemetry/log.ts';
import { RESOURCE_ATTRIBUTES } from '@maw/telemetry/resource.ts';
import { PROTOCOLS } from '@maw/telemetry/span-exporter.ts';
import { z } from 'zod';
import { DEFAULT_GRACE_MS } from './shutdown.ts';

/** PEM text; usually given as a file, `NAME_FILE`. */
const pem = (kind: string, says: string) =>
  z
    .string()
    .refine((text) => new RegExp(`-----BEGIN ([A-Z]+ )?${kind}-----`).test(text), `must be a ${kind.toLowerCase()} in PEM, -----BEGIN ...`)
    .optional()
    .describe(`${says}, as PEM text; or as a file with _FILE`);
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
    .describe('URL of the broker: amqp:// or amqps://'),
  AMQP_CA: pem('CERTIFICATE', 'The certificate authority of the broker (default: those that Node trusts)'),
  AMQP_CERT: pem('CERTIFICATE', 'Our client certificate, if the broker requires one'),
  AMQP_KEY: pem('PRIVATE KEY', 'The key of AMQP_CERT'),
  AMQP_SERVER_NAME: z.string().min(1).optional().describe('The name in the certificate of the broker, if it is not the host of AMQP_URL'),
  AMQP_DECLARE: yesOrNo(true, 'Whether to declare exchanges and queues, or only check that they exist'),
  AMQP_CHECK_SENDER: yesOrNo(false, 'Whether to drop messages with a forged sender; needs a broker user per service'),
};

/** For services with an optional database. */
export const storeTlsFields = {
  DATABASE_CA: pem('CERTIFICATE', 'The certificate authority of the database (default: those that Node trusts)'),
  DATABASE_CERT: pem('CERTIFICATE', 'Our client certificate, if the database requires one'),
  DATABASE_KEY: pem('PRIVATE KEY', 'The key of DATABASE_CERT'),
};

export const storeFields = {
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .describe('URL of the PostgreSQL database: postgres://, with ?sslmode=verify-full for TLS'),
  ...storeTlsFields,
};

export const telemetryFields = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('URL of the OTLP receiver for traces (HTTP), without /v1/traces; default: no tracing'),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.enum(PROTOCOLS).default('http/protobuf').describe('Encoding of traces'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('Share of new traces that are recorded, 0 to 1. Below 1 no game can be followed: let the collector choose (TRACED_TABLES)'),
  OTEL_RESOURCE_ATTRIBUTES: z
    .string()
    .regex(RESOURCE_ATTRIBUTES, 'must be name=value pairs with commas between them; write a comma in a value as %2C')
    .optional()
    .describe('Further attributes of the resource of all spans: name=value,name=value'),
  MAW_COMMIT: z.string().max(64).optional().describe('The commit of this version, shown as a label of maw_build_info; images have it'),
  TRACED_TABLES: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('Share of tables whose traces the collector keeps, 0 to 1, as it is configured there. Metrics link to traces of these only'),
};

export const lifeFields = {
  HOST: z.string().default('127.0.0.1').describe('Interface to listen on; 0.0.0.0 in a container'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(0).describe('Port of /healthz, /readyz and /metrics; 0 takes a free one'),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, 'at least 16 visible characters without spaces')
    .optional()
    .describe('Bearer token for /metrics; without it /metrics is served on a loopback HOST only'),
  MAW_OPEN: z.enum(['0', '1']).default('0').describe('1: for a personal machine; this service has nothing that it opens'),
  GRACE_MS: z.coerce.number().int().min(0).max(600_000).default(DEFAULT_GRACE_MS).describe('How long a shutdown may take, in milliseconds'),
  LOG_LEVEL: z.enum(LEVELS).default('info').describe('Lowest log level that is written'),
};
