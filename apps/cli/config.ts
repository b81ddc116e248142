/** What the command line takes from the environment; read once. */
export interface CliConfig {
  readonly ollamaHost: string | undefined;
  readonly otlp: string | undefined;
  readonly at: string | undefined;
  readonly token: string | undefined;
  /** The HTTP door of a gateway, and an administrator's key for it. */
  readonly gatewayAt: string | undefined;
  readonly gatewayKey: string | undefined;
  /** The file of keys and the port of the gateway that `maw up` starts. */
  readonly gatewayKeys: string | undefined;
  readonly gatewayPort: number | undefined;
  readonly isColour: boolean;
  readonly amqpUrl: string | undefined;
  readonly databaseUrl: string | undefined;
  /** Handed on to the services that `maw up` starts. */
  readonly all: NodeJS.ProcessEnv;
}

const set = (value: string | undefined): string | undefined => (value === undefined || value === '' ? undefined : value);

export const readCliConfig = (env: NodeJS.ProcessEnv = process.env): CliConfig => ({
  ollamaHost: set(env['OLLAMA_HOST']),
  otlp: set(env['OTEL_EXPORTER_OTLP_ENDPOINT']),
  at: set(env['MAW_AT']),
  token: set(env['MAW_TOKEN']),
  gatewayAt: set(env['MAW_GATEWAY_AT']),
  gatewayKey: set(env['MAW_GATEWAY_KEY']),
  gatewayKeys: set(env['GATEWAY_KEYS']),
  gatewayPort: set(env['DOOR_PORT']) === undefined ? undefined : Number(env['DOOR_PORT']),
  isColour: process.stdout.isTTY && set(env['NO_COLOR']) === undefined && env['TERM'] !== 'dumb',
  amqpUrl: set(env['AMQP_URL']),
  databaseUrl: set(env['DATABASE_URL']),
  all: env,
});
