import { rabbitBus } from '@maw/bus/rabbitmq/rabbit-bus.ts';
import { startDevServers } from '@maw/cli/dev-servers/dev-servers.ts';
import { type MeasuredProcess, startMeasuredProcess } from '../measured-process.ts';
import { type Figure, quantile } from '../figures.ts';
import type { Alone } from './gateway-process.ts';
import { type Client, byBus, directTo, KEY, through } from './clients.ts';
import { peersFor } from './peers.ts';
import type { BenchOptions } from '../main.ts';
import type { SlowModel } from './slow-model.ts';

const AT_ONCE = [1, 16, 64, 256] as const;
const ANSWER_MS = 20;
/** At which it is told what tracing costs. */
const USUAL = 64;
const WARM_MS = 1_000;
const FOR_MS = 4_000;
/** How often each is measured for nothing before the first run. */
const NEW = 3;
const ABORTS = 40;
const NEVER = 'never';

interface Between {
  readonly name: string;
  readonly asked: Client;
  readonly child: Pick<MeasuredProcess, 'cpuUs'>;
  /** The numbers of askers it is measured with; all unless said. */
  readonly atOnce?: readonly number[];
}

/**
 * What the gateway adds to a model server that answers after 20 ms, by HTTP and by messages, with schedule, limits, budgets, schemas and
 * metrics on: one process each for the model server, the gateway and whoever asks. A plain proxy, nginx and another gateway in the same run
 * say how fast the machine is.
 */
export async function gatewayCost({ runs, signal, say }: BenchOptions): Promise<readonly Figure[]> {
  const figures = new Map<string, Figure & { readonly runs: number[] }>();
  const note = (what: string, unit: string, n: number): void => {
    const figure = figures.get(what) ?? { what, unit, runs: [] };
    figures.set(what, figure);
    figure.runs.push(n);
  };
  const closing: (() => Promise<void> | void)[] = [];
  const keep = <C extends { close(): Promise<void> | void }>(one: C): C => {
    closing.push(() => one.close());
    return one;
  };
  try {
    const model = keep(
      await startMeasuredProcess('gateway/slow-model.ts', JSON.stringify({ answerMs: ANSWER_MS, never: NEVER } satisfies SlowModel)),
    );
    const of = async (more: Pick<Alone, 'isTraced' | 'amqpUrl'>): Promise<MeasuredProcess> =>
      keep(
        await startMeasuredProcess('gateway/gateway-process.ts', JSON.stringify({ model: model.url, key: KEY, ...more } satisfies Alone)),
      );
    const plain = await of({ isTraced: false });
    const traced = await of({ isTraced: true });
    const proxy = keep(await startMeasuredProcess('gateway/plain-proxy.ts', model.url));
    const between: Between[] = [
      { name: 'plain proxy', asked: keep(directTo(proxy.url)), child: proxy },
      ...(await peersFor(model.url, say)).map((peer) => ({ name: peer.name, asked: peer.asked, child: keep(peer) })),
      { name: 'gateway', asked: keep(through(plain.url)), child: plain },
      { name: 'gateway, all traced', asked: keep(through(traced.url)), child: traced, atOnce: [USUAL] },
    ];
    const lane = keep(await startDevServers({ database: false }));
    if (lane.amqpUrl === undefined) say('no broker is to be had, and the gateway by messages is left out');
    else {
      const byMessages = await of({ isTraced: false, amqpUrl: lane.amqpUrl });
      const bus = keep(await rabbitBus({ url: lane.amqpUrl, service: 'bench' }));
      between.push({ name: 'gateway by messages', asked: byBus(bus), child: byMessages });
    }
    const nothing = keep(directTo(model.url));
    // The first thousands of requests cost several times as much as all later ones, until their code is compiled.
    for (const { asked } of between) for (let n = 0; n < NEW; n++) await load(asked, USUAL, signal);
    for (let run = 0; run < runs && !signal.aborted; run++) {
      for (const many of AT_ONCE) {
        const direct = await load(nothing, many, signal);
        note(`${many} at once, nothing in between`, 'requests/s', direct.rate);
        for (const { name, asked, child, atOnce = AT_ONCE } of between) {
          if (!atOnce.includes(many)) continue;
          const came = await measured(child, asked, many, signal);
          const what = `${many} at once, ${name}`;
          note(`${what}: added p50`, 'ms', quantile(came.ms, 0.5) - quantile(direct.ms, 0.5));
          note(`${what}: added p99`, 'ms', quantile(came.ms, 0.99) - quantile(direct.ms, 0.99));
          note(what, 'requests/s', came.rate);
          if (came.cpuUs !== undefined) note(`${what}: processor time`, 'us/request', came.cpuUs);
        }
      }
      const left = await aborted(plain.url, model.url, signal);
      note('an asker leaves: until the model server knows, p50', 'ms', quantile(left, 0.5));
      note('an asker leaves: until the model server knows, the longest', 'ms', Math.max(...left));
      say(`run ${run + 1} of ${runs} is done`);
    }
    return [...figures.values()];
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

async function measured(child: Pick<MeasuredProcess, 'cpuUs'>, asked: Client, atOnce: number, signal: AbortSignal) {
  let before: number | undefined;
  const came = await load(asked, atOnce, signal, async () => void (before = await child.cpuUs()));
  const after = await child.cpuUs();
  return { ...came, cpuUs: before === undefined || after === undefined ? undefined : (after - before) / came.ms.length };
}

/** So many askers, each with one request after the other. @param warmed called when it is measured from now on */
async function load(asked: Client, atOnce: number, signal: AbortSignal, warmed = async (): Promise<void> => undefined) {
  const ms: number[] = [];
  let until = performance.now() + WARM_MS;
  const all = async (kept?: number[]): Promise<void> => {
    const one = async (asker: number): Promise<void> => {
      while (performance.now() < until && !signal.aborted) {
        const began = performance.now();
        await asked.ask(asker);
        kept?.push(performance.now() - began);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, (_, asker) => one(asker)));
  };
  await all();
  await warmed();
  const began = performance.now();
  until = began + FOR_MS;
  await all(ms);
  const seconds = (performance.now() - began) / 1000;
  signal.throwIfAborted();
  return { ms, rate: ms.length / seconds };
}

/** Has askers leave while the model is at work, and returns how many milliseconds later each of their calls was closed there. */
async function aborted(gateway: string, model: string, signal: AbortSignal): Promise<readonly number[]> {
  const asked = through(gateway);
  const out: number[] = [];
  for (let n = 0; n < ABORTS && !signal.aborted; n++) {
    const leaving = new AbortController();
    const answer = asked.ask(n, { prompt: `${n} ${NEVER}`, signal: leaving.signal }).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 2 * ANSWER_MS));
    const left = Date.now();
    leaving.abort();
    await answer;
    for (let closed: number[] = []; !closed.length;) {
      closed = (await (await fetch(`${model}/closed`)).json()) as number[];
      out.push(...closed.map((at) => at - left));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  asked.close();
  return out;
}
