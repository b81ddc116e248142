import { setTimeout as after } from 'node:timers/promises';
import { pollUntil } from '@maw/async/poll-until.ts';
import type { KeptProcess } from '@maw/dev-servers/keep-running.ts';
import { completed, type Count, doneBetween, linesKept } from './work-counters.ts';
import { BASE_MS, type Mark, type RecoveryTimes, timesOf } from './recovery-times.ts';
import type { KillableServers, BusySystem } from './busy-system.ts';

/** One kind of kill. */
export interface Kill {
  readonly says: string;
  /** The service or server. */
  readonly at: string;
  /** Processes of each service. */
  readonly replicas: number;
  /** `asked`: a graceful stop, for servers only. Services die by SIGKILL and are restarted by their supervisor. */
  readonly how: 'killed' | 'asked';
}

const SERVICES = ['gamemaster', 'chatroom', 'player', 'llm-gateway', 'web'];
const SERVERS = ['RabbitMQ', 'PostgreSQL'];

export const KILLS: readonly Kill[] = [
  ...SERVICES.map((at): Kill => ({ says: `${at}, one of two, killed`, at, replicas: 2, how: 'killed' })),
  ...SERVERS.flatMap((at): Kill[] => [
    { says: `${at} restarted`, at, replicas: 2, how: 'asked' },
    { says: `${at} killed and started again`, at, replicas: 2, how: 'killed' },
  ]),
  ...SERVICES.map((at): Kill => ({ says: `${at}, the only one, killed`, at, replicas: 1, how: 'killed' })),
];

/** Counters that show the work of a service. The work of others is seen on the tapes. */
const COUNTED: { readonly [service: string]: (page: string) => number } = { 'chatroom': linesKept, 'llm-gateway': completed };

const LOOK_MS = 100;
/** The longest wait for the recovery. */
const MAX_RECOVERY_MS = 120_000;
/** The supervisor backs off from processes that die young: a process is killed again only after this age. */
const MIN_AGE_MS = 35_000;
const READY_MS = 240_000;

interface Stage {
  readonly servers: KillableServers;
  readonly busy: BusySystem;
  readonly signal: AbortSignal;
}

/** When each process was last killed. */
const struckAt = new WeakMap<KeptProcess, number>();

/** Measures the throughput, kills, and waits until it is reached again, two minutes at most. @throws the reason of the abort */
export async function killAndWait(kill: Kill, { servers, busy, signal }: Stage): Promise<RecoveryTimes> {
  const { system } = busy;
  if (!(await system.isOpen(READY_MS, signal))) {
    signal.throwIfAborted();
    throw new Error(`before ${kill.says}: not everybody is ready`);
  }
  const watch = watchFor(kill.at, busy);
  const looking = new AbortController();
  const watching = watch.look(AbortSignal.any([signal, looking.signal]));
  let recovered: Promise<void> = Promise.resolve();
  try {
    const struck = SERVICES.includes(kill.at) ? await watch.victim() : undefined;
    const old = struck === undefined ? 0 : (struckAt.get(struck) ?? 0) + MIN_AGE_MS - Date.now();
    await after(Math.max(BASE_MS + 1_000, old), undefined, { signal });
    const playing = busy.playing();
    const at = Date.now();
    let [gone, ready] = [Number.NaN, Number.NaN];
    let isFailed = false;
    const isGone = (): void => void (gone = Date.now());
    recovered =
      struck === undefined ? restartServer(kill, servers, isGone) : killProcess(struck, system.ops.get(struck.name)!, isGone, signal);
    recovered.then(
      () => (ready = Date.now() - at),
      () => (isFailed = true), // awaited below
    );
    let times = timesOf([], { killedAt: at, playing, now: at });
    const isOver = (): boolean => ![times.first, times.back, ready, ...(watch.isByTable ? [times.all] : [])].some(Number.isNaN);
    while (!isOver() && !isFailed && Date.now() - at < MAX_RECOVERY_MS) {
      await after(LOOK_MS, undefined, { signal });
      times = timesOf(watch.marks(at, gone), { killedAt: at, playing, now: Date.now() - LOOK_MS });
    }
    await recovered;
    return { ...times, ready };
  } finally {
    looking.abort();
    await watching;
    await recovered.catch(() => {}); // do not leave a server behind that is still starting
  }
}

/** Resolves once the process that replaces the killed one is ready. */
async function killProcess(kept: KeptProcess, ops: string, isGone: () => void, signal: AbortSignal): Promise<void> {
  const pid = kept.pid();
  if (pid === undefined) throw new Error(`${kept.name} does not run`);
  process.kill(pid, 'SIGKILL');
  isGone();
  struckAt.set(kept, Date.now());
  const isReplaced = async () => kept.pid() !== undefined && kept.pid() !== pid && answers(`${ops}/readyz`);
  await pollUntil(`${kept.name} is ready again`, isReplaced, { timeoutMs: READY_MS, everyMs: LOOK_MS, signal });
}

async function restartServer({ at, how }: Kill, { broker, database }: KillableServers, isGone: () => void): Promise<void> {
  const server = at === 'RabbitMQ' ? broker : database;
  await server.end(how);
  isGone();
  await server.start();
  server.way.aim(server.url());
}

interface Watch {
  /** Whether marks name their table. */
  readonly isByTable: boolean;
  /**
   * Work that was done, in order. After the kill, only work begun after `gone` counts, because a process that stops gracefully still works. NaN:
   * it is not gone yet.
   */
  marks(killedAt: number, gone: number): readonly Mark[];
  /** The busiest process of the service. */
  victim(): Promise<KeptProcess>;
  /** Collects marks until the abort. */
  look(signal: AbortSignal): Promise<void>;
}

function watchFor(at: string, busy: BusySystem): Watch {
  const processes = busy.system.running.filter(({ name }) => name.replace(/-\d+$/, '') === at);
  const first = async (): Promise<KeptProcess> => processes[0]!;
  if (at === 'web') return { isByTable: false, victim: first, ...watchDoors(busy) };
  const countIn = COUNTED[at];
  if (!countIn) return { isByTable: true, marks: (killedAt, gone) => busy.marks(killedAt, gone), victim: first, look: async () => {} };
  return { isByTable: false, ...watchCounts(processes, busy, countIn) };
}

/** Requests the list of tables from each web process in turn; responses of 200 count. */
function watchDoors({ system }: BusySystem): Pick<Watch, 'marks' | 'look'> {
  const seen: { readonly seen: number; readonly asked: number }[] = [];
  return {
    marks: (killedAt, gone) => seen.filter((mark) => mark.seen < killedAt || mark.asked >= gone),
    async look(signal) {
      for (let n = 0; !signal.aborted; n++) {
        const asked = Date.now();
        if (await answers(`${system.doors[n % system.doors.length]}/tables?limit=1`, system.adminToken))
          seen.push({ seen: Date.now(), asked });
        await after(LOOK_MS / 2);
      }
    },
  };
}

/** Counters of all processes of a service; a new process begins at 0. */
function watchCounts(
  processes: readonly KeptProcess[],
  { system }: BusySystem,
  countIn: (page: string) => number,
): Pick<Watch, 'marks' | 'victim' | 'look'> {
  const seen: { readonly seen: number; readonly asked: number }[] = [];
  const last = new Map<string, Count>();
  const read = async ({ name }: KeptProcess): Promise<number | undefined> =>
    fetch(`${system.ops.get(name)}/metrics`, { signal: AbortSignal.timeout(2_000) })
      .then((page) => page.text())
      .then(countIn, () => undefined);
  async function lookAt(kept: KeptProcess): Promise<void> {
    const asked = Date.now();
    const count = await read(kept);
    if (count === undefined) return;
    const { done, since } = doneBetween(last.get(kept.name), { count, asked });
    last.set(kept.name, { count, asked });
    for (let i = 0; i < done; i++) seen.push({ seen: Date.now(), asked: since });
  }
  return {
    marks: (killedAt, gone) =>
      seen.filter((mark) => mark.seen < killedAt || mark.asked >= gone).toSorted((one, other) => one.seen - other.seen),
    async victim() {
      const counts = await Promise.all(processes.map(async (kept) => [(await read(kept)) ?? 0, kept] as const));
      return counts.toSorted(([a], [b]) => b - a)[0]![1];
    },
    async look(signal) {
      while (!signal.aborted) {
        await Promise.all(processes.map(lookAt));
        await after(LOOK_MS);
      }
    },
  };
}

const answers = (url: string, token?: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(2_000), headers: token === undefined ? {} : { authorization: `Bearer ${token}` } }).then(
    async (response) => (await response.bytes(), response.status === 200),
    () => false,
  );
