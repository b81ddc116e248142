import { diceOf } from '@maw/games/kernel/dice.ts';
import { startSimulator } from '@maw/ollama-sim/simulator.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { pollUntil } from '@maw/async/poll-until.ts';
import { startMeasuredProcess } from '../measured-process.ts';
import { figuresBenchmark } from '../benchmark.ts';
import { quantile } from '../figures.ts';
import type { GatewayProcess } from './gateway-process.ts';
import { type Client, directTo, KEY, through } from './clients.ts';
import type { SlowModel } from './slow-model.ts';

const NEVER = 'never';
const ANSWER_MS = 20;
/** Load of the first measurement: an answer of 40 tokens takes 200 ms. */
const BUSY = { slots: 8, games: 50, agents: 12, decodeMsPerToken: 5, forMs: 20_000, warmMs: 3_000, everyMs: 5 };
/** Rates of the second measurement, in requests a second, each held for `forMs`. */
const RATES = { first: 100, more: 100, last: 3_000, forMs: 4_000, addedMs: 10 };
const MANY_WAIT = 10_000;

/** A gateway under as much load as it can take. */
export const gatewayLoad = figuresBenchmark(
  'gateway-load',
  'the share of slots in use, the highest rate, and the memory of ten thousand waiting requests',
  async ({ runs }, { signal, say }) => {
    const [busy, rates, weights]: [number[], number[], number[]] = [[], [], []];
    for (let run = 0; run < runs && !signal.aborted; run++) {
      busy.push(100 * (await utilisation(signal)));
      rates.push(await rate(`run ${run}`, signal));
      weights.push(await weight(signal));
      say(`run ${run + 1} of ${runs} is done`);
    }
    return [
      { what: `${BUSY.games} games on ${BUSY.slots} slots: slots in use, as the model server counts`, unit: '%', runs: busy },
      { what: `highest rate with a p99 of at most ${RATES.addedMs} ms above that without a gateway`, unit: 'requests/s', runs: rates },
      { what: `memory of one of ${MANY_WAIT} waiting requests`, unit: 'KiB', runs: weights },
    ];
  },
);

const gatewayAt = (model: string, slots?: number) =>
  startMeasuredProcess(
    'gateway/gateway-process.ts',
    JSON.stringify({ model, key: KEY, isTraced: false, ...(slots === undefined ? {} : { slots }) } satisfies GatewayProcess),
  );

/** The share of slots in use while every agent of every game sends its next request at once. */
async function utilisation(signal: AbortSignal): Promise<number> {
  const server = await startSimulator({ models: [{ name: 'slow' }], slots: BUSY.slots, decodeMsPerToken: BUSY.decodeMsPerToken });
  const gateway = await gatewayAt(server.url, BUSY.slots);
  const asked = through(gateway.url);
  try {
    const until = performance.now() + BUSY.warmMs + BUSY.forMs;
    const agent = async (n: number): Promise<void> => {
      while (performance.now() < until && !signal.aborted) await asked.ask(n);
    };
    const all = Promise.all(Array.from({ length: BUSY.games * BUSY.agents }, (_, n) => agent(n)));
    await sleep(BUSY.warmMs);
    const seen: number[] = [];
    const timer = setInterval(() => {
      if (performance.now() < until) seen.push(server.state().models.reduce((sum, one) => sum + one.busy, 0));
    }, BUSY.everyMs);
    await all.finally(() => clearInterval(timer));
    signal.throwIfAborted();
    return seen.reduce((sum, n) => sum + n, 0) / seen.length / BUSY.slots;
  } finally {
    asked.close();
    gateway.close();
    await server.close();
  }
}

/** The highest rate at which Poisson arrivals have a p99 at most `addedMs` above that of the model server alone. */
async function rate(seed: string, signal: AbortSignal): Promise<number> {
  const model = await startMeasuredProcess(
    'gateway/slow-model.ts',
    JSON.stringify({ answerMs: ANSWER_MS, never: NEVER } satisfies SlowModel),
  );
  const gateway = await gatewayAt(model.url);
  const [nothing, asked] = [directTo(model.url), through(gateway.url)];
  try {
    for (const perSecond of [RATES.first, 10 * RATES.first, RATES.first]) await stream(asked, perSecond, seed, signal); // warm-up
    let good = 0;
    for (let perSecond = RATES.first; perSecond <= RATES.last && !signal.aborted; perSecond += RATES.more) {
      const direct = quantile(await stream(nothing, perSecond, seed, signal), 0.99);
      if (quantile(await stream(asked, perSecond, seed, signal), 0.99) - direct > RATES.addedMs) break;
      good = perSecond;
    }
    signal.throwIfAborted();
    return good;
  } finally {
    nothing.close();
    asked.close();
    gateway.close();
    model.close();
  }
}

/** Poisson arrivals, an open loop. Returns the milliseconds each took from its due time. */
async function stream(asked: Client, perSecond: number, seed: string, signal: AbortSignal): Promise<readonly number[]> {
  const dice = diceOf(seed, String(perSecond));
  const ms: number[] = [];
  const all: Promise<void>[] = [];
  const began = performance.now();
  let due = 0;
  for (let n = 0; due < RATES.forMs && !signal.aborted; n++) {
    due += (-Math.log(1 - dice.below(1_000_000) / 1_000_000) * 1_000) / perSecond;
    const wait = began + due - performance.now();
    if (wait > 0) await sleep(wait);
    const at = began + due; // from the due time: no coordinated omission
    all.push(asked.ask(n).then(() => void ms.push(performance.now() - at)));
  }
  await Promise.all(all);
  return ms;
}

/** Memory of one waiting request with its connection, in KiB. */
async function weight(signal: AbortSignal): Promise<number> {
  const model = await startMeasuredProcess(
    'gateway/slow-model.ts',
    JSON.stringify({ answerMs: ANSWER_MS, never: NEVER } satisfies SlowModel),
  );
  const gateway = await gatewayAt(model.url, 1);
  const asked = through(gateway.url);
  const leaving = new AbortController();
  let seen = 0;
  const waiting = async (): Promise<number> => {
    const response = await fetch(`${gateway.url}/admin/status`, { headers: { authorization: `Bearer ${KEY}` } });
    const said = (await response.json()) as { waiting: { critical: number; talk: number; background: number } };
    seen = said.waiting.critical + said.waiting.talk + said.waiting.background;
    return seen;
  };
  try {
    for (let n = 0; n < 1_000; n++) await asked.ask(n);
    const before = (await gateway.rss()) ?? Number.NaN;
    for (let n = 0; n <= MANY_WAIT && !signal.aborted; n++) {
      void asked.ask(n, { prompt: `${'word '.repeat(150)}${n} ${NEVER}`, signal: leaving.signal }).catch(() => undefined);
      if (n % 100 === 0) await sleep(5);
    }
    await pollUntil(`${MANY_WAIT} requests wait`, async () => (await waiting()) >= MANY_WAIT, { everyMs: 100, lastSeen: () => seen });
    const after = (await gateway.rss()) ?? Number.NaN;
    return (after - before) / MANY_WAIT / 1024;
  } finally {
    leaving.abort();
    asked.close();
    gateway.close();
    model.close();
  }
}
