import { readConfig } from '@maw/service/config.ts';
import { z } from 'zod';

const password = (whose: string) =>
  z
    .string()
    .regex(/^[\x21-\x7e]{8,}$/, 'at least 8 visible characters without spaces')
    .optional()
    .describe(`The password of ${whose}; without it one is made, and kept in the volume of secrets`);
const secret = (says: string, least: number) =>
  z
    .string()
    .regex(/^[\w.~+/=-]+$/, 'letters, digits or . _ ~ + / = -')
    .min(least, `at least ${least} characters`)
    .optional()
    .describe(`${says}; without it one is made, and kept in the volume of secrets`);

/** The variable of each name whose password can be given. */
export const passwordVariables = {
  'gamemaster': 'PASSWORD_GAMEMASTER',
  'chatroom': 'PASSWORD_CHATROOM',
  'player': 'PASSWORD_PLAYER',
  'llm-gateway': 'PASSWORD_LLM_GATEWAY',
  'web': 'PASSWORD_WEB',
  'operator': 'PASSWORD_OPERATOR',
  'monitoring': 'PASSWORD_MONITORING',
  'owner': 'PASSWORD_OWNER',
  'reader': 'PASSWORD_READER',
  'keeper': 'PASSWORD_KEEPER',
} as const;

/** What `maw prepare` is told. */
export const prepareFields = z.object({
  COMPOSE_PROFILES: z
    .string()
    .default('')
    .describe('Which parts run, comma between: sim or ollama, or neither and OLLAMA_URLS; with observability, traces are sent'),
  OLLAMA_URLS: z
    .string()
    .optional()
    .describe('Model servers elsewhere, as the gateway takes them; with neither sim nor ollama among the profiles'),
  MODEL: z.string().optional().describe('The model that plays and that the profile ollama pulls; the simulator has its own'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .optional()
    .describe('Where traces are sent, when not to the collector of the profile observability'),
  POSTGRES_PASSWORD: z.string().min(1).describe('The password of the first user of PostgreSQL, which makes the roles'),
  PASSWORD_GAMEMASTER: password('the gamemaster, at the broker and the database'),
  PASSWORD_CHATROOM: password('the chatroom, at both'),
  PASSWORD_PLAYER: password('the player, at both'),
  PASSWORD_LLM_GATEWAY: password('the llm-gateway, at both'),
  PASSWORD_WEB: password('the web, at both'),
  PASSWORD_OPERATOR: password('who reads dead letters, at the broker'),
  PASSWORD_MONITORING: password('who looks at the console of the broker'),
  PASSWORD_OWNER: password('who owns the tables'),
  PASSWORD_READER: password('who reads all tables'),
  PASSWORD_KEEPER: password('who removes old tables'),
  MAW_ADMIN_TOKEN: secret('What an administrator of the door bears', 16),
  WEB_SECRET: secret('What tokens are signed with', 32),
  METRICS_TOKEN: secret('What whoever reads /metrics bears', 16),
  GRAFANA_PASSWORD: password('the user admin of Grafana'),
});

export type PrepareConfig = z.output<typeof prepareFields>;

/** @throws ConfigError */
export const readPrepareConfig = (env: Readonly<Record<string, string | undefined>>): PrepareConfig => readConfig(prepareFields, env);
