import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type KeptProcess, keepRunning } from '@maw/dev-servers/keep-running.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import type { RequestRecorder } from './audit/request-recorder.ts';
import { lastingPorts } from '../servers/reserved-ports.ts';
import type { RestartableServer } from '../servers/restartable-server.ts';
import { startFaultProxy, type FaultProxy } from './network/fault-proxy.ts';

const root = resolve(import.meta.dirname, '../../..');
const skewedClock = pathToFileURL(join(root, 'tests/equipment/servers/skewed-clock.ts')).href;

export const SERVICES = ['gamemaster', 'chatroom', 'llm-gateway', 'player', 'web'] as const;
/** Services with a database. */
export const STORING: readonly string[] = ['gamemaster', 'chatroom', 'player'];
/** Model servers, and the slots of each. */
export const MODELS = 2;
export const SLOTS = 4;

type Env = { readonly [name: string]: string | undefined };

export interface SupervisedSystemOptions {
  readonly broker: Pick<RestartableServer, 'url'>;
  readonly database: Pick<RestartableServer, 'url'>;
  readonly replicas: number;
  readonly recorder: RequestRecorder;
  /** The proxy of the test's own store. */
  readonly storeProxy: FaultProxy;
  /** The environment of all processes. */
  readonly base: Env;
  /** Called for each line that a process writes. */
  say(process: string, line: string): void;
}

/** Replicas of every service under supervision, model servers, and a fault proxy on each connection. */
export interface SupervisedSystem {
  readonly doors: readonly [string, ...string[]];
  readonly adminToken: string;
  /** By name, such as `player-2`. */
  readonly processes: ReadonlyMap<string, KeptProcess>;
  /** By name, such as `player to broker`. */
  readonly proxies: ReadonlyMap<string, FaultProxy>;
  /** Whether all processes are ready. */
  isReady(): Promise<boolean>;
  /** How many decisions the players work on. @throws Error when one of them does not say */
  decisions(): Promise<number>;
  /** Kills all model servers. */
  killModels(): Promise<void>;
  startModels(): void;
  /** Sets the clock of a process so far ahead. */
  setClock(process: string, aheadMs: number): Promise<void>;
  /** Call it when the address of the broker or the database has changed. */
  retarget(): void;
  close(): Promise<void>;
}

const GRACE_MS = 3_000;

interface Replica {
  readonly service: (typeof SERVICES)[number];
  readonly name: string;
  readonly opsPort: number;
  readonly doorPort: number;
}

export async function startSupervisedSystem(options: SupervisedSystemOptions): Promise<SupervisedSystem> {
  const { replicas: count, broker, database, storeProxy } = options;
  const names = SERVICES.flatMap((service) => Array.from({ length: count }, (_, i) => ({ service, name: `${service}-${i + 1}` })));
  const adminToken = randomBytes(24).toString('base64url');
  const ports = await lastingPorts(2 * names.length + MODELS, diceOf(adminToken, 'ports'));
  const replicas = names.map((each, i): Replica => ({ ...each, opsPort: ports[i]!, doorPort: ports[names.length + i]! }));
  const modelPorts = ports.slice(2 * names.length);
  const proxies = await startProxies(options, modelPorts);
  const startAllModels = () => modelPorts.map((port, i) => startModel(options, `model-${i + 1}`, port));
  let models = startAllModels();
  const clocks = await mkdtemp(join(tmpdir(), 'maw-clocks-'));
  const processes = startReplicas(options, replicas, { proxies, adminToken, clocks });
  const doors = replicas.flatMap(({ service, doorPort }) => (service === 'web' ? [`http://127.0.0.1:${doorPort}`] : []));
  return {
    doors: doors as [string, ...string[]],
    adminToken,
    processes,
    proxies,
    isReady: async () =>
      (await Promise.all(replicas.map(({ opsPort }) => respondsOk(`http://127.0.0.1:${opsPort}/readyz`)))).every(Boolean),
    async decisions() {
      const players = replicas.filter(({ service }) => service === 'player');
      const counts = await Promise.all(players.map(({ opsPort }) => decisionsAt(`http://127.0.0.1:${opsPort}/metrics`)));
      return counts.reduce((sum, running) => sum + running, 0);
    },
    async killModels() {
      for (const model of models) signal(model, 'SIGKILL');
      await Promise.all(models.map((model) => model.close()));
    },
    startModels: () => void (models = startAllModels()),
    setClock: (process, aheadMs) => writeFile(join(clocks, `${replicas.find(({ name }) => name === process)!.opsPort}`), `${aheadMs}`),
    retarget() {
      storeProxy.aim(database.url());
      for (const [name, proxy] of proxies) {
        if (name.endsWith(' to broker')) proxy.aim(broker.url());
        if (name.endsWith(' to database')) proxy.aim(database.url());
      }
    },
    async close() {
      const all = [...processes.values(), ...models];
      for (const one of all) signal(one, 'SIGCONT'); // a stopped process cannot end
      for (const proxy of proxies.values()) proxy.mend();
      await Promise.all(all.map((one) => one.close()));
      for (const proxy of proxies.values()) await proxy.close();
      await rm(clocks, { recursive: true, force: true });
    },
  };
}

type Proxies = ReadonlyMap<string, FaultProxy>;
const modelProxy = (i: number): string => `llm-gateway to model-${i + 1}`;

async function startProxies({ broker, database, recorder }: SupervisedSystemOptions, modelPorts: readonly number[]): Promise<Proxies> {
  const proxies = new Map<string, FaultProxy>();
  for (const service of SERVICES) {
    proxies.set(`${service} to broker`, await startFaultProxy(broker.url(), () => recorder.listen(service)));
    if (STORING.includes(service)) proxies.set(`${service} to database`, await startFaultProxy(database.url()));
  }
  for (const [i, port] of modelPorts.entries()) proxies.set(modelProxy(i), await startFaultProxy(`http://127.0.0.1:${port}`));
  return proxies;
}

const start = ({ base, say }: SupervisedSystemOptions, name: string, file: string, env: Env): KeptProcess =>
  keepRunning({ name, file: join(root, file), env: { ...base, ...env } }, { say: (line) => say(name, line), graceMs: GRACE_MS });

const startModel = (options: SupervisedSystemOptions, name: string, port: number): KeptProcess =>
  start(options, name, 'apps/ollama-sim/main.ts', {
    SIM_HOST: '127.0.0.1',
    SIM_PORT: `${port}`,
    SIM_SLOTS: `${SLOTS}`,
    SIM_LOAD_MS: '100',
    SIM_PREFILL_MS_PER_TOKEN: '0.02',
    SIM_DECODE_MS_PER_TOKEN: '2',
  });

interface Shared {
  readonly proxies: Proxies;
  readonly adminToken: string;
  /** The folder with the skew of each clock. */
  readonly clocks: string;
}

function startReplicas(options: SupervisedSystemOptions, replicas: readonly Replica[], { proxies, adminToken, clocks }: Shared) {
  const { broker, database } = options;
  const through = (proxy: string, url: string): string => {
    const address = new URL(url);
    address.host = `127.0.0.1:${proxies.get(proxy)!.port}`;
    return address.href;
  };
  const modelUrls = Array.from({ length: MODELS }, (_, i) => `http://127.0.0.1:${proxies.get(modelProxy(i))!.port}=${SLOTS}`);
  const own: { readonly [service: string]: Env } = {
    'gamemaster': { OBEY_CAPACITY: 'no', OBEY_BACKLOG: 'no' },
    // The simulator has the slots that it says. A probe goes by time, and finds fewer while the machine is short of it.
    'llm-gateway': { OLLAMA_URLS: modelUrls.join(','), CHECK_SLOTS: 'no', AGENT_RPM: '0', HEALTH_EVERY_MS: '1000', PATIENCE_MS: '5000' },
    'player': { MAX_WAIT_S: '1', PACE_MS: '300', COMPLETION_MS: '8000' },
    'web': { WEB_HOST: '127.0.0.1', WEB_SECRET: randomBytes(32).toString('base64url'), MAW_ADMIN_TOKEN: adminToken },
  };
  return new Map(
    replicas.map(({ service, name, opsPort, doorPort }) => {
      const env = {
        HOST: '127.0.0.1',
        PORT: `${opsPort}`,
        GRACE_MS: `${GRACE_MS}`,
        LOG_LEVEL: 'warn',
        NODE_OPTIONS: `${options.base['NODE_OPTIONS'] ?? ''} --import ${skewedClock}`,
        CLOCK_SKEW_FOLDER: clocks,
        AMQP_URL: through(`${service} to broker`, broker.url()),
        ...(STORING.includes(service) ? { DATABASE_URL: through(`${service} to database`, database.url()) } : {}),
        ...own[service],
        ...(service === 'web' ? { WEB_PORT: `${doorPort}` } : {}),
      };
      return [name, start(options, name, `services/${service}/main.ts`, env)] as const;
    }),
  );
}

const respondsOk = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    async (response) => (await response.bytes(), response.ok),
    () => false,
  );

async function decisionsAt(url: string): Promise<number> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  const [, count] = /^maw_decisions_running\{service="player"\} (\d+)$/m.exec(await response.text()) ?? [];
  return Number(count ?? 0); // none yet
}

/** Sends a signal to the current process, if there is one. */
export function signal(kept: KeptProcess, name: NodeJS.Signals): void {
  const pid = kept.pid();
  if (pid !== undefined) process.kill(pid, name);
}
