import { setOrFile } from '@maw/service/config.ts';

/** What the command line takes from the environment; read once. */
export interface CliConfig {
  readonly ollamaHost: string | undefined;
  readonly otlp: string | undefined;
  readonly at: string | undefined;
  readonly token: string | undefined;
  /** The HTTP address of a gateway, and an administrator's key for it. */
  readonly gatewayAt: string | undefined;
  readonly gatewayKey: string | undefined;
  /** The file of keys and the port of the gateway that `maw up` starts. */
  readonly gatewayKeys: string | undefined;
  readonly gatewayPort: number | undefined;
  readonly isColour: boolean;
  readonly amqpUrl: string | undefined;
  readonly databaseUrl: string | undefined;
  /** The database that `maw restore-test` checks when it gets no dump. */
  readonly restoredUrl: string | undefined;
  /** Whether `maw demo` opens a table. */
  readonly isDemo: boolean;
  /** Handed on to the services that `maw up` starts. */
  readonly all: NodeJS.ProcessEnv;
}

export const readCliConfig = (env: NodeJS.ProcessEnv = process.env): CliConfig => ({
  ollamaHost: env['OLLAMA_HOST'] || undefined,
  otlp: env['OTEL_EXPORTER_OTLP_ENDPOINT'] || undefined,
  at: env['MAW_AT'] || undefined,
  token: setOrFile('MAW_TOKEN', env),
  gatewayAt: env['MAW_GATEWAY_AT'] || undefined,
  gatewayKey: setOrFile('MAW_GATEWAY_KEY', env),
  gatewayKeys: env['GATEWAY_KEYS'] || undefined,
  gatewayPort: !env['DOOR_PORT'] ? undefined : Number(env['DOOR_PORT']),
  isColour: process.stdout.isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
  amqpUrl: setOrFile('AMQP_URL', env),
  databaseUrl: setOrFile('DATABASE_URL', env),
  restoredUrl: setOrFile('RESTORED_URL', env),
  isDemo: env['MAW_DEMO'] !== '0',
  all: env,
});
