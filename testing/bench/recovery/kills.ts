import { setTimeout as after } from 'node:timers/promises';
import type { KeptProcess } from '@maw/cli/up/keep-running.ts';
import { completed, type Count, doneBetween, linesKept } from './work-counters.ts';
import { BASE_MS, type Mark, type Times, timesOf } from './recovery-times.ts';
import type { KillableServers, BusySystem } from './busy-system.ts';

/** One kind of kill. */
export interface Kill {
  readonly says: string;
  /** Whom it strikes. */
  readonly at: string;
  /** How many there are of each service. */
  readonly replicas: number;
  /** Servers can also be asked to end; both are then started again. Services die by SIGKILL, and whoever keeps them running starts them again. */
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

/** What a service does that one can see from outside; of others it is that tapes go on. */
const COUNTED: { readonly [service: string]: (page: string) => number } = { 'chatroom': linesKept, 'llm-gateway': completed };

const LOOK_MS = 100;
/** How long it is waited for that all is as before. */
const LONGEST_MS = 120_000;
/** Whoever dies young is started again later each time: so long after a blow the same may be struck again. */
const OLD_MS = 35_000;
const READY_MS = 240_000;

interface Stage {
  readonly ground: KillableServers;
  readonly town: BusySystem;
  readonly signal: AbortSignal;
}

/** When each process was started, as far as we have made it die. */
const struckAt = new WeakMap<KeptProcess, number>();

/** Sees how much is done, strikes, and waits until as much is done again, or two minutes. @throws whatever `signal` was aborted with */
export async function killAndWait(blow: Kill, { ground, town, signal }: Stage): Promise<Times> {
  const { system } = town;
  if (!(await system.isOpen(READY_MS, signal))) {
    signal.throwIfAborted();
    throw new Error(`before ${blow.says}: not everybody is ready`);
  }
  const watch = watchFor(blow.at, town);
  const looking = new AbortController();
  const watching = watch.look(AbortSignal.any([signal, looking.signal]));
  let recovered: Promise<void> = Promise.resolve();
  try {
    const struck = SERVICES.includes(blow.at) ? await watch.victim() : undefined;
    const old = struck === undefined ? 0 : (struckAt.get(struck) ?? 0) + OLD_MS - Date.now();
    await after(Math.max(BASE_MS + 1_000, old), undefined, { signal });
    const playing = town.playing();
    const at = Date.now();
    let [gone, ready] = [Number.NaN, Number.NaN];
    let isFailed = false;
    const isGone = (): void => void (gone = Date.now());
    recovered = struck === undefined ? restart(blow, ground, isGone) : kill(struck, system.ops.get(struck.name)!, isGone, signal);
    recovered.then(
      () => (ready = Date.now() - at),
      () => (isFailed = true), // it is awaited below
    );
    let times = timesOf([], { blow: at, playing, now: at });
    const isOver = (): boolean => ![times.first, times.back, ready, ...(watch.isByTable ? [times.all] : [])].some(Number.isNaN);
    while (!isOver() && !isFailed && Date.now() - at < LONGEST_MS) {
      await after(LOOK_MS, undefined, { signal });
      times = timesOf(watch.marks(at, gone), { blow: at, playing, now: Date.now() - LOOK_MS });
    }
    await recovered;
    return { ...times, ready };
  } finally {
    looking.abort();
    await watching;
    await recovered.catch(() => {}); // a server that is only being started is not left behind
  }
}

/** Kills the process, and waits until the one that is started in its place says that it is ready. */
async function kill(kept: KeptProcess, ops: string, isGone: () => void, signal: AbortSignal): Promise<void> {
  const pid = kept.pid();
  if (pid === undefined) throw new Error(`${kept.name} does not run`);
  process.kill(pid, 'SIGKILL');
  isGone();
  struckAt.set(kept, Date.now());
  while (kept.pid() === undefined || kept.pid() === pid || !(await answers(`${ops}/readyz`))) await after(LOOK_MS, undefined, { signal });
}

/** Ends the server and starts it again at once. */
async function restart({ at, how }: Kill, { broker, database }: KillableServers, isGone: () => void): Promise<void> {
  const server = at === 'RabbitMQ' ? broker : database;
  await server.end(how);
  isGone();
  await server.start();
  server.way.aim(server.url());
}

interface Watch {
  /** Whether it tells of tables. */
  readonly isByTable: boolean;
  /**
   * What was done, in its order. Of what was seen after a blow, only what was done after the struck one was gone: whoever is asked to end still does
   * something. NaN: it is not gone yet.
   */
  marks(blow: number, gone: number): readonly Mark[];
  /** The process of a service that is to be struck: the one that has something to do. */
  victim(): Promise<KeptProcess>;
  /** Looks until it is told not to. */
  look(signal: AbortSignal): Promise<void>;
}

function watchFor(at: string, town: BusySystem): Watch {
  const processes = town.system.running.filter(({ name }) => name.replace(/-\d+$/, '') === at);
  const first = async (): Promise<KeptProcess> => processes[0]!;
  if (at === 'web') return { isByTable: false, victim: first, ...watchDoors(town) };
  const countIn = COUNTED[at];
  if (!countIn) return { isByTable: true, marks: town.marks, victim: first, look: async () => {} };
  return { isByTable: false, ...watchCounts(processes, town, countIn) };
}

/** Somebody who asks for the list of tables at each door in turn; what counts are answers of 200. */
function watchDoors({ system }: BusySystem): Pick<Watch, 'marks' | 'look'> {
  const seen: { readonly seen: number; readonly asked: number }[] = [];
  return {
    marks: (blow, gone) => seen.filter((mark) => mark.seen < blow || mark.asked >= gone),
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

/** What all processes of a service have counted; a process that is started again begins at nothing. */
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
    marks: (blow, gone) => seen.filter((mark) => mark.seen < blow || mark.asked >= gone).toSorted((one, other) => one.seen - other.seen),
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
