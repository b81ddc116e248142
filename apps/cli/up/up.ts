import { randomBytes } from 'node:crypto';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { lockFolder } from '@maw/store/driver/folder-lock.ts';
import type { CliConfig } from '../config.ts';
import { writeConnectionFile } from '../clients/connection-file.ts';
import { startDevServers } from '../dev-servers/dev-servers.ts';
import { chooseModels } from '../models.ts';
import { startSystem } from './system.ts';

export interface UpOptions {
  readonly port: number;
  readonly players: number;
  readonly model?: string;
  readonly data: string;
}

const GRACE_MS = 10_000;
const OPEN_WITHIN_MS = 60_000;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * Runs every service as a process of its own until it is told to stop; what dies is started again. Returns the exit code.
 * @throws FolderInUse while another one runs in the folder
 */
export async function up(options: UpOptions, config: CliConfig, signal: AbortSignal): Promise<number> {
  const folder = resolve(options.data);
  // A second one there would take servers, keys and note away from the first.
  const lock = await lockFolder(folder);
  try {
    return await upIn(folder, options, config, signal);
  } finally {
    await lock.release();
  }
}

async function upIn(folder: string, options: UpOptions, config: CliConfig, signal: AbortSignal): Promise<number> {
  const why = options.port === 0 ? undefined : await whyNot(options.port);
  if (why !== undefined) throw new Error(`port ${options.port} of 127.0.0.1 ${why}; choose another with --port`);
  const models = await chooseModels(config.ollamaHost, options.model, undefined);
  say(`maw: ${models.says}`);
  const lane = await startDevServers({ keep: join(folder, 'servers'), env: config.all, say: (line) => say(`maw: ${line}`) });
  try {
    if (lane.amqpUrl === undefined || lane.databaseUrl === undefined) throw new Error(lane.missing.join('\n'));
    const keys = await gatewayKeys(folder, config);
    const system = await startSystem({
      amqpUrl: lane.amqpUrl,
      databaseUrl: lane.databaseUrl,
      ollamaUrl: models.url,
      model: models.model,
      port: options.port,
      gatewayKeys: keys.file,
      gatewayPort: config.gatewayPort,
      replicas: { player: options.players },
      base: config.all,
      graceMs: GRACE_MS,
      say,
    });
    try {
      if (!(await system.isOpen(OPEN_WITHIN_MS, signal))) {
        if (signal.aborted) return 0;
        throw new Error(`the door did not open at ${system.url} within a minute; the log above says why`);
      }
      const note = await writeConnectionFile(folder, {
        url: system.url,
        token: system.adminToken,
        amqpUrl: lane.amqpUrl,
        databaseUrl: lane.databaseUrl,
        gateway: { url: system.gatewayUrl!, key: keys.key },
      });
      say(`maw: the door is open at ${system.url}`);
      say(
        `maw: the administrator's token is in ${join(options.data, 'door.json')}; ./maw play --at ${system.url} --human NAME takes a seat`,
      );
      say(`maw: models can be asked at ${system.gatewayUrl}/v1; ./maw gateway status says how the gateway is`);
      say(`maw: processes ${system.running.map((each) => `${each.name} ${each.pid() ?? '?'}`).join(', ')}`);
      await aborted(signal);
      say('maw: stopping');
      await note.remove();
      if (keys.key !== undefined) await rm(keys.file, { force: true });
      return 0;
    } finally {
      await system.close();
    }
  } finally {
    await lane.close();
  }
}

/** The file of keys that the gateway is told of in the environment, or else one with a new key for whoever finds it in our note. */
async function gatewayKeys(folder: string, { gatewayKeys: given }: CliConfig): Promise<{ readonly file: string; readonly key?: string }> {
  if (given !== undefined) return { file: given };
  const file = join(folder, 'gateway-keys.json');
  const key = randomBytes(24).toString('base64url');
  await writeFile(file, `${JSON.stringify([{ key, agent: 'maw', tenant: 'house', admin: true }])}\n`, { mode: 0o600 });
  await chmod(file, 0o600); // an older file keeps its mode otherwise
  return { file, key };
}

/** Why a port cannot be listened on; undefined when it can. */
const whyNot = (port: number): Promise<string | undefined> =>
  new Promise((answer) => {
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) => answer(code === 'EADDRINUSE' ? 'is in use' : `cannot be opened (${code})`));
    server.listen(port, '127.0.0.1', () => server.close(() => answer(undefined)));
  });

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((done) => (signal.aborted ? done() : signal.addEventListener('abort', () => done(), { once: true })));
