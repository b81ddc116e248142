import { setTimeout as sleep } from 'node:timers/promises';
import { rabbitBus } from '@maw/bus/rabbitmq/rabbit-bus.ts';
import { startDevServers } from '@maw/dev-servers/dev-servers.ts';
import { type MeasuredProcess, startMeasuredProcess } from '../measured-process.ts';
import { figuresBenchmark } from '../benchmark.ts';
import { type Figure, quantile } from '../figures.ts';
import type { GatewayProcess } from './gateway-process.ts';
import { type Client, byBus, directTo, KEY, through } from './clients.ts';
import { peersFor } from './peers.ts';
import type { SlowModel } from './slow-model.ts';

const AT_ONCE = [1, 16, 64, 256] as const;
const ANSWER_MS = 20;
/** The concurrency at which tracing is measured. */
const USUAL = 64;
const WARM_MS = 1_000;
const FOR_MS = 4_000;
/** Loads of each candidate before the first run. */
const WARM_UPS = 3;
const ABORTS = 40;
const NEVER = 'never';

interface Candidate {
  readonly name: string;
  readonly client: Client;
  readonly process: Pick<MeasuredProcess, 'cpuUs'>;
  /** The numbers of concurrent clients; default: all. */
  readonly atOnce?: readonly number[];
}

/**
 * The latency that the gateway adds to a model server, by HTTP and by messages, with its schedule, limits, budgets, schemas and metrics on: one
 * process each for the model server, the gateway and the clients. A plain proxy, nginx and another gateway in the same run show the machine.
 */
export const gatewayLatency = figuresBenchmark(
  'gateway',
  'the latency that the gateway adds to a model server that answers after 20 ms, by HTTP and by messages',
  async ({ runs }, { signal, say }) => {
    const figures = new Map<string, Figure & { readonly runs: number[] }>();
    const note = (what: string, unit: string, n: number): void => {
      const figure = figures.get(what) ?? { what, unit, runs: [] };
      figures.set(what, figure);
      figure.runs.push(n);
    };
    const closing: Closable[] = [];
    try {
      const { model, direct, plain, candidates } = await startCandidates(closing, say);
      // The first thousands of requests cost several times as much as all later ones, until their code is compiled.
      for (const { client } of candidates) for (let n = 0; n < WARM_UPS; n++) await load(client, USUAL, signal);
      for (let run = 0; run < runs && !signal.aborted; run++) {
        for (const atOnce of AT_ONCE) await compareAt(atOnce, direct, candidates, note, signal);
        const left = await cancelled(plain.url, model.url, signal);
        note('a client disconnects: until the model server knows, p50', 'ms', quantile(left, 0.5));
        note('a client disconnects: until the model server knows, the longest', 'ms', Math.max(...left));
        say(`run ${run + 1} of ${runs} is done`);
      }
      return [...figures.values()];
    } finally {
      for (const each of closing.toReversed()) await each.close();
    }
  },
);

interface Closable {
  close(): Promise<void> | void;
}

async function startCandidates(closing: Closable[], say: (line: string) => void) {
  const keep = <C extends Closable>(one: C): C => {
    closing.push(one);
    return one;
  };
  const model = keep(
    await startMeasuredProcess('gateway/slow-model.ts', JSON.stringify({ answerMs: ANSWER_MS, never: NEVER } satisfies SlowModel)),
  );
  const gateway = async (more: Pick<GatewayProcess, 'isTraced' | 'amqpUrl'>): Promise<MeasuredProcess> =>
    keep(
      await startMeasuredProcess(
        'gateway/gateway-process.ts',
        JSON.stringify({ model: model.url, key: KEY, ...more } satisfies GatewayProcess),
      ),
    );
  const plain = await gateway({ isTraced: false });
  const traced = await gateway({ isTraced: true });
  const proxy = keep(await startMeasuredProcess('gateway/plain-proxy.ts', model.url));
  const candidates: Candidate[] = [
    { name: 'plain proxy', client: keep(directTo(proxy.url)), process: proxy },
    ...(await peersFor(model.url, say)).map((peer) => ({ name: peer.name, client: peer.client, process: keep(peer) })),
    { name: 'gateway', client: keep(through(plain.url)), process: plain },
    { name: 'gateway, all traced', client: keep(through(traced.url)), process: traced, atOnce: [USUAL] },
  ];
  const servers = keep(await startDevServers({ database: false }));
  if (servers.amqpUrl === undefined) say('there is no broker: the gateway by messages is left out');
  else {
    const byMessages = await gateway({ isTraced: false, amqpUrl: servers.amqpUrl });
    const bus = keep(await rabbitBus({ url: servers.amqpUrl, service: 'bench' }));
    candidates.push({ name: 'gateway by messages', client: byBus(bus), process: byMessages });
  }
  return { model, plain, candidates, direct: keep(directTo(model.url)) };
}

async function compareAt(
  atOnce: number,
  direct: Client,
  candidates: readonly Candidate[],
  note: (what: string, unit: string, n: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const floor = await load(direct, atOnce, signal);
  note(`${atOnce} at once, nothing in between`, 'requests/s', floor.rate);
  for (const { name, client, process, atOnce: only = AT_ONCE } of candidates) {
    if (!only.includes(atOnce)) continue;
    const measured = await measure(process, client, atOnce, signal);
    const what = `${atOnce} at once, ${name}`;
    note(`${what}: added p50`, 'ms', quantile(measured.ms, 0.5) - quantile(floor.ms, 0.5));
    note(`${what}: added p99`, 'ms', quantile(measured.ms, 0.99) - quantile(floor.ms, 0.99));
    note(what, 'requests/s', measured.rate);
    if (measured.cpuUs !== undefined) note(`${what}: processor time`, 'us/request', measured.cpuUs);
  }
}

async function measure(child: Pick<MeasuredProcess, 'cpuUs'>, asked: Client, atOnce: number, signal: AbortSignal) {
  let before: number | undefined;
  const came = await load(asked, atOnce, signal, async () => void (before = await child.cpuUs()));
  const after = await child.cpuUs();
  return { ...came, cpuUs: before === undefined || after === undefined ? undefined : (after - before) / came.ms.length };
}

/** `atOnce` clients, each with one request after the other. @param warmed called when the measurement begins */
async function load(asked: Client, atOnce: number, signal: AbortSignal, warmed = async (): Promise<void> => undefined) {
  const ms: number[] = [];
  let until = performance.now() + WARM_MS;
  const all = async (samples?: number[]): Promise<void> => {
    const one = async (caller: number): Promise<void> => {
      while (performance.now() < until && !signal.aborted) {
        const began = performance.now();
        await asked.ask(caller);
        samples?.push(performance.now() - began);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, (_, caller) => one(caller)));
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

/** Clients disconnect while the model works. Returns after how many milliseconds the model server saw each call closed. */
async function cancelled(gateway: string, model: string, signal: AbortSignal): Promise<readonly number[]> {
  const asked = through(gateway);
  const out: number[] = [];
  for (let n = 0; n < ABORTS && !signal.aborted; n++) {
    const leaving = new AbortController();
    const answer = asked.ask(n, { prompt: `${n} ${NEVER}`, signal: leaving.signal }).catch(() => undefined);
    await sleep(2 * ANSWER_MS);
    const left = Date.now();
    leaving.abort();
    await answer;
    for (let closed: number[] = []; !closed.length;) {
      closed = (await (await fetch(`${model}/closed`)).json()) as number[];
      out.push(...closed.map((at) => at - left));
      await sleep(5);
    }
  }
  asked.close();
  return out;
}
