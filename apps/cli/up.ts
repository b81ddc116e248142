import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { CliConfig } from './config.ts';
import { leaveNote } from './find-door.ts';
import { openLane } from './lane/lane.ts';
import { chooseModels } from './models.ts';
import { freePorts } from './lane/ports.ts';
import { type Kept, keepRunning, type Program } from './process-group.ts';

export interface UpOptions {
  readonly port: number;
  readonly players: number;
  readonly model?: string;
  readonly data: string;
}

const GRACE_MS = 10_000;
const root = resolve(import.meta.dirname, '../..');
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Runs every service as a process of its own until it is told to stop; what dies is started again. Returns the exit code. */
export async function up(options: UpOptions, config: CliConfig, signal: AbortSignal): Promise<number> {
  const folder = resolve(options.data);
  await mkdir(folder, { recursive: true });
  const models = await chooseModels(config.ollamaHost, options.model, undefined);
  say(`maw: ${models.says}`);
  const lane = await openLane({ keep: join(folder, 'servers'), say: (line) => say(`maw: ${line}`) });
  const running: Kept[] = [];
  try {
    if (!lane.amqpUrl || !lane.databaseUrl) throw new Error(lane.missing.join('\n'));
    const adminToken = randomBytes(24).toString('base64url');
    const port = options.port === 0 ? (await freePorts(1))[0]! : options.port;
    const simPort = models.url === undefined ? (await freePorts(1))[0]! : undefined;
    const shared = {
      ...config.all,
      AMQP_URL: lane.amqpUrl,
      DATABASE_URL: lane.databaseUrl,
      HOST: '127.0.0.1',
      PORT: '0',
      GRACE_MS: String(GRACE_MS),
    };
    const service = (name: string, env: { readonly [name: string]: string } = {}): Program => ({
      name,
      file: join(root, 'services', name, 'main.ts'),
      env: { ...shared, ...env },
    });
    const model = models.url === undefined ? undefined : models.model;
    const programs: Program[] = [
      ...(simPort === undefined
        ? []
        : [
            {
              name: 'ollama-sim',
              file: join(root, 'apps/ollama-sim/main.ts'),
              env: { ...config.all, SIM_HOST: '127.0.0.1', SIM_PORT: String(simPort), SIM_SLOTS: '4' },
            },
          ]),
      service('gamemaster'),
      service('chatroom'),
      service('llm-gateway', {
        OLLAMA_URLS: `${models.url ?? `http://127.0.0.1:${simPort}`}${simPort === undefined ? '' : '=4'}`,
        ...(model === undefined ? {} : { MODEL: model }),
      }),
      ...Array.from({ length: options.players }, () => service('player')),
      service('web', {
        WEB_HOST: '127.0.0.1',
        WEB_PORT: String(port),
        WEB_SECRET: randomBytes(32).toString('base64url'),
        MAW_ADMIN_TOKEN: adminToken,
      }),
    ];
    running.push(...programs.map((program) => keepRunning(program, { say, graceMs: GRACE_MS })));
    const url = `http://127.0.0.1:${port}`;
    if (!(await answers(url, signal)))
      return signal.aborted ? 0 : failed(`the door did not open at ${url} within a minute; the log above says why`);
    const note = await leaveNote(folder, url, adminToken);
    say(`maw: the door is open at ${url}`);
    say(`maw: administrator's token ${adminToken} (kept in ${join(options.data, 'door.json')})`);
    say(`maw: processes ${running.map((each) => `${each.name} ${each.pid() ?? '?'}`).join(', ')}`);
    await aborted(signal);
    say('maw: stopping');
    await note.remove();
    return 0;
  } finally {
    await Promise.all(running.map((each) => each.close()));
    await lane.close();
  }
}

function failed(why: string): number {
  process.stderr.write(`maw: ${why}\n`);
  return 1;
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((done) => (signal.aborted ? done() : signal.addEventListener('abort', () => done(), { once: true })));

/** Whether the door answers for the services behind it within a minute. */
async function answers(url: string, signal: AbortSignal): Promise<boolean> {
  const until = Date.now() + 60_000;
  while (!signal.aborted && Date.now() < until) {
    const isThere = await fetch(`${url}/rules`, { signal: AbortSignal.timeout(2_000) }).then(
      (response) => response.ok,
      () => false,
    );
    if (isThere) return true;
    await new Promise((done) => setTimeout(done, 200));
  }
  return false;
}
