import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { definitions } from '@maw/bus/rabbitmq/definitions.ts';
import { accountToRunAs } from '@maw/dev-servers/local/account.ts';
import { brokerVersion } from '@maw/dev-servers/broker.ts';
import { databaseVersion } from '@maw/dev-servers/database.ts';
import { findPostgres, findRabbitmq } from '@maw/dev-servers/local/find-programs.ts';
import { freePorts } from '@maw/dev-servers/ports.ts';
import { startPostgres } from '@maw/dev-servers/local/postgres.ts';
import { startRabbitmq } from '@maw/dev-servers/local/rabbitmq.ts';

/** A broker that shows its measures and knows each service by a user of its own, and a database, for one test. */
export interface Servers {
  /** The broker, for one of its users. */
  amqpUrlOf(user: string): string;
  /** Where RabbitMQ shows its measures: host and port. */
  readonly brokerMetrics: string;
  readonly databaseUrl: string;
  close(): Promise<void>;
}

const passwordOf = (user: string): string => `secret-of-${user}`;

/** Starts both, their data in a folder that is gone afterwards. */
export async function startServers(): Promise<Servers> {
  const path = (process.env['PATH'] ?? '').split(':').filter(Boolean);
  const folder = await mkdtemp(join(tmpdir(), 'maw-watched-'));
  const [port] = await freePorts(1);
  const brokerFolder = join(folder, 'rabbitmq');
  await mkdir(brokerFolder, { mode: 0o700 });
  const known = join(brokerFolder, 'definitions.json');
  await writeFile(known, JSON.stringify(definitions({ vhost: '/', passwordOf })));
  const settings = join(brokerFolder, 'advanced.config');
  await writeFile(
    settings,
    `[{rabbit, [{load_definitions, "${known}"}]}, {rabbitmq_prometheus, [{tcp_config, [{ip, "127.0.0.1"}, {port, ${port}}]}]}].`,
  );
  const account = await accountToRunAs(['rabbitmq', 'nobody']);
  if (account) for (const each of [folder, brokerFolder, known, settings]) await chown(each, account.uid, account.gid);
  const databaseFolder = await mkdtemp(join(tmpdir(), 'maw-watched-'));
  const others = await accountToRunAs(['postgres', 'nobody']);
  if (others) await chown(databaseFolder, others.uid, others.gid);
  let at = '';
  const amqpUrlOf = (user: string): string => `amqp://${user}:${passwordOf(user)}@${at}`;
  /** The usual first user is not there where users are given. */
  const version = (url: string): Promise<string> => {
    at = new URL(url).host;
    return brokerVersion(amqpUrlOf('web'));
  };
  const started = await Promise.allSettled([
    startRabbitmq(await findRabbitmq(path), version, folder, () => undefined, ['rabbitmq_prometheus']),
    startPostgres(await findPostgres(path), databaseVersion, databaseFolder, () => undefined),
  ]);
  const close = async (): Promise<void> => {
    await Promise.all(started.flatMap((one) => (one.status === 'fulfilled' ? [one.value.close()] : [])));
    for (const each of [folder, databaseFolder]) await rm(each, { recursive: true, force: true });
  };
  const [broker, database] = started;
  if (broker.status === 'rejected' || database.status === 'rejected') {
    await close();
    throw new AggregateError(
      started.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : [])),
      'the servers did not start',
    );
  }
  return { amqpUrlOf, brokerMetrics: `127.0.0.1:${port}`, databaseUrl: database.value.url, close };
}
