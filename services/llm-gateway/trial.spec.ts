import { describe, expect, it } from '@jest/globals';
import type { Clock } from '@maw/ollama-sim/engine/clock.ts';
import { type Simulator, startSimulator } from '@maw/ollama-sim/simulator.ts';
import { arrivals, type Came, CYCLE_MS, type Load, MEDIAN_MS, type Request, shares } from './arrivals.ts';
import { never, opening } from './desk.suite.ts';
import { fair, type Line } from './fair.ts';
import type { Job } from './job.ts';
import { fifo } from './ordered.ts';
import { asking, at, eventually } from './rig.suite.ts';
import { trial } from './trial.ts';

const { keep, desk } = opening();

/** Eight games of which one talks four times as often as the others ask for 162 % of the slots there are. */
const load: Load = { games: 8, greed: 4, forMs: 3 * CYCLE_MS, phases: 'apart', seed: 'a' };
const SERVERS = 2;
const SLOTS = 4;
/** An answer of ten tokens takes as long as one of the load does. */
const TOKENS = 10;

/** A clock that stands still until it is told to go on to the next moment for which somebody waits. */
function clockwork(): Clock & { readonly waiting: number; on(): void; next(): number } {
  let now = 1_000_000;
  const waits = new Set<{ readonly until: number; wake(): void }>();
  const next = (): number => Math.min(...[...waits].map(({ until }) => until));
  return {
    now: () => now,
    wall: () => BigInt(Math.round(now * 1e6)),
    wait(ms, signal) {
      if (!(ms > 0) || signal?.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = (): void => {
          waits.delete(one);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const one = { until: now + ms, wake };
        waits.add(one);
        signal?.addEventListener('abort', wake, { once: true });
      });
    },
    get waiting() {
      return waits.size;
    },
    next,
    on() {
      now = Math.max(now, next());
      for (const one of [...waits]) if (one.until <= now) one.wake();
    },
  };
}

/**
 * The load on the real desk, over HTTP in front of simulated servers, in a time that goes on only when nothing is left to do before the next
 * moment: every completion that has a slot is at its server and waits there for the clock. So it does not depend on how fast the machine is.
 */
async function tried(kind: 'fair' | 'fifo'): Promise<Came & { readonly failed: number }> {
  const clock = clockwork();
  const sims: Simulator[] = [];
  for (let seed = 1; seed <= SERVERS; seed++)
    sims.push(keep(await startSimulator({ seed, slots: SLOTS, decodeMsPerToken: MEDIAN_MS / TOKENS, prefillMsPerToken: 0.1, clock })));
  let atWork = 0;
  const line: Line<Job> = kind === 'fair' ? fair() : fifo(false);
  const { start } = line;
  line.start = (...about) => {
    const settle = start(...about);
    atWork++;
    return (tookMs) => (atWork--, settle(tookMs));
  };
  const gateway = await desk(
    { servers: sims.map(({ url }) => at(url, SLOTS)), graceMs: 0, replyMs: 0, keepMs: 0 },
    { now: clock.now, line },
  );
  const requests = arrivals(load);
  const met = new Set<string>();
  const ends: Promise<void>[] = [];
  let failed = 0;
  const beganAt = clock.now();

  async function one({ id, game, agent, kind: of, urgency, serviceMs, deadline }: Request): Promise<void> {
    const words = Array.from({ length: Math.max(1, Math.round((serviceMs / MEDIAN_MS) * TOKENS) - 2) }, () => 'aye').join(' ');
    const replyBy = beganAt + deadline;
    const asked = asking(id, { id, agent, kind: of, urgency, format: { const: words }, maxTokens: 512, replyBy });
    try {
      await gateway.complete({ ...asked, subject: game }, never);
      if (clock.now() <= replyBy) met.add(id);
    } catch (error) {
      const { reason } = error as { reason?: string };
      // One that was cut because there was no time for more is no answer, and late.
      if (reason !== 'late' && reason !== 'invalid-answer') failed++;
    }
  }

  const working = (): number => sims.reduce((sum, one) => sum + one.state().open, 0);
  let come = 0;
  for (;;) {
    await eventually('every completion with a slot to be at its server', () => {
      return atWork === gateway.turns.busyInAll() && atWork === working() && atWork === clock.waiting;
    });
    const arrival = requests[come];
    if (!arrival && !clock.waiting) break;
    if (!arrival || beganAt + arrival.arrived > clock.next()) clock.on();
    else {
      clock.skipTo(beganAt + arrival.arrived);
      ends.push(one(arrival));
      come++;
    }
  }
  await Promise.all(ends);
  return { ...shares(requests, load, met), failed };
}
