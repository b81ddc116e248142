import { randomBytes } from 'node:crypto';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { join, resolve } from 'node:path';
import { readServerTerms } from '@maw/aiwolf/server/server-terms.ts';
import { whenAborted } from '@maw/async/abort.ts';
import { DEFAULT_GRACE_MS } from '@maw/service/shutdown.ts';
import { lockFolder } from '@maw/store/driver/folder-lock.ts';
import { checkAddress, writeConnectionFile } from '../clients/connection-file.ts';
import type { CliConfig } from '../config.ts';
import { type DevServers, startDevServers } from '@maw/dev-servers/dev-servers.ts';
import { chooseModels, type ModelOptions, type Models, WITHOUT_MODEL } from '../models.ts';
import { prepareFolder } from '../prepare-folder.ts';
import { startSystem, type System } from './system.ts';
import { say } from '../output.ts';
import { builtConsole } from '../console.ts';

interface UpOptions extends ModelOptions {
  readonly port: number;
  readonly players: number;
  readonly install: boolean;
  readonly data: string;
}

/** One run of `maw up`. */
interface Run {
  readonly folder: string;
  readonly options: UpOptions;
  readonly config: CliConfig;
  readonly signal: AbortSignal;
}

const READY_WITHIN_MS = 60_000;

/**
 * Runs every service as its own process until the signal aborts; those that die are restarted. Returns the exit code.
 * @throws FolderInUse while another system runs in the folder
 */
export async function up(options: UpOptions, config: CliConfig, signal: AbortSignal): Promise<number> {
  checkAgentServers(config.all['AIWOLF_SERVERS']);
  const folder = resolve(options.data);
  await prepareFolder(options.data, '--data');
  // A second system there would overwrite the servers, keys and connection file of the first.
  const lock = await lockFolder(folder);
  try {
    await checkAddress({ host: '127.0.0.1', port: options.port }, '--port');
    const models = await chooseModels(config.all, options, undefined);
    say(`maw: ${models.says}`);
    const servers = await startDevServers({
      dataFolder: join(folder, 'servers'),
      env: config.all,
      log: (line) => say(`maw: ${line}`),
      mayInstall: async (name) => options.install || askToInstall(name, signal),
    });
    try {
      return await runSystem({ folder, options, config, signal }, models, servers);
    } finally {
      await servers.close();
    }
  } finally {
    await lock.release();
  }
}

/** Asks the user at the terminal; without one the answer is no. */
async function askToInstall(name: string, signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await terminal.question(`maw: may I install the Debian package ${name} with apt-get? [y/N] `, { signal });
    return /^y(es)?$/i.test(answer.trim());
  } catch {
    return false; // interrupted
  } finally {
    terminal.close();
  }
}

async function runSystem(run: Run, models: Models, servers: DevServers): Promise<number> {
  const { folder, options, config, signal } = run;
  const { amqpUrl, databaseUrl } = servers;
  if (amqpUrl === undefined || databaseUrl === undefined) throw new Error(servers.missing.join('\n'));
  const keys = await gatewayKeys(folder, config);
  const consoleDir = await builtConsole((text) => say(`maw: ${text}`));
  const system = await startSystem({
    amqpUrl,
    databaseUrl,
    modelEnv: models.sim ? undefined : (models.env ?? {}),
    model: models.model,
    consoleDir,
    port: options.port,
    gatewayKeys: keys.file,
    gatewayPort: config.gatewayPort,
    replicas: { player: options.players },
    base: models.why === undefined ? config.all : { DEFAULT_RECIPE: WITHOUT_MODEL, ...config.all },
    graceMs: DEFAULT_GRACE_MS,
    say,
  });
  try {
    if (!(await waitUntilOpen(system, signal))) return 0;
    const { url, adminToken: token } = system;
    const file = await writeConnectionFile(folder, {
      url,
      token,
      amqpUrl,
      databaseUrl,
      gateway: { url: system.gatewayUrl!, key: keys.key },
    });
    announce(system, options.data);
    await whenAborted(signal);
    say('maw: stopping');
    await file.remove();
    if (keys.key !== undefined) await rm(keys.file, { force: true });
    return 0;
  } finally {
    await system.close();
  }
}

/**
 * Waits until every service is ready, for as long as the processes live, and says once a minute who is not. Resolves to false when the signal aborts.
 * @throws Error that names processes that do not stay alive, and who is not ready
 */
export async function waitUntilOpen(system: Pick<System, 'isOpen' | 'unready' | 'running'>, signal: AbortSignal): Promise<boolean> {
  while (!(await system.isOpen(READY_WITHIN_MS, signal))) {
    if (signal.aborted) return false;
    const unready = await system.unready();
    const dead = system.running.filter((each) => each.pid() === undefined).map(({ name }) => name);
    if (dead.length) throw new Error([`${dead.join(', ')} does not stay alive; not ready are:`, ...unready].join('\n'));
    say(`maw: still starting; not ready are:\n${unready.map((line) => `  ${line}`).join('\n')}`);
  }
  return true;
}

function announce({ url, gatewayUrl, running }: System, data: string): void {
  say(`maw: the web service answers at ${url}`);
  say(`maw: in a browser it is a page, which asks for a token: ${url}`);
  say(`maw: the administrator's token is in ${join(data, 'door.json')}; ./maw play --at ${url} --human NAME takes a seat`);
  say(`maw: models can be asked at ${gatewayUrl}/v1; ./maw gateway status shows the state of the gateway`);
  say(`maw: processes ${running.map((each) => `${each.name} ${each.pid() ?? '?'}`).join(', ')}`);
}

/** The configured key file of the gateway, or else a new one with a key for the connection file. */
async function gatewayKeys(folder: string, { gatewayKeys: given }: CliConfig): Promise<{ readonly file: string; readonly key?: string }> {
  if (given !== undefined) return { file: given };
  const file = join(folder, 'gateway-keys.json');
  const key = randomBytes(24).toString('base64url');
  await writeFile(file, `${JSON.stringify([{ key, agent: 'maw', tenant: 'house', admin: true }])}\n`, { mode: 0o600 });
  await chmod(file, 0o600); // an older file would keep its mode
  return { file, key };
}

/** Finds mistakes in the terms of servers for agents before anything starts. @throws Error with all of them */
function checkAgentServers(terms: string | undefined): void {
  if (!terms) return;
  try {
    readServerTerms(terms);
  } catch (error) {
    throw new Error(`AIWOLF_SERVERS is wrong: ${(error as Error).message}`, { cause: error });
  }
}
