import { createHash, randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type { ContainerRuntimeClient, GenericContainer, StartedTestContainer } from 'testcontainers';
import { disableRyuk, type DevServersConfig } from './config.ts';
import { readOrCreatePassword } from './local/folder.ts';
import { pollUntilReady } from './start-supervised.ts';
import { type DevServer, errorMessage, type Log, Unavailable } from './strategy.ts';

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
  await requireImage(image, config, say);
  const { RabbitMQContainer } = await import('@testcontainers/rabbitmq');
  const { password, volume } = await persistence(dataFolder, 'rabbitmq');
  const container = new RabbitMQContainer(image).withEnvironment({ RABBITMQ_DEFAULT_USER: 'maw', RABBITMQ_DEFAULT_PASS: password });
  // RabbitMQ stores data under its host name, which Docker otherwise changes on each start.
  if (volume) container.withHostname('maw').withBindMounts([{ source: volume, target: '/var/lib/rabbitmq' }]);
  const urlOf = (started: StartedTestContainer) => `amqp://maw:${password}@${started.getHost()}:${started.getMappedPort(5672)}`;
  return open('RabbitMQ', image, container, urlOf, version, volume !== undefined);
}

/** Starts PostgreSQL in Docker, in the same way. */
export async function postgresInDocker(
  config: DevServersConfig,
  version: Version,
  dataFolder: string | undefined,
  say: Log,
): Promise<DevServer> {
  const image = config.postgresImage;
  await requireImage(image, config, say);
  const { PostgreSqlContainer } = await import('@testcontainers/postgresql');
  const { password, volume } = await persistence(dataFolder, 'postgres');
  const container = new PostgreSqlContainer(image).withDatabase('maw').withUsername('maw').withPassword(password);
  if (volume) container.withBindMounts([{ source: volume, target: '/var/lib/postgresql/data' }]);
  const urlOf = (started: StartedTestContainer) => `postgres://maw:${password}@${started.getHost()}:${started.getMappedPort(5432)}/maw`;
  return open('PostgreSQL', image, container, urlOf, version, volume !== undefined);
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
  isKept: boolean,
): Promise<DevServer> {
  try {
    const started = await container.withStartupTimeout(120_000).start();
    const url = urlOf(started);
    const serverVersion = await pollUntilReady(() => version(url), 60_000);
    const close = async () => void (await started.stop({ timeout: isKept ? 20_000 : 0 }));
    return { url, describe: `${name} ${serverVersion} in Docker, from ${image}`, close };
  } catch (error) {
    throw new Error(`${image} did not come up: ${errorMessage(error)}`, { cause: error });
  }
}

/** How long an image may take to arrive, five minutes: then something else is better. */
const PULL_MS = 300_000;

let cleaner: Promise<void> | undefined;

/** @throws Unavailable when no engine answers, or the image can neither be found nor fetched */
async function requireImage(image: string, config: DevServersConfig, say: Log): Promise<void> {
  const client = await connect();
  const reason = await fetched(client, image, say);
  if (reason) {
    say(`a Docker engine answers, but the image ${image} cannot be pulled: ${reason}`);
    throw new Unavailable(`the image ${image} cannot be pulled: ${reason}`);
  }
  await (cleaner ??= chooseCleaner(client, config, say));
}

async function connect(): Promise<ContainerRuntimeClient> {
  const library = await import('testcontainers').catch(() => {
    throw new Unavailable('the package testcontainers is not installed');
  });
  return library.getContainerRuntimeClient().catch(() => {
    throw new Unavailable('no engine answers');
  });
}

/** A container of its own removes ours when this process dies, where its image can be had. */
async function chooseCleaner(client: ContainerRuntimeClient, { ryukImage }: DevServersConfig, say: Log): Promise<void> {
  if (!ryukImage || (await fetched(client, ryukImage, say))) disableRyuk();
}

/** Undefined when the image is there or has been fetched; otherwise why not. */
async function fetched(client: ContainerRuntimeClient, image: string, say: Log): Promise<string | undefined> {
  const { ImageName } = await import('testcontainers');
  const name = ImageName.fromString(image);
  if (await client.image.exists(name)) return undefined;
  say(`fetching the image ${image}`);
  const tooLong = after(PULL_MS, `it did not arrive within ${PULL_MS / 60_000} minutes`, { ref: false });
  return Promise.race([client.image.pull(name).then(() => undefined, errorMessage), tooLong]);
}
