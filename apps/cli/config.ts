import { readFileSync } from 'node:fs';

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

const set = (value: string | undefined): string | undefined => (value === undefined || value === '' ? undefined : value);

/** A variable, or what is in the file that NAME_FILE names. @throws Error when that cannot be read */
function setOrFile(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const [value, file] = [set(env[name]), set(env[`${name}_FILE`])];
  if (file === undefined) return value;
  if (value !== undefined) throw new Error(`${name} is set, and so is ${name}_FILE; set one of them`);
  try {
    return set(readFileSync(file, 'utf8').replace(/\r?\n$/, ''));
  } catch (error) {
    throw new Error(`${name}_FILE: the file cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`, { cause: error });
  }
}

export const readCliConfig = (env: NodeJS.ProcessEnv = process.env): CliConfig => ({
  ollamaHost: set(env['OLLAMA_HOST']),
  otlp: set(env['OTEL_EXPORTER_OTLP_ENDPOINT']),
  at: set(env['MAW_AT']),
  token: setOrFile(env, 'MAW_TOKEN'),
  gatewayAt: set(env['MAW_GATEWAY_AT']),
  gatewayKey: setOrFile(env, 'MAW_GATEWAY_KEY'),
  gatewayKeys: set(env['GATEWAY_KEYS']),
  gatewayPort: set(env['DOOR_PORT']) === undefined ? undefined : Number(env['DOOR_PORT']),
  isColour: process.stdout.isTTY && set(env['NO_COLOR']) === undefined && env['TERM'] !== 'dumb',
  amqpUrl: setOrFile(env, 'AMQP_URL'),
  databaseUrl: setOrFile(env, 'DATABASE_URL'),
  restoredUrl: setOrFile(env, 'RESTORED_URL'),
  isDemo: env['MAW_DEMO'] !== '0',
  all: env,
});
