import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import type { System } from '@maw/cli/up/system.ts';

const run = promisify(execFile);

/** The processors of each half of the machine, as taskset(1) takes them; of an odd number the last one is in neither. */
export function halves(processors = availableParallelism()): readonly [string, string] {
  const half = Math.floor(processors / 2);
  return [`0-${half - 1}`, `${half}-${2 * half - 1}`];
}

/** Why replicas cannot be pinned here; undefined when they can. */
export async function pinningObstacle(): Promise<string | undefined> {
  if (availableParallelism() < 2) return '--halves needs two processors or more: there is one';
  const found = await run('taskset', ['--version']).catch(() => undefined);
  return found ? undefined : '--halves needs taskset, which is not here (Debian: apt-get install util-linux)';
}

/** Pins the first replica of each service to one half of the machine, and the second one to the other. Broker and database use all of it. */
export async function pinReplicas({ running }: Pick<System, 'running'>): Promise<void> {
  for (const { name, pid } of running) {
    const id = pid();
    if (id !== undefined) await run('taskset', ['--all-tasks', '--cpu-list', '--pid', halfOf(name), String(id)]);
  }
}

export const halfOf = (name: string): string => halves()[/-2$/.test(name) ? 1 : 0];
