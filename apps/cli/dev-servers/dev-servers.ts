import { broker } from './broker.ts';
import { readDevServersConfig } from './config.ts';
import { database } from './database.ts';
import type { ServerKind, Log } from './server-kind.ts';
import { startFirstAvailable, type StartResult } from './strategy.ts';
import { type StrategyOptions, strategiesFor } from './strategies.ts';

/**
 * `keep`: a folder for the data, kept over restarts; without it the data is temporary and goes when the lane closes.
 * `docker`, `install`: whether a Docker engine may be used, whether Debian packages may be installed (as root). Default: yes.
 * `broker`, `database`: whether one is wanted at all. Default: yes.
 * `say`: hears what is going on. Default: lines on stderr.
 */
export interface DevServersOptions extends StrategyOptions {
  readonly broker?: boolean;
  readonly database?: boolean;
  readonly say?: Log;
  /** The environment to read; that of this process by default. */
  readonly env?: NodeJS.ProcessEnv;
}

/** A broker and a database to work with. */
export interface DevServers {
  readonly amqpUrl?: string;
  readonly databaseUrl?: string;
  /** What was chosen, a line for each server. */
  readonly describe: readonly string[];
  /** What could not be had, why, and what to do about it: a line for each server. */
  readonly missing: readonly string[];
  /** Stops what was started. Twice does no harm. */
  close(): Promise<void>;
}

/**
 * Finds a broker and a database, each by itself: given in AMQP_URL and DATABASE_URL, in Docker, from the servers installed here
 * (started privately on 127.0.0.1), or installed with apt first. Does not throw for want of a server: see `missing`.
 * What was started also stops when this process dies without closing the lane.
 */
export async function startDevServers(options: DevServersOptions = {}): Promise<DevServers> {
  const say = options.say ?? ((line: string) => void process.stderr.write(`lane: ${line}\n`));
  const config = readDevServersConfig(options.env);
  const find = (kind: ServerKind) => startFirstAvailable(strategiesFor(kind, config, options, say), say);
  const [amqp, sql] = await Promise.all([
    options.broker === false ? undefined : find(broker),
    options.database === false ? undefined : find(database),
  ]);
  const found = [amqp?.found, sql?.found].filter((each) => each !== undefined);
  const describe = found.map((each) => each.describe);
  const missing = [...lacking(broker, amqp), ...lacking(database, sql)];
  for (const line of [...describe, ...missing]) say(line);
  let closed: Promise<unknown> | undefined;
  return {
    ...(amqp?.found && { amqpUrl: amqp.found.url }),
    ...(sql?.found && { databaseUrl: sql.found.url }),
    describe,
    missing,
    close: async () => void (await (closed ??= Promise.all(found.map((each) => each.close())))),
  };
}

function lacking(kind: ServerKind, tried: StartResult | undefined): readonly string[] {
  if (!tried || tried.found) return [];
  const todo = `set ${kind.variable}, start a Docker engine, or install the server (Debian: apt-get install ${kind.debian})`;
  return [`no ${kind.name}: ${todo}. Tried: ${tried.reasons.join('; ')}`];
}
