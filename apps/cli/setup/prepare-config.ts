import { z } from 'zod';

const password = (whose: string) =>
  z
    .string()
    .regex(/^[\x21-\x7e]{8,}$/, 'at least 8 visible characters without spaces')
    .optional()
    .describe(`The password of ${whose}; if unset, one is generated and kept in the volume of secrets`);
const secret = (says: string, least: number) =>
  z
    .string()
    .regex(/^[\w.~+/=-]+$/, 'letters, digits or . _ ~ + / = -')
    .min(least, `at least ${least} characters`)
    .optional()
    .describe(`${says}; if unset, one is generated and kept in the volume of secrets`);

/** The settings of `maw prepare`. */
export const prepareFields = z.object({
  COMPOSE_PROFILES: z
    .string()
    .default('')
    .describe(
      'The optional parts that run, separated by commas: ollama or sim for models (neither with OLLAMA_URLS); observability also turns traces on',
    ),
  OLLAMA_URLS: z
    .string()
    .optional()
    .describe('Model servers elsewhere, in the form the gateway reads; only without the profiles sim and ollama'),
  MODEL: z.string().optional().describe('The model that plays, which the profile ollama pulls; the simulator has its own'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .optional()
    .describe('Where traces are sent, if not to the collector of the profile observability'),
  POSTGRES_PASSWORD: z
    .string()
    .min(1)
    .optional()
    .describe('The password of PostgreSQL’s first user, with which nobody is let in; if unset, one is generated'),
  PASSWORD_GAMEMASTER: password('the gamemaster, at the broker and the database'),
  PASSWORD_CHATROOM: password('the chatroom, at both'),
  PASSWORD_PLAYER: password('the player, at both'),
  PASSWORD_LLM_GATEWAY: password('the llm-gateway, at both'),
  PASSWORD_WEB: password('the web, at both'),
  PASSWORD_AIWOLF: password('the servers for outside agents, at both'),
  PASSWORD_CONTEST: password('the contest service, at both'),
  PASSWORD_OPERATOR: password('the broker’s user that reads dead letters'),
  PASSWORD_MONITORING: password('the broker’s management page'),
  PASSWORD_OWNER: password('the database role that owns the tables'),
  PASSWORD_READER: password('the database role that reads all tables'),
  PASSWORD_KEEPER: password('the database role that removes old tables'),
  MAW_ADMIN_TOKEN: secret('The administrator’s token for the web service', 16),
  WEB_SECRET: secret('The key that signs tokens', 32),
  METRICS_TOKEN: secret('The token for reading /metrics', 16),
  GATEWAY_KEY: secret('The administrator’s key for the HTTP API of the gateway', 16),
  GRAFANA_PASSWORD: password('the user admin of Grafana'),
});
