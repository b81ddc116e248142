import { broker } from './broker.ts';
import { readDevServersConfig } from './config.ts';
import { database } from './database.ts';
import type { ServerKind } from './server-kind.ts';
import { type Log, startFirstAvailable, type StartResult } from './strategy.ts';
import { type StrategyOptions, strategiesFor } from './strategies.ts';

/** `broker`, `database`: whether one is needed; yes by default. `log`: gets a line for each step; standard error by default. */
export interface DevServersOptions extends StrategyOptions {
  readonly broker?: boolean;
  readonly database?: boolean;
  readonly log?: Log;
  /** The environment to read; that of this process by default. */
  readonly env?: NodeJS.ProcessEnv;
}

/** A broker and a database for development and tests. */
export interface DevServers {
  readonly amqpUrl?: string;
  readonly databaseUrl?: string;
  /** A line for each server that was found or started. */
  readonly describe: readonly string[];
  /** A line for each server that is missing: why, and what to do about it. */
  readonly missing: readonly string[];
  /** Stops the servers that were started. Idempotent. */
  close(): Promise<void>;
}

/**
 * Finds or starts a broker and a database: configured in AMQP_URL and DATABASE_URL, in Docker, from the programs on this machine (on 127.0.0.1), or
 * installed with apt first. Does not throw when one is missing: see `missing`. What was started stops when this process dies, too.
 */
export async function startDevServers(options: DevServersOptions = {}): Promise<DevServers> {
  const log = options.log ?? ((line: string) => void process.stderr.write(`dev-servers: ${line}\n`));
  const config = readDevServersConfig(options.env);
  const find = (kind: ServerKind) => startFirstAvailable(strategiesFor(kind, config, options, log), log);
  const [amqp, sql] = await Promise.all([
    options.broker === false ? undefined : find(broker),
    options.database === false ? undefined : find(database),
  ]);
  const servers = [amqp?.server, sql?.server].filter((each) => each !== undefined);
  const describe = servers.map((each) => each.describe);
  const missing = [...missingLines(broker, amqp), ...missingLines(database, sql)];
  for (const line of [...describe, ...missing]) log(line);
  let closed: Promise<unknown> | undefined;
  return {
    ...(amqp?.server && { amqpUrl: amqp.server.url }),
    ...(sql?.server && { databaseUrl: sql.server.url }),
    describe,
    missing,
    close: async () => void (await (closed ??= Promise.all(servers.map((each) => each.close())))),
  };
}

function missingLines(kind: ServerKind, result: StartResult | undefined): readonly string[] {
  if (!result || result.server) return [];
  const remedy = `set ${kind.variable}, start a Docker engine, or install the server (Debian: apt-get install ${kind.debianPackage})`;
  return [`no ${kind.name}: ${remedy}. Tried: ${result.failures.join('; ')}`];
}
