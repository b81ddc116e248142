import { setTimeout as after } from 'node:timers/promises';
import { contracts } from '@maw/contracts/contracts.ts';
import { Refusal } from '@maw/contracts/refusal.ts';
import { logger } from '@maw/telemetry/log.ts';
import { requestsOf, type InTimeShares, CYCLE_MS, type GameLoad, MEDIAN_MS, type GameRequest, inTimeShares } from './game-load.ts';
import { completions, type Completions } from '@maw/llm-gateway/scheduler/completions.ts';
import { type GatewayOptions, defaultOptions } from '@maw/llm-gateway/defaults.ts';
import { fifo } from './baseline-queues.ts';
import { modelLoads } from '@maw/llm-gateway/servers/model-loads.ts';
import { serverRegistry } from '@maw/llm-gateway/servers/registry.ts';

interface TrialOptions {
  readonly servers: GatewayOptions['servers'];
  readonly load: GameLoad;
  /** Whose turn it is: as the gateway does it, or first come, first served. */
  readonly queue: 'fair' | 'fifo';
  readonly signal: AbortSignal;
}

export interface TrialResult extends InTimeShares {
  /** How many real milliseconds one of the load was, on average. */
  readonly scale: number;
  /** Completions that ended otherwise than in time or too late: none, when nothing else is the matter. */
  readonly failed: number;
}

/** Tokens of an answer of median length. Servers that need 6 ms for one serve it in 60: a fiftieth of the load’s own. */
const MEDIAN_TOKENS = 10;
/** As many as the quotes of a text and one word in it. */
const FEWEST_TOKENS = 3;
const PRACTICE = 160;
const PRACTICE_MS = 60_000;
/** Of how many completions, about, it is seen how fast the servers are now. */
const RECENT = 50;
const NAP_MS = 20;
/** The prompt of every request; long enough to measure its prefill. */
const PROMPT = 'You sit at a table of twelve and play a game of hidden roles. Say what you think of the others, or vote. '.repeat(2);

/**
 * Runs the load on the real scheduler in front of real servers, in scaled real time. The scale follows the measured speed of the servers, so the
 * load stays the same share of their capacity on a slow or busy machine.
 */
export async function runLiveTrial({ servers: given, load, queue, signal }: TrialOptions): Promise<TrialResult> {
  const log = logger('llm-gateway', { level: 'silent' });
  const options = { ...defaultOptions, servers: given, agentRpm: 0, agentConcurrency: 0, replyMs: 0, keepMs: 0, warmUp: false };
  const registry = serverRegistry(options, log, Date.now);
  const loads = modelLoads(options, registry.events);
  const scheduler = completions({ registry, loads, now: Date.now, log, options, queue: queue === 'fifo' ? fifo(false) : undefined });
  try {
    await registry.checkAll();
    const pace = await practise(scheduler, given, signal);
    return await play(scheduler, load, pace, signal);
  } finally {
    scheduler.close();
    await registry.close();
  }
}

/** How fast the servers are now, in real milliseconds for one of the load. */
interface Pace {
  readonly scale: number;
  /** Records the slot time of a completion. */
  seen(slotMs: number, serviceMs: number): void;
}

/** @param gap slot time including the gap to the next completion, as a multiple of the slot time */
function paceOf(first: number, gap: number): Pace {
  let now = first;
  return {
    get scale() {
      return now * gap;
    },
    seen: (slotMs, serviceMs) => void (now += (slotMs / serviceMs - now) / RECENT),
  };
}

async function play(scheduler: Completions, load: GameLoad, pace: Pace, signal: AbortSignal): Promise<TrialResult> {
  const requests = requestsOf(load);
  const met = new Set<string>();
  const under: Promise<void>[] = [];
  const began = Date.now();
  let failed = 0;
  /** The time of the load, and when it was so late. */
  let time = 0;
  let at = began;

  async function wait(until: number): Promise<void> {
    for (;;) {
      const now = Date.now();
      time += (now - at) / pace.scale;
      at = now;
      if (time >= until) return;
      await after(Math.min(NAP_MS, (until - time) * pace.scale), undefined, { signal });
    }
  }

  async function one(request: GameRequest, deadline: number): Promise<void> {
    const end = await ask(scheduler, request, deadline, signal);
    if (typeof end === 'number') {
      met.add(request.id);
      pace.seen(end, request.serviceMs);
    } else if (end === 'failed') failed++;
  }

  for (const request of requests) {
    await wait(request.arrived);
    under.push(one(request, Date.now() + (request.deadline - time) * pace.scale));
  }
  await wait(load.forMs);
  const scale = (Date.now() - began) / load.forMs;
  await Promise.all(under);
  return { ...inTimeShares(requests, load, met), scale, failed };
}

/** Measures the speed of the servers with all slots busy, and the gap between two completions. The first of two rounds is a warm-up. */
async function practise(scheduler: Completions, servers: GatewayOptions['servers'], signal: AbortSignal): Promise<Pace> {
  const slots = servers.reduce((sum, one) => sum + one.slots, 0);
  const requests = requestsOf({ games: 4, greed: 1, forMs: CYCLE_MS, phases: 'apart', seed: 'practice' }).slice(0, PRACTICE);
  // The longest first, so that all slots are busy almost to the end.
  const longest = requests.toSorted((a, b) => b.serviceMs - a.serviceMs);
  const serviceMs = longest.reduce((sum, one) => sum + one.serviceMs, 0);

  async function round(name: string): Promise<{ readonly wholeMs: number; readonly slotMs: number }> {
    const began = Date.now();
    const left = longest.map((one): GameRequest => ({ ...one, id: `${name}/${one.id}`, game: 'practice', urgency: 'talk' }));
    let slotMs = 0;
    // Twice as many callers as slots, so that the queue never runs empty.
    const caller = async (): Promise<void> => {
      for (let one = left.shift(); one; one = left.shift()) {
        const end = await ask(scheduler, one, Date.now() + PRACTICE_MS, signal);
        if (typeof end !== 'number') throw new Error(`the servers did not get through the practice: ${end}`);
        slotMs += end;
      }
    };
    await Promise.all(Array.from({ length: 2 * slots }, caller));
    return { wholeMs: (Date.now() - began) * slots, slotMs };
  }

  await round('new');
  const { wholeMs, slotMs } = await round('known');
  return paceOf(slotMs / serviceMs, Math.max(1, wholeMs / slotMs));
}

/** Requests an answer of the given length, which the scheduler can only estimate from its kind. Returns milliseconds in a slot. */
async function ask(
  scheduler: Completions,
  request: GameRequest,
  deadline: number,
  signal: AbortSignal,
): Promise<number | 'late' | 'failed'> {
  const { id, game, agent, kind, urgency, serviceMs } = request;
  const tokens = Math.max(FEWEST_TOKENS, Math.round((serviceMs / MEDIAN_MS) * MEDIAN_TOKENS));
  const words = Array.from({ length: tokens - 2 }, () => 'aye').join(' ');
  const messages = [
    { role: 'system' as const, content: PROMPT },
    { role: 'user' as const, content: id },
  ];
  const data = { agent, kind, urgency, messages, format: { const: words }, maxTokens: 512 };
  const about = { id, source: 'player', subject: game, at: Date.now(), replyBy: Math.max(Date.now(), deadline) };
  try {
    const { times } = await scheduler.complete(contracts.write('llm.complete', data, about), signal);
    return times.total - times.queued;
  } catch (error) {
    signal.throwIfAborted();
    // One that was cut because there was no time for more is no answer, and late.
    return error instanceof Refusal && (error.reason === 'late' || error.reason === 'invalid-answer') ? 'late' : 'failed';
  }
}
