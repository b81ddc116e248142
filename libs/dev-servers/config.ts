import { brokerTls, databaseTls } from './tls.ts';

/** What the environment says about the servers to use. */
export interface DevServersConfig {
  readonly amqpUrl: string | undefined;
  readonly databaseUrl: string | undefined;
  readonly rabbitmqImage: string;
  readonly postgresImage: string;
  /** The image of the container that removes ours should this process die; undefined when it is not wanted. */
  readonly ryukImage: string | undefined;
  readonly path: readonly string[];
  /** The certificates for the servers whose addresses are given. */
  readonly tls: { broker(): ReturnType<typeof brokerTls>; database(): ReturnType<typeof databaseTls> };
}

/** Reads the environment; an empty variable counts as none. */
export function readDevServersConfig(env: NodeJS.ProcessEnv = process.env): DevServersConfig {
  return {
    amqpUrl: env['AMQP_URL'] || undefined,
    databaseUrl: env['DATABASE_URL'] || undefined,
    rabbitmqImage: env['MAW_RABBITMQ_IMAGE'] || 'rabbitmq:4.2.9-management',
    postgresImage: env['MAW_POSTGRES_IMAGE'] || 'pgvector/pgvector:0.8.6-pg17',
    ryukImage: env['TESTCONTAINERS_RYUK_DISABLED'] === 'true' ? undefined : env['RYUK_CONTAINER_IMAGE'] || 'testcontainers/ryuk:0.14.0',
    path: (env['PATH'] ?? '').split(':').filter(Boolean),
    tls: { broker: () => brokerTls(env), database: () => databaseTls(env) },
  };
}

/** Tells testcontainers to do without its cleaning container. It reads this when the first container starts. */
export function disableRyuk(): void {
  process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true';
}

/** The environment of this process for a child, without what would lead a server away from its own folder. */
export function serverEnvironment(added: Readonly<Record<string, string>>): Record<string, string> {
  const led = /^(RABBITMQ_|ERL_|PG[A-Z]+$|POSTGRES|NODE_OPTIONS$)/;
  const kept = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined && !led.test(entry[0]));
  return { ...Object.fromEntries(kept), LC_ALL: 'C', ...added };
}
