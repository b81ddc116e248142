import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { type KeptProcess, keepRunning } from '@maw/cli/up/keep-running.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import type { RequestRecorder } from './audit/request-recorder.ts';
import { lastingPorts } from './network/reserved-ports.ts';
import type { RestartableServer } from '../servers/restartable-server.ts';
import { startFaultProxy, type FaultProxy } from './network/fault-proxy.ts';

const root = resolve(import.meta.dirname, '../..');

export const SERVICES = ['gamemaster', 'chatroom', 'llm-gateway', 'player', 'web'] as const;
/** Those that have a database. */
const STORING: readonly string[] = ['gamemaster', 'chatroom', 'player'];
/** Model servers, and how many completions each makes at once. */
export const MODELS = 2;
export const SLOTS = 4;

export interface SupervisedSystemOptions {
  readonly broker: Pick<RestartableServer, 'url'>;
  readonly database: Pick<RestartableServer, 'url'>;
  readonly replicas: number;
  readonly chronicle: RequestRecorder;
  /** The storm's own way to the database. */
  readonly ours: FaultProxy;
  /** The environment that all processes start from. */
  readonly base: { readonly [name: string]: string | undefined };
  /** Hears the lines that the processes write. */
  say(process: string, line: string): void;
}

/** Every service as so many processes, each of which is started again when it dies; the model servers; and the ways between them. */
export interface SupervisedSystem {
  readonly doors: readonly [string, ...string[]];
  readonly adminToken: string;
  /** By name, such as `player-2`. */
  readonly processes: ReadonlyMap<string, KeptProcess>;
  /** By name, such as `player to broker`. */
  readonly ways: ReadonlyMap<string, FaultProxy>;
  /** Whether everybody says of itself that it is ready. */
  isReady(): Promise<boolean>;
  /** All model servers are killed. */
  loseModels(): Promise<void>;
  findModels(): void;
  /** The broker or the database has another address. */
  moved(): void;
  close(): Promise<void>;
}

const GRACE_MS = 3_000;

export async function startSupervisedSystem({
  broker,
  database,
  replicas,
  chronicle,
  base,
  ours,
  say,
}: SupervisedSystemOptions): Promise<SupervisedSystem> {
  const names = SERVICES.flatMap((service) => Array.from({ length: replicas }, (_, i) => ({ service, name: `${service}-${i + 1}` })));
  const adminToken = randomBytes(24).toString('base64url');
  const ports = await lastingPorts(2 * names.length + MODELS, diceOf(adminToken, 'ports'));
  const opsOf = (i: number) => ports[i]!;
  const doorOf = (i: number) => ports[names.length + i]!;
  const modelPorts = ports.slice(2 * names.length);
  const secret = randomBytes(32).toString('base64url');

  const ways = new Map<string, FaultProxy>();
  for (const service of SERVICES) {
    ways.set(`${service} to broker`, await startFaultProxy(broker.url(), () => chronicle.listen(service)));
    if (STORING.includes(service)) ways.set(`${service} to database`, await startFaultProxy(database.url()));
  }
  for (const [i, port] of modelPorts.entries())
    ways.set(`llm-gateway to model-${i + 1}`, await startFaultProxy(`http://127.0.0.1:${port}`));

  const by = (way: string, url: string): string => {
    const at = new URL(url);
    at.host = `127.0.0.1:${ways.get(way)!.port}`;
    return at.href;
  };
  const modelUrls = modelPorts.map((_, i) => `http://127.0.0.1:${ways.get(`llm-gateway to model-${i + 1}`)!.port}=${SLOTS}`);
  const own: { readonly [service: string]: { readonly [name: string]: string } } = {
    'gamemaster': { OBEY_CAPACITY: 'no', OBEY_BACKLOG: 'no' },
    'llm-gateway': { OLLAMA_URLS: modelUrls.join(','), AGENT_RPM: '0', HEALTH_EVERY_MS: '1000', PATIENCE_MS: '5000' },
    'player': { MAX_WAIT_S: '1', PACE_MS: '300', COMPLETION_MS: '8000' },
    'web': { WEB_HOST: '127.0.0.1', WEB_SECRET: secret, MAW_ADMIN_TOKEN: adminToken },
  };
  const start = (name: string, file: string, env: { readonly [name: string]: string | undefined }): KeptProcess =>
    keepRunning({ name, file: join(root, file), env: { ...base, ...env } }, { say: (line) => say(name, line), graceMs: GRACE_MS });
  const startModels = () =>
    modelPorts.map((port, i) =>
      start(`model-${i + 1}`, 'apps/ollama-sim/main.ts', {
        SIM_HOST: '127.0.0.1',
        SIM_PORT: `${port}`,
        SIM_SLOTS: `${SLOTS}`,
        SIM_LOAD_MS: '100',
        SIM_PREFILL_MS_PER_TOKEN: '0.02',
        SIM_DECODE_MS_PER_TOKEN: '2',
      }),
    );
  let models = startModels();
  const processes = new Map(
    names.map(({ service, name }, i) => {
      const broken = {
        AMQP_URL: by(`${service} to broker`, broker.url()),
        ...(STORING.includes(service) ? { DATABASE_URL: by(`${service} to database`, database.url()) } : {}),
      };
      const life = { HOST: '127.0.0.1', PORT: `${opsOf(i)}`, GRACE_MS: `${GRACE_MS}`, LOG_LEVEL: 'warn' };
      const door = service === 'web' ? { WEB_PORT: `${doorOf(i)}` } : {};
      return [name, start(name, `services/${service}/main.ts`, { ...life, ...broken, ...own[service], ...door })] as const;
    }),
  );

  const answers = (url: string) =>
    fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
      async (response) => (await response.bytes(), response.ok),
      () => false,
    );
  const doors = names.flatMap(({ service }, i) => (service === 'web' ? [`http://127.0.0.1:${doorOf(i)}`] : []));
  return {
    doors: doors as [string, ...string[]],
    adminToken,
    processes,
    ways,
    isReady: async () => (await Promise.all(names.map((_, i) => answers(`http://127.0.0.1:${opsOf(i)}/readyz`)))).every(Boolean),
    async loseModels() {
      for (const model of models) signal(model, 'SIGKILL');
      await Promise.all(models.map((model) => model.close()));
    },
    findModels: () => void (models = startModels()),
    moved() {
      ours.aim(database.url());
      for (const [name, way] of ways) {
        if (name.endsWith(' to broker')) way.aim(broker.url());
        if (name.endsWith(' to database')) way.aim(database.url());
      }
    },
    async close() {
      const all = [...processes.values(), ...models];
      for (const one of all) signal(one, 'SIGCONT'); // whoever stands still cannot end
      for (const way of ways.values()) way.mend();
      await Promise.all(all.map((one) => one.close()));
      for (const way of ways.values()) await way.close();
    },
  };
}

/** Sends a signal to the process that runs now, if one does. */
export function signal(kept: KeptProcess, name: NodeJS.Signals): void {
  const pid = kept.pid();
  if (pid !== undefined) process.kill(pid, name);
}
