import { access, mkdir, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const PERIOD_US = 100_000;
const V1 = '/sys/fs/cgroup/cpu';
const V2 = '/sys/fs/cgroup';

/** Why processes cannot be limited here; undefined when they can. */
export async function quotaObstacle(): Promise<string | undefined> {
  const root = await rootOf();
  const probe = join(root, `maw-bench-${process.pid}-probe`);
  try {
    await mkdir(probe);
    await rmdir(probe);
    return undefined;
  } catch {
    return `--quota needs control groups that this user may make, in ${root} (as root); --quota 0 measures without a limit`;
  }
}

/** Puts each process into a control group of its own with this share of a processor, until it is lifted. */
export async function limitProcessors(pids: readonly number[], share: number): Promise<{ lift(): Promise<void> }> {
  const root = await rootOf();
  const quota = Math.round(share * PERIOD_US);
  const groups: string[] = [];
  for (const pid of pids) {
    const group = join(root, `maw-bench-${pid}`);
    await mkdir(group, { recursive: true });
    groups.push(group);
    if (root === V1) {
      await writeFile(join(group, 'cpu.cfs_period_us'), `${PERIOD_US}`);
      await writeFile(join(group, 'cpu.cfs_quota_us'), `${quota}`);
    } else await writeFile(join(group, 'cpu.max'), `${quota} ${PERIOD_US}`);
    await writeFile(join(group, 'cgroup.procs'), `${pid}`);
  }
  return {
    async lift() {
      for (const pid of pids) await writeFile(join(root, 'cgroup.procs'), `${pid}`).catch(() => undefined); // it may have ended
      for (const group of groups) await rmdir(group);
    },
  };
}

/** The hierarchy of the first version, where there is one. */
const rootOf = (): Promise<string> =>
  access(join(V1, 'cgroup.procs')).then(
    () => V1,
    () => V2,
  );
