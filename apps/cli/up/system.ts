import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { pollUntil } from '@maw/async/poll-until.ts';
import { sanitizeText } from '@maw/text/sanitize-text.ts';
import { freePorts } from '@maw/dev-servers/ports.ts';
import { type KeptProcess, keepRunning, type ProcessSpec } from '@maw/dev-servers/keep-running.ts';

type Env = { readonly [name: string]: string | undefined };

export interface SystemOptions {
  readonly amqpUrl: string;
  readonly databaseUrl: string;
  /** The Ollama server that plays; without it and `modelEnv` ollama-sim is started as one more process. */
  readonly ollamaUrl?: string | undefined;
  /** What the gateway needs to find its servers, beyond `base`. */
  readonly modelEnv?: Env | undefined;
  readonly model?: string | undefined;
  /** The built page, which web serves; none when undefined. */
  readonly consoleDir?: string | undefined;
  /** The port of the web service; 0 takes a free one. */
  readonly port: number;
  /** The key file of the gateway's HTTP server; without it there is none. */
  readonly gatewayKeys?: string | undefined;
  /** The port of that server; a free one by default. */
  readonly gatewayPort?: number | undefined;
  /** The number of processes of a service; 1 by default, of aiwolf only where it has servers for agents. */
  readonly replicas?: { readonly [service: string]: number };
  /** More environment: for all under `all`, for one service under its name. */
  readonly env?: { readonly [service: string]: Env };
  /** The environment that all processes start from. */
  readonly base: Env;
  readonly graceMs: number;
  /** Gets each line that the processes write. */
  say(line: string): void;
}

export interface System {
  readonly url: string;
  /** The addresses of all replicas of web; the first is `url`. */
  readonly doors: readonly string[];
  readonly adminToken: string;
  /** The HTTP address of the first gateway, when there is one. */
  readonly gatewayUrl: string | undefined;
  readonly running: readonly KeptProcess[];
  /** The address of /metrics by the name of the process, such as `player`. */
  readonly ops: ReadonlyMap<string, string>;
  /** Resolves to true when all services answer; to false after `ms` or when the signal aborts. */
  isOpen(ms: number, signal?: AbortSignal): Promise<boolean>;
  /** Who is not ready now, and what it says: `web: broker: the broker cannot be reached`. */
  unready(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** One process of a service. The first replica has the name of the service, the others have a number. */
interface Replica {
  readonly service: string;
  readonly name: string;
  readonly isFirst: boolean;
  readonly opsPort: number;
  /** The port of its HTTP API, where the service has one. */
  readonly httpPort: number;
}

const root = resolve(import.meta.dirname, '../../..');
const SERVICES = ['gamemaster', 'chatroom', 'llm-gateway', 'player', 'web', 'aiwolf', 'contest'] as const;

/** Starts every service as its own process and restarts those that die. */
export async function startSystem(options: SystemOptions): Promise<System> {
  const given = { ...options.base, ...options.env?.['all'], ...options.env?.['aiwolf'] };
  const hasAgents = Boolean(given['AIWOLF_SERVERS'] || given['AIWOLF_SERVERS_FILE']);
  const [simPort, replicas] = await planReplicas({ ...options, replicas: { aiwolf: hasAgents ? 1 : 0, ...options.replicas } });
  const adminToken = randomBytes(24).toString('base64url');
  const shared = sharedEnv(options, simPort, adminToken);
  const programs = replicas.map((replica) => serviceProgram(options, replica, shared));
  const sim: ProcessSpec = {
    name: 'ollama-sim',
    file: join(root, 'apps/ollama-sim/main.ts'),
    env: { ...options.base, SIM_HOST: '127.0.0.1', SIM_PORT: String(simPort), SIM_SLOTS: '4', ...options.env?.['ollama-sim'] },
  };
  const { say, graceMs } = options;
  const running = [...(options.ollamaUrl === undefined && options.modelEnv === undefined ? [sim] : []), ...programs].map((program) =>
    keepRunning(program, { say, graceMs }),
  );
  const urlsOf = (service: string) => replicas.filter((each) => each.service === service).map(({ httpPort }) => localUrl(httpPort));
  const doors = urlsOf('web');
  const ops = new Map(replicas.map(({ name, opsPort }) => [name, localUrl(opsPort)]));
  return {
    url: doors[0]!,
    doors,
    adminToken,
    gatewayUrl: options.gatewayKeys === undefined ? undefined : urlsOf('llm-gateway')[0],
    running,
    ops,
    isOpen: async (ms, signal) => {
      const readiness = [...ops.values()].map((at) => `${at}/readyz`);
      return (await allAnswer(readiness, ms, signal)) && allAnswer([`${doors[0]}/rules`], ms, signal);
    },
    unready: async () => (await Promise.all([...ops].map(([name, at]) => unreadyText(name, `${at}/readyz`)))).flat(),
    close: async () => void (await Promise.all(running.map((each) => each.close()))),
  };
}

const localUrl = (port: number): string => `http://127.0.0.1:${port}`;

/** Names the processes of the services and gives each its ports. The first number is the port of ollama-sim. */
export async function planReplicas({
  replicas = {},
  port,
  gatewayPort,
}: Pick<SystemOptions, 'replicas' | 'port' | 'gatewayPort'>): Promise<readonly [number, readonly Replica[]]> {
  const named = SERVICES.flatMap((service) =>
    Array.from({ length: replicas[service] ?? 1 }, (_, i) => ({ service, name: i ? `${service}-${i + 1}` : service, isFirst: i === 0 })),
  );
  const [simPort, ...ports] = await freePorts(1 + 2 * named.length);
  const wanted: { readonly [service: string]: number | undefined } = { 'web': port, 'llm-gateway': gatewayPort };
  const planned = named.map((each, i): Replica => {
    const [opsPort, freePort] = [ports[2 * i]!, ports[2 * i + 1]!];
    return { ...each, opsPort, httpPort: (each.isFirst && wanted[each.service]) || freePort };
  });
  return [simPort!, planned];
}

/** The environment of all services, and of each service under its name. */
function sharedEnv(options: SystemOptions, simPort: number, adminToken: string): { readonly [service: string]: Env } {
  const { amqpUrl, databaseUrl, ollamaUrl, modelEnv, model, base, graceMs, env, consoleDir } = options;
  return {
    'all': {
      ...base,
      AMQP_URL: amqpUrl,
      DATABASE_URL: databaseUrl,
      HOST: '127.0.0.1',
      GRACE_MS: String(graceMs),
      ...env?.['all'],
    },
    'llm-gateway': {
      ...(modelEnv ?? { OLLAMA_URLS: ollamaUrl ?? `${localUrl(simPort)}=4` }),
      ...(model === undefined ? {} : { MODEL: model }),
    },
    'web': {
      WEB_HOST: '127.0.0.1',
      WEB_SECRET: randomBytes(32).toString('base64url'),
      MAW_ADMIN_TOKEN: adminToken,
      ...(consoleDir === undefined ? {} : { CONSOLE_DIR: consoleDir }),
    },
  };
}

function serviceProgram(options: SystemOptions, replica: Replica, shared: { readonly [service: string]: Env }): ProcessSpec {
  const { service, name, opsPort, httpPort } = replica;
  const gateway = { GATEWAY_KEYS: options.gatewayKeys, DOOR_HOST: '127.0.0.1', DOOR_PORT: String(httpPort) };
  return {
    name,
    file: join(root, 'services', service, 'main.ts'),
    env: {
      ...shared['all'],
      PORT: String(opsPort),
      ...shared[service],
      ...(service === 'web' ? { WEB_PORT: String(httpPort) } : {}),
      ...(service === 'llm-gateway' && options.gatewayKeys !== undefined ? gateway : {}),
      ...options.env?.[service],
    },
  };
}

/** What a service says that is not ready, as a line under its name; nothing when it is ready. */
export async function unreadyText(name: string, readyz: string): Promise<readonly string[]> {
  try {
    const response = await fetch(readyz, { signal: AbortSignal.timeout(2_000) });
    return response.ok ? [] : [`${name}: ${sanitizeText(await response.text()).slice(0, 500)}`];
  } catch {
    return [`${name}: it does not answer yet`];
  }
}

async function allAnswer(urls: readonly string[], timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
  const answers = (url: string): Promise<boolean> =>
    fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
      ({ ok, status }) => ok || status === 401, // a service that asks for a token is up
      () => false,
    );
  const polls = urls.map((url) =>
    pollUntil(`${url} to answer`, () => answers(url), { timeoutMs, everyMs: 100, ...(signal && { signal }) }).catch(() => false),
  );
  return (await Promise.all(polls)).every(Boolean);
}
