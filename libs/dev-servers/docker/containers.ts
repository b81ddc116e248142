import { createHash, randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { GenericContainer, StartedTestContainer } from 'testcontainers';
import { pollUntilReady } from '../start-supervised.ts';
import type { DevServersConfig } from '../config.ts';
import { engineWith } from './engine.ts';
import { readOrCreatePassword } from '../local/folder.ts';
import { startSupervisor, containerLabel } from '../supervisor/supervisor.ts';
import { type Log, type DevServer, errorMessage } from '../strategy.ts';

type Version = (url: string) => Promise<string>;

/**
 * Starts RabbitMQ in Docker. With `dataFolder` its password is in that folder and its data in a Docker volume of the same owner.
 * @throws Unavailable when no engine answers, or the image is missing and cannot be pulled
 */
export async function rabbitmqInDocker(
  config: DevServersConfig,
  version: Version,
  dataFolder: string | undefined,
  say: Log,
): Promise<DevServer> {
  const image = config.rabbitmqImage;
  const engine = await engineWith(image, config, say);
  const { RabbitMQContainer } = await import('@testcontainers/rabbitmq');
  const { password, volume } = await persistence(dataFolder, 'rabbitmq');
  const container = new RabbitMQContainer(image).withEnvironment({ RABBITMQ_DEFAULT_USER: 'maw', RABBITMQ_DEFAULT_PASS: password });
  // RabbitMQ stores data under its host name, which Docker otherwise changes on each start.
  if (volume) container.withHostname('maw').withBindMounts([{ source: volume, target: '/var/lib/rabbitmq' }]);
  const urlOf = (started: StartedTestContainer) => `amqp://maw:${password}@${started.getHost()}:${started.getMappedPort(5672)}`;
  return open('RabbitMQ', image, container, urlOf, version, engine.cleansUp, volume !== undefined);
}

/** Starts PostgreSQL in Docker, in the same way. */
export async function postgresInDocker(
  config: DevServersConfig,
  version: Version,
  dataFolder: string | undefined,
  say: Log,
): Promise<DevServer> {
  const image = config.postgresImage;
  const engine = await engineWith(image, config, say);
  const { PostgreSqlContainer } = await import('@testcontainers/postgresql');
  const { password, volume } = await persistence(dataFolder, 'postgres');
  const container = new PostgreSqlContainer(image).withDatabase('maw').withUsername('maw').withPassword(password);
  if (volume) container.withBindMounts([{ source: volume, target: '/var/lib/postgresql/data' }]);
  const urlOf = (started: StartedTestContainer) => `postgres://maw:${password}@${started.getHost()}:${started.getMappedPort(5432)}/maw`;
  return open('PostgreSQL', image, container, urlOf, version, engine.cleansUp, volume !== undefined);
}

/** A password, and with `dataFolder` its volume: a bind-mounted folder would have to be owned by the image's user. */
async function persistence(dataFolder: string | undefined, name: string): Promise<{ readonly password: string; readonly volume?: string }> {
  if (!dataFolder) return { password: randomUUID() };
  const folder = join(dataFolder, `docker-${name}`);
  await mkdir(folder, { recursive: true });
  const password = await readOrCreatePassword(folder, randomUUID);
  return { password, volume: `maw-${name}-${createHash('sha256').update(password).digest('hex').slice(0, 12)}` };
}

async function open(
  name: string,
  image: string,
  container: GenericContainer,
  urlOf: (started: StartedTestContainer) => string,
  version: Version,
  cleansUp: boolean,
  kept: boolean,
): Promise<DevServer> {
  const id = randomUUID();
  const guarded = cleansUp ? undefined : startSupervisor({ containersOf: id });
  try {
    const started = await container
      .withLabels({ [containerLabel]: id })
      .withStartupTimeout(120_000)
      .start();
    const url = urlOf(started);
    const serverVersion = await pollUntilReady(() => version(url), 60_000);
    const close = async () => {
      await started.stop({ timeout: kept ? 20_000 : 0 });
      await guarded?.stop();
    };
    return { url, describe: `${name} ${serverVersion} in Docker, from ${image}`, close };
  } catch (error) {
    await guarded?.stop();
    throw new Error(`${image} did not come up: ${errorMessage(error)}`, { cause: error });
  }
}
