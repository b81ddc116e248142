import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { freePorts } from '../dev-servers/ports.ts';
import { type KeptProcess, keepRunning, type ProcessSpec } from './keep-running.ts';

type Env = { readonly [name: string]: string | undefined };

export interface SystemOptions {
  readonly amqpUrl: string;
  readonly databaseUrl: string;
  /** The Ollama server that plays; undefined starts ollama-sim as one more process. */
  readonly ollamaUrl?: string | undefined;
  readonly model?: string | undefined;
  /** Where the door listens; 0 takes a free port. */
  readonly port: number;
  /** The keys of the gateway's HTTP door, in a file; without it there is none. */
  readonly gatewayKeys?: string | undefined;
  /** Where that door listens; a free port when not given. */
  readonly gatewayPort?: number | undefined;
  /** How many processes of a service there are; 1 when not given. */
  readonly replicas?: { readonly [service: string]: number };
  /** More environment: for everybody under `all`, for one service under its name. */
  readonly env?: { readonly [service: string]: Env };
  /** The environment that all processes start from. */
  readonly base: Env;
  readonly graceMs: number;
  /** Hears the lines that the processes write. */
  say(line: string): void;
}

export interface System {
  readonly url: string;
  /** The doors of all replicas of web; the first is `url`. */
  readonly doors: readonly string[];
  readonly adminToken: string;
  /** The HTTP door of the first gateway, when there is one. */
  readonly gatewayUrl: string | undefined;
  readonly running: readonly KeptProcess[];
  /** By the name of the process, such as `player`: where its /metrics are. */
  readonly ops: ReadonlyMap<string, string>;
  /** Resolves to true when the door and what is behind it answer; to false after `ms` or when the signal aborts. */
  isOpen(ms: number, signal?: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}

const root = resolve(import.meta.dirname, '../../..');

/** Starts every service as a process of its own and keeps it running. */
export async function startSystem(options: SystemOptions): Promise<System> {
  const { replicas = {}, env = {}, base, graceMs, say } = options;
  const names = ['gamemaster', 'chatroom', 'llm-gateway', 'player', 'web'].flatMap((name) =>
    Array.from({ length: replicas[name] ?? 1 }, (_, i) => ({ name, title: i === 0 ? name : `${name}-${i + 1}` })),
  );
  const [simPort, doorPort, ...ports] = (await freePorts(2 + 2 * names.length)) as [number, number, ...number[]];
  const [opsPorts, ownPorts] = [ports.slice(0, names.length), ports.slice(names.length)];
  const port = options.port === 0 ? doorPort : options.port;
  const adminToken = randomBytes(24).toString('base64url');
  const ollama = options.ollamaUrl ?? `http://127.0.0.1:${simPort}=4`;
  const own: { readonly [service: string]: Env } = {
    'llm-gateway': { OLLAMA_URLS: ollama, ...(options.model === undefined ? {} : { MODEL: options.model }) },
    'web': {
      WEB_HOST: '127.0.0.1',
      WEB_PORT: String(port),
      WEB_SECRET: randomBytes(32).toString('base64url'),
      MAW_ADMIN_TOKEN: adminToken,
    },
  };
  const shared = {
    ...base,
    AMQP_URL: options.amqpUrl,
    DATABASE_URL: options.databaseUrl,
    HOST: '127.0.0.1',
    GRACE_MS: String(graceMs),
    ...env['all'],
  };
  /** The first replica has the port that was asked for, each other one of its own. */
  const webPort = (title: string, free: number | undefined): Env =>
    !title.startsWith('web') || title === 'web' ? {} : { WEB_PORT: String(free) };
  const gatewayPort = options.gatewayPort || ownPorts[names.findIndex(({ title }) => title === 'llm-gateway')];
  const gatewayDoor = (title: string, free: number | undefined): Env =>
    options.gatewayKeys === undefined || !title.startsWith('llm-gateway')
      ? {}
      : { GATEWAY_KEYS: options.gatewayKeys, DOOR_HOST: '127.0.0.1', DOOR_PORT: String(title === 'llm-gateway' ? gatewayPort : free) };
  const ops = new Map<string, string>();
  const programs = names.map(({ name, title }, i): ProcessSpec => {
    ops.set(title, `http://127.0.0.1:${opsPorts[i]}`);
    return {
      name: title,
      file: join(root, 'services', name, 'main.ts'),
      env: {
        ...shared,
        PORT: String(opsPorts[i]),
        ...own[name],
        ...webPort(title, ownPorts[i]),
        ...gatewayDoor(title, ownPorts[i]),
        ...env[name],
      },
    };
  });
  const sim: ProcessSpec = {
    name: 'ollama-sim',
    file: join(root, 'apps/ollama-sim/main.ts'),
    env: { ...base, SIM_HOST: '127.0.0.1', SIM_PORT: String(simPort), SIM_SLOTS: '4', ...env['ollama-sim'] },
  };
  const running = [...(options.ollamaUrl === undefined ? [sim] : []), ...programs].map((program) => keepRunning(program, { say, graceMs }));
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    doors: names.flatMap(({ name, title }, i) => (name === 'web' ? [title === 'web' ? url : `http://127.0.0.1:${ownPorts[i]}`] : [])),
    adminToken,
    gatewayUrl: options.gatewayKeys === undefined ? undefined : `http://127.0.0.1:${gatewayPort}`,
    running,
    ops,
    isOpen: async (ms, signal) => {
      const isReady = await eachAnswers(
        [...ops.values()].map((at) => `${at}/readyz`),
        ms,
        signal,
      );
      return isReady && eachAnswers([`${url}/rules`], ms, signal);
    },
    close: async () => void (await Promise.all(running.map((each) => each.close()))),
  };
}

async function eachAnswers(urls: readonly string[], ms: number, signal?: AbortSignal): Promise<boolean> {
  const until = Date.now() + ms;
  const one = async (url: string): Promise<boolean> => {
    while (signal?.aborted !== true && Date.now() < until) {
      const isThere = await fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
        ({ ok, status }) => ok || status === 401, // a door that wants a token is open
        () => false,
      );
      if (isThere) return true;
      await new Promise((done) => setTimeout(done, 100));
    }
    return false;
  };
  return (await Promise.all(urls.map(one))).every(Boolean);
}
