import { cpus } from 'node:os';
import { collectDefaultMetrics } from 'prom-client';
import { metrics, onCollect, registry } from './metrics.ts';
import { VERSION } from './resource.ts';

/**
 * Collects the metrics of the process (`process_*`, `nodejs_*`), which version it is, and what its machine has left. Idempotent: services may
 * share a process, and its machine is shown by the first.
 */
export function collectProcessMetrics(service: string, commit = ''): void {
  metrics.buildInfo.set({ service, version: VERSION, commit, node: process.versions.node }, 1);
  if (registry.getSingleMetric('process_cpu_seconds_total')) return;
  collectDefaultMetrics({ register: registry });
  let before = machineTimes();
  onCollect(metrics.memoryFree, () => metrics.memoryFree.set({ service }, process.availableMemory()));
  onCollect(metrics.processorsIdle, () => {
    const now = machineTimes();
    if (now.all === before.all) return;
    metrics.processorsIdle.set({ service }, (cpus().length * (now.idle - before.idle)) / (now.all - before.all));
    before = now;
  });
}

/** Since the machine was started, over all of its processors, in milliseconds. */
function machineTimes(): { readonly idle: number; readonly all: number } {
  const times = cpus().map((one) => one.times);
  const sum = (of: readonly number[]): number => of.reduce((all, each) => all + each, 0);
  return { idle: sum(times.map(({ idle }) => idle)), all: sum(times.flatMap((each) => Object.values(each))) };
}
