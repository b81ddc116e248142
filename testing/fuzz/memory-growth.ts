import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { registry } from '@maw/telemetry/metrics.ts';

/** What this process holds once everything that can be thrown away is. */
export interface Weight {
  /** Heap, and buffers outside of it, in MiB. */
  readonly mib: number;
  /** How many words stand in the labels of metrics: each once for each metric and label. */
  readonly labels: number;
  /** Sockets, servers and timers that would keep the process from ending. */
  readonly open: number;
  /** Who listens to this process. */
  readonly listeners: number;
}

/** What was held after a town was closed, and after how many letters, counted from the first that this process has sent. */
export interface Closed {
  readonly letters: number;
  readonly weight: Weight;
}

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/** Twice: what is thrown away may have held what has to be told that it is. */
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
 * So much more after the last town than after the second is no leak yet. The first town is left out: in it everything is loaded and compiled.
 * Compiled code comes and goes by a few MiB; some known words, as a route asked by a
 * method that it has not, are seldom seen; a timer may still have to run out.
 */
const MOST = { mib: 6, labels: 700, open: 20, listeners: 0 } as const;
/** And for each letter between them: less than anything that is kept of one takes. */
const EACH_MIB = 8 / 2 ** 20;
const WORDS = {
  mib: 'MiB of heap and buffers',
  labels: 'words in labels of metrics',
  open: 'sockets, servers and timers',
  listeners: 'listeners of the process',
} as const;

/** What has grown from the second town that was closed to the last, though nothing of a town may be left; nothing is said of fewer than three. */
export function leaks(closed: readonly Closed[]): readonly string[] {
  const [second, last] = [closed[1], closed.at(-1)];
  if (!second || !last || closed.length < 3) return [];
  const letters = last.letters - second.letters;
  return (Object.keys(MOST) as (keyof Weight)[]).flatMap((what) => {
    const [before, after] = [second.weight[what], last.weight[what]];
    const most = MOST[what] + (what === 'mib' ? letters * EACH_MIB : 0);
    if (after - before <= most) return [];
    return [
      `something is kept beyond its town: ${before.toFixed(1)} ${WORDS[what]} after the second town, ${after.toFixed(1)} after the last, ${letters} letters later; ` +
        `${closed.map(({ weight }) => weight[what].toFixed(1)).join(', ')} after each`,
    ];
  });
}
