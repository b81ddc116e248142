import { broker } from './broker.ts';
import { type DevServersConfig, readDevServersConfig } from './config.ts';
import { database } from './database.ts';
import { type AskToInstall, installWithApt } from './local/apt.ts';
import { type Log, type ServerKind, startFirstAvailable, type StartResult, type Strategy } from './strategy.ts';

/**
 * What may be used. `dataFolder`: keeps the data over restarts; without it the data is temporary. Both permissions default to yes; `mayInstall` is
 * asked before each installation.
 */
export interface StrategyOptions {
  readonly dataFolder?: string;
  readonly allowDocker?: boolean;
  readonly allowInstall?: boolean;
  readonly mayInstall?: AskToInstall;
}

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
 * installed with apt first. Does not throw when one is missing: see `missing`. What was started stops when this process dies, too; containers only where
 * Docker has the image of the one that removes them.
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

/** The strategies for a server, in order. A configured address is the only one: any other server would be a surprise. */
export function strategiesFor(
  kind: ServerKind,
  config: DevServersConfig,
  options: StrategyOptions,
  log: Log,
  install = installWithApt,
): readonly Strategy[] {
  const url = kind.configuredUrl(config);
  if (url) return [{ name: kind.variable, start: () => kind.useUrl(url, config) }];
  const inDocker = () => kind.startInDocker(config, options.dataFolder, log);
  const installed = () => kind.startInstalled(config, options.dataFolder, log);
  const withApt = () => install(kind.debianPackage, log, options.mayInstall).then(installed);
  return [
    ...(options.allowDocker === false ? [] : [{ name: 'Docker', start: inDocker }]),
    { name: 'installed here', start: installed },
    ...(options.allowInstall === false ? [] : [{ name: 'apt', start: withApt }]),
  ];
}
