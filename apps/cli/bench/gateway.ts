import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { type Figure, quantile } from './figures.ts';
import type { Alone } from './gateway-alone.ts';
import type { BenchOptions } from './run.ts';
import type { SlowModel } from './slow-model.ts';

const AT_ONCE = [1, 16, 64, 256] as const;
const ANSWER_MS = 20;
/** At which the processor time is told, and what tracing costs. */
const USUAL = 64;
const WARM_MS = 1_000;
const FOR_MS = 4_000;
/** How often each is measured for nothing before the first run. */
const NEW = 3;
const ABORTS = 40;
const KEY = 'a-key-of-the-benchmark';
const GAMES = 32;
const NEVER = 'never';

const PROMPT = 'You sit at a table of twelve. '.repeat(25);
const FORMAT = { type: 'object', properties: { vote: { enum: ['Ada', 'Bo'] } }, required: ['vote'], additionalProperties: false };

/** Somebody who answers: the model server itself, or the gateway in front of it. */
interface Asked {
  readonly url: string;
  bodyOf(asker: number, prompt: string): string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * What the gateway adds to a model server that answers after 20 ms, by HTTP, with schedule, limits, budgets, schemas and metrics on: one process
 * each for the model server, the gateway and whoever asks. A plain proxy at the same time says how fast the machine is.
 */
export async function gatewayCost({ runs, signal, say }: BenchOptions): Promise<readonly Figure[]> {
  const figures = new Map<string, Figure & { readonly runs: number[] }>();
  const note = (what: string, unit: string, n: number): void => {
    const figure = figures.get(what) ?? { what, unit, runs: [] };
    figures.set(what, figure);
    figure.runs.push(n);
  };
  const model = await started('slow-model.ts', JSON.stringify({ answerMs: ANSWER_MS, never: NEVER } satisfies SlowModel));
  const of = (isTraced: boolean) => started('gateway-alone.ts', JSON.stringify({ model: model.url, key: KEY, isTraced } satisfies Alone));
  const [proxy, plain, traced] = [await started('plain-proxy.ts', model.url), await of(false), await of(true)];
  try {
    // The first thousands of requests cost several times as much as all later ones, until their code is compiled.
    for (const asked of [directTo(proxy.url), through(plain.url), through(traced.url)])
      for (let n = 0; n < NEW; n++) await load(asked, USUAL, signal);
    for (let run = 0; run < runs && !signal.aborted; run++) {
      for (const atOnce of AT_ONCE) {
        const direct = await load(directTo(model.url), atOnce, signal);
        const least = await measured(proxy, directTo(proxy.url), atOnce, signal);
        const ours = await measured(plain, through(plain.url), atOnce, signal);
        const name = `${atOnce} at once`;
        note(`${name}, nothing in between`, 'requests/s', direct.rate);
        const between = { 'plain proxy': least, 'gateway': ours };
        const all =
          atOnce === USUAL ? { ...between, 'gateway, all traced': await measured(traced, through(traced.url), atOnce, signal) } : between;
        for (const [what, came] of Object.entries(all)) {
          note(`${name}, ${what}: added p50`, 'ms', quantile(came.ms, 0.5) - quantile(direct.ms, 0.5));
          note(`${name}, ${what}: added p99`, 'ms', quantile(came.ms, 0.99) - quantile(direct.ms, 0.99));
          note(`${name}, ${what}`, 'requests/s', came.rate);
          note(`${name}, ${what}: processor time`, 'us/request', came.cpuUs);
        }
      }
      const left = await aborted(plain.url, model.url, signal);
      note('an asker leaves: until the model server knows, p50', 'ms', quantile(left, 0.5));
      note('an asker leaves: until the model server knows, the longest', 'ms', Math.max(...left));
      say(`run ${run + 1} of ${runs} is done`);
    }
    return [...figures.values()];
  } finally {
    for (const one of [proxy, plain, traced, model]) one.process.disconnect();
  }
}

interface Child {
  readonly url: string;
  readonly process: ChildProcess;
}

async function started(file: string, given: string): Promise<Child> {
  const child = fork(new URL(file, import.meta.url), [given], {
    execArgv: ['--no-warnings'],
    serialization: 'json',
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${file} ended with ${String(code)}`);
  });
  ended.catch(() => undefined);
  const [{ url }] = (await Promise.race([once(child, 'message'), ended])) as [{ url: string }];
  return { url, process: child };
}

async function measured(child: Child, asked: Asked, atOnce: number, signal: AbortSignal) {
  const cpu = async (): Promise<number> => {
    const told = once(child.process, 'message');
    child.process.send('cpu');
    const [{ user, system }] = (await told) as [NodeJS.CpuUsage];
    return user + system;
  };
  let before = 0;
  const came = await load(asked, atOnce, signal, async () => void (before = await cpu()));
  return { ...came, cpuUs: ((await cpu()) - before) / came.ms.length };
}

const directTo = (url: string): Asked => ({
  url: `${url}/api/chat`,
  headers: {},
  bodyOf: (_, prompt) =>
    JSON.stringify({
      model: 'slow',
      stream: false,
      format: FORMAT,
      messages: [{ role: 'user', content: prompt }],
      options: { num_predict: 64 },
    }),
});

const through = (url: string): Asked => ({
  url: `${url}/v1/llm/complete`,
  headers: { authorization: `Bearer ${KEY}` },
  bodyOf: (asker, prompt) => {
    const game = `game-${asker % GAMES}`;
    return JSON.stringify({
      agent: `${game}:${asker}`,
      game,
      kind: 'bench',
      format: FORMAT,
      messages: [{ role: 'user', content: prompt }],
      maxTokens: 64,
    });
  },
});

/** So many askers, each with one request after the other. @param warmed called when it is measured from now on */
async function load(asked: Asked, atOnce: number, signal: AbortSignal, warmed = async (): Promise<void> => undefined) {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const ms: number[] = [];
  let until = performance.now() + WARM_MS;
  const all = async (kept?: number[]): Promise<void> => {
    const one = async (asker: number): Promise<void> => {
      while (performance.now() < until && !signal.aborted) {
        const began = performance.now();
        await post(asked, asked.bodyOf(asker, PROMPT), { agent });
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
  agent.destroy();
  signal.throwIfAborted();
  return { ms, rate: ms.length / seconds };
}

/** @throws Error when it is answered with anything but 200 */
function post({ url, headers }: Asked, body: string, more: { readonly agent?: Agent; readonly signal?: AbortSignal }): Promise<void> {
  return new Promise((resolve, reject) => {
    const length = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request(url, { method: 'POST', headers: { ...headers, ...length }, ...more }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => void (text += piece));
      response.on('end', () => (response.statusCode === 200 ? resolve() : reject(new Error(`${response.statusCode}: ${text}`))));
      response.on('error', reject);
    });
    sent.on('error', reject).end(body);
  });
}

/** Has askers leave while the model is at work, and returns how many milliseconds later each of their calls was closed there. */
async function aborted(gateway: string, model: string, signal: AbortSignal): Promise<readonly number[]> {
  const out: number[] = [];
  for (let n = 0; n < ABORTS && !signal.aborted; n++) {
    const leaving = new AbortController();
    const asked = through(gateway);
    const answer = post(asked, asked.bodyOf(n, `${n} ${NEVER}`), { signal: leaving.signal }).catch(() => undefined);
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
  return out;
}
