import { aptWay, serially } from './apt.ts';
import { brokerVersion, startRabbitmq } from './broker.ts';
import { readLaneConfig } from './config.ts';
import { databaseVersion, startPostgres } from './database.ts';
import { postgresInDocker, rabbitmqInDocker } from './docker.ts';
import { findPostgres, findRabbitmq } from './path.ts';
import { firstThatOpens, type Found, type Tried, Unavailable, type Way } from './way.ts';

export interface LaneOptions {
  /** Keep the data here, over restarts; otherwise it lives in temporary folders and goes when the lane closes. */
  readonly keep?: string;
  /** Whether a Docker engine may be used. Default: yes. */
  readonly docker?: boolean;
  /** Whether Debian packages may be installed, where we are root. Default: yes. */
  readonly install?: boolean;
  /** Whether a broker, a database is wanted at all. Default: both. */
  readonly broker?: boolean;
  readonly database?: boolean;
  /** Hears what is going on. Default: stderr. */
  readonly say?: (line: string) => void;
}

/** A broker and a database to work with. */
export interface Lane {
  readonly amqpUrl?: string;
  readonly databaseUrl?: string;
  /** What was chosen, a line for each server. */
  readonly describe: readonly string[];
  /** What could not be had, why, and what to do: a line for each server. */
  readonly missing: readonly string[];
  /** Stops what was started. Twice does no harm. */
  close(): Promise<void>;
}

/**
 * Finds a broker and a database, each by itself: given in AMQP_URL and DATABASE_URL, in Docker, from the servers installed here
 * (started privately on 127.0.0.1), or installed with apt first. Never throws for want of a server: see `missing`.
 * What was started also stops when this process dies without closing the lane.
 */
export async function openLane(options: LaneOptions = {}): Promise<Lane> {
  const say = options.say ?? ((line: string) => process.stderr.write(`lane: ${line}\n`));
  const [broker, database] = await Promise.all([
    options.broker === false ? undefined : firstThatOpens(brokerWays(options, say), say),
    options.database === false ? undefined : firstThatOpens(databaseWays(options, say), say),
  ]);
  const found = [broker?.found, database?.found].filter((each) => each !== undefined);
  const missing = [
    ...lacking('RabbitMQ', 'set AMQP_URL, start Docker, or install rabbitmq-server', broker),
    ...lacking('PostgreSQL', 'set DATABASE_URL, start Docker, or install postgresql', database),
  ];
  for (const line of [...found.map((each) => each.describe), ...missing]) say(line);
  let closed: Promise<unknown> | undefined;
  return {
    ...(broker?.found && { amqpUrl: broker.found.url }),
    ...(database?.found && { databaseUrl: database.found.url }),
    describe: found.map((each) => each.describe),
    missing,
    close: async () => void (await (closed ??= Promise.all(found.map((each) => each.close())))),
  };
}

function brokerWays(options: LaneOptions, say: (line: string) => void): readonly Way[] {
  const config = readLaneConfig();
  const installed = { name: 'installed here', open: async () => startRabbitmq(await findRabbitmq(config.path), options.keep, say) };
  if (config.amqpUrl) return [given('AMQP_URL', 'RabbitMQ', config.amqpUrl, brokerVersion)];
  return [
    ...(options.docker === false ? [] : [{ name: 'Docker', open: () => rabbitmqInDocker(config, options.keep, say) }]),
    installed,
    ...(options.install === false ? [] : [aptWay('rabbitmq-server', installed, say)]),
  ];
}

function databaseWays(options: LaneOptions, say: (line: string) => void): readonly Way[] {
  const config = readLaneConfig();
  const installed = { name: 'installed here', open: async () => startPostgres(await findPostgres(config.path), options.keep, say) };
  if (config.databaseUrl) return [given('DATABASE_URL', 'PostgreSQL', config.databaseUrl, databaseVersion)];
  return [
    ...(options.docker === false ? [] : [{ name: 'Docker', open: () => postgresInDocker(config, options.keep, say) }]),
    installed,
    ...(options.install === false ? [] : [aptWay('postgresql', installed, say)]),
  ];
}
