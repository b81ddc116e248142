import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { registry } from '@maw/telemetry/metrics.ts';

/** Resources of this process after a garbage collection. */
export interface Weight {
  /** Heap, and buffers outside of it, in MiB. */
  readonly mib: number;
  /** Distinct values of metric labels. */
  readonly labels: number;
  /** Sockets, servers and timers that keep the event loop alive. */
  readonly open: number;
  /** Event listeners of the process. */
  readonly listeners: number;
}

/** Resources after a session was closed, and the messages that this process had sent by then. */
export interface ClosedSession {
  readonly messages: number;
  readonly weight: Weight;
}

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/** Collects twice: finalizers run after the first collection. */
export async function weigh(): Promise<Weight> {
  const labels = await labelsNow();
  for (let times = 0; times < 2; times++) {
    await new Promise((resolve) => setImmediate(resolve));
    gc();
  }
  const { heapUsed, external } = process.memoryUsage();
  return {
    mib: (heapUsed + external) / 2 ** 20,
    labels,
    open: process.getActiveResourcesInfo().length,
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
  };
}

async function labelsNow(): Promise<number> {
  const words = new Set<string>();
  for (const { name, values } of await registry.getMetricsAsJSON())
    for (const { labels } of values as readonly { readonly labels: Readonly<Record<string, unknown>> }[])
      for (const [label, word] of Object.entries(labels)) words.add(JSON.stringify([name, label, word]));
  return words.size;
}

/**
 * Growth from the second session to the last that is not yet a leak: compiled code varies by a few MiB, some label values are rare, a timer may
 * still have to run out. The first session is left out, because it loads and compiles everything.
 */
const TOLERANCE = { mib: 6, labels: 700, open: 20, listeners: 0 } as const;
/** Per message between them: less than any object that leaks with a message. */
const MIB_PER_MESSAGE = 8 / 2 ** 20;
const NAMES = {
  mib: 'MiB of heap and buffers',
  labels: 'values of metric labels',
  open: 'sockets, servers and timers',
  listeners: 'listeners of the process',
} as const;

/** Resources that grew from the second closed session to the last; needs three sessions. */
export function findGrowth(closed: readonly ClosedSession[]): readonly string[] {
  const [second, last] = [closed[1], closed.at(-1)];
  if (!second || !last || closed.length < 3) return [];
  const messages = last.messages - second.messages;
  return (Object.keys(TOLERANCE) as (keyof Weight)[]).flatMap((what) => {
    const [before, after] = [second.weight[what], last.weight[what]];
    const tolerance = TOLERANCE[what] + (what === 'mib' ? messages * MIB_PER_MESSAGE : 0);
    if (after - before <= tolerance) return [];
    return [
      `leak: ${before.toFixed(1)} ${NAMES[what]} after the second session, ${after.toFixed(1)} after the last, ${messages} messages later; ` +
        `${closed.map(({ weight }) => weight[what].toFixed(1)).join(', ')} after each`,
    ];
  });
}
