import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What the processes of a server have used: processor time in seconds, and memory in MiB (of what several share, each has its part). */
export interface Used {
  readonly cpu: number;
  readonly memory: number;
}

/** The servers that a lane starts, by the name of the program that does the work. */
const PROGRAMS = { broker: 'beam.smp', database: 'postgres' } as const;
export type Servers = { readonly [server in keyof typeof PROGRAMS]: Used | undefined };

/** Linux counts processor time for others in hundredths of a second, whatever the machine (USER_HZ). */
const TICKS_A_SECOND = 100;

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
  readonly ticks: number;
}

/**
 * What RabbitMQ and PostgreSQL have used, where they were started by this process or one of those it has started. Undefined where there is
 * none: it was given, runs in a container, or the system has no /proc. The time of processes that have ended is in that of their parents.
 * @param proc where the system tells of its processes (proc(5))
 */
export async function serversUsed(root = process.pid, proc = '/proc'): Promise<Servers> {
  const all = await processes(proc);
  const below = (pids: ReadonlySet<number>): ReadonlySet<number> => {
    const more = new Set(pids);
    for (let before = 0; before < more.size;) {
      before = more.size;
      for (const { pid, parent } of all) if (more.has(parent)) more.add(pid);
    }
    return more;
  };
  const ours = below(new Set([root]));
  const used = async (program: string): Promise<Used | undefined> => {
    const mains = all.filter(({ pid, name }) => name === program && ours.has(pid)).map(({ pid }) => pid);
    if (!mains.length) return undefined;
    const parts = below(new Set(mains));
    const ticks = all.reduce((sum, one) => sum + (parts.has(one.pid) ? one.ticks : 0), 0);
    const memories = await Promise.all([...parts].map((pid) => memoryOf(join(proc, String(pid)))));
    return { cpu: ticks / TICKS_A_SECOND, memory: memories.reduce((sum, kib) => sum + kib, 0) / 1024 };
  };
  const [broker, database] = await Promise.all([used(PROGRAMS.broker), used(PROGRAMS.database)]);
  return { broker, database };
}

async function processes(proc: string): Promise<readonly Process[]> {
  const pids = (await readdir(proc).catch(() => [])).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => readFile(join(proc, pid, 'stat'), 'utf8').catch(() => '')));
  return stats.flatMap((stat) => processIn(stat) ?? []);
}

/** The name stands in parentheses and may have any characters, parentheses too. */
function processIn(stat: string): Process | undefined {
  const [, pid, name, rest] = /^(\d+) \((.*)\) (.*)$/s.exec(stat) ?? [];
  const fields = rest?.split(' ') ?? []; // from the third field on: state, parent, ...
  if (pid === undefined || name === undefined) return undefined;
  // utime, stime, and those of children that have ended: fields 14 to 17
  return { pid: Number(pid), parent: Number(fields[1]), name, ticks: fields.slice(11, 15).reduce((sum, n) => sum + Number(n), 0) };
}

/** In KiB: its own and its part of what it shares; where only its user may see that, all that is resident. A process that has just ended has none. */
async function memoryOf(folder: string): Promise<number> {
  const line = async (file: string, name: string): Promise<number> =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(await readFile(join(folder, file), 'utf8'))?.[1] ?? 0);
  return line('smaps_rollup', 'Pss').catch(() => line('status', 'VmRSS').catch(() => 0));
}
