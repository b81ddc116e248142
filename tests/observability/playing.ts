import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountToRunAs } from '../../apps/cli/lane/account.ts';
import { brokerVersion } from '../../apps/cli/lane/broker.ts';
import { databaseVersion } from '../../apps/cli/lane/database.ts';
import { findPostgres, findRabbitmq } from '../../apps/cli/lane/path.ts';
import { freePorts } from '../../apps/cli/lane/ports.ts';
import { startPostgres } from '../../apps/cli/lane/postgres.ts';
import { startRabbitmq } from '../../apps/cli/lane/rabbitmq.ts';

/** A broker that shows its measures, and a database, for one test. */
export interface Servers {
  readonly amqpUrl: string;
  /** Where RabbitMQ shows its measures: host and port. */
  readonly brokerMetrics: string;
  readonly databaseUrl: string;
  close(): Promise<void>;
}

/** Starts both, their data in a folder that is gone afterwards. */
export async function startServers(): Promise<Servers> {
  const path = (process.env['PATH'] ?? '').split(':').filter(Boolean);
  const folder = await mkdtemp(join(tmpdir(), 'maw-watched-'));
  const [port] = await freePorts(1);
  const brokerFolder = join(folder, 'rabbitmq');
  await mkdir(brokerFolder, { mode: 0o700 });
  const plugin = `[{rabbitmq_prometheus, [{tcp_config, [{ip, "127.0.0.1"}, {port, ${port}}]}]}].`;
  await writeFile(join(brokerFolder, 'advanced.config'), plugin);
  const account = await accountToRunAs(['rabbitmq', 'nobody']);
  if (account)
    for (const each of [folder, brokerFolder, join(brokerFolder, 'advanced.config')]) await chown(each, account.uid, account.gid);
  const databaseFolder = await mkdtemp(join(tmpdir(), 'maw-watched-'));
  const others = await accountToRunAs(['postgres', 'nobody']);
  if (others) await chown(databaseFolder, others.uid, others.gid);
  const started = await Promise.allSettled([
    startRabbitmq(await findRabbitmq(path), brokerVersion, folder, () => undefined, ['rabbitmq_prometheus']),
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
  return { amqpUrl: broker.value.url, brokerMetrics: `127.0.0.1:${port}`, databaseUrl: database.value.url, close };
}
