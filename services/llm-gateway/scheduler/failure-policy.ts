import { Refusal } from '@maw/contracts/refusal.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { type Fault, faultOf } from '../providers/fault.ts';
import type { Job } from '../request.ts';
import { keyOf } from '../model-name.ts';
import type { Prospects } from './feasibility.ts';
import { type Again, MOST_ELSEWHERE, MOST_REPAIRS, retryBudget, WORTH } from './retry-budget.ts';
import type { Model, Server } from '../servers/server.ts';
import type { Servers } from '../servers/registry.ts';

/** What becomes of a job whose attempt has failed: it is tried again, or this is its end. */
export type Fate =
  { readonly again: Exclude<Again, 'never'> } | { readonly refusal: Refusal; readonly ended: 'late' | 'invalid' | 'failed' };

export interface Rescue {
  /** A new job has come: it brings its share of what may be tried again. */
  arrived(): void;
  /** What a failed attempt says of the server, and what becomes of its job. */
  after(job: Job, error: unknown, server: Server, model: Model): Fate;
  /** A call that was given up says something of the server all the same. */
  isStuck(job: Job, server: Server, model: Model): void;
  readonly wakes: number;
  close(): void;
}

/** @param wake something that rested may be tried again */
export function rescue(parts: { servers: Servers; prospects: Prospects; now(): number; log: Log; wake(): void }): Rescue {
  const { servers, prospects, now, log, wake } = parts;
  const retries = retryBudget();
  const timers = new Map<string, NodeJS.Timeout>();
  let isClosed = false;

  /** Wakes whoever waits once the server, or the model on it, has rested. Timers may be early, and a rest may have become longer. */
  function wakeAfter(server: Server, key: string): void {
    if (isClosed) return;
    const name = `${server.name} ${key}`;
    const until = server.restsUntil(key);
    clearTimeout(timers.get(name));
    timers.delete(name);
    if (until === undefined) return wake();
    timers.set(
      name,
      setTimeout(() => wakeAfter(server, key), Math.max(1, until - now())),
    );
  }

  function blame(job: Job, server: Server, key: string, { blames, openMs }: Pick<Fault, 'blames' | 'openMs'>): void {
    if (blames === 'nobody' && openMs === undefined) return server.nothing(key, job);
    server.failed(blames === 'model' ? 'model' : 'server', key, job, openMs);
    if (server.restsUntil(key) !== undefined) wakeAfter(server, key);
  }

  /** Whether there is somebody and some time left to try again, and not too much is tried again already. */
  function mayTryAgain(job: Job, server: Server, key: string, { again }: Fault): boolean {
    if (again === 'never' || job.isHeard) return false; // what somebody has heard cannot be taken back
    let wanted = 0;
    if (again === 'repaired') {
      if (job.repairs >= MOST_REPAIRS) return false;
      wanted = prospects.leastMs(job, key);
    } else {
      if (job.failedOn.size >= MOST_ELSEWHERE) return false;
      const others = prospects.able(key).filter((one) => one !== server && one.mayRun(key));
      if (!others.length && again === 'elsewhere') return false;
      const restMs = others.length ? 0 : Math.max(0, (server.restsUntil(key) ?? 0) - now());
      wanted = restMs + prospects.leastMs(job, key, others.length ? others : [server]);
    }
    return job.deadline - now() > WORTH * wanted && retries.spend();
  }

  return {
    arrived: retries.arrived,

    after(job, error, server, model) {
      const key = keyOf(model.name);
      if (error instanceof Refusal) {
        server.nothing(key, job);
        return { refusal: error, ended: 'late' };
      }
      const fault = faultOf(error, server.name);
      const { refusal, shows, said, again } = fault;
      log.warn(
        { table: job.message.subject, request: job.id, server: server.name, model: model.name, why: refusal.detail, said, again },
        'attempt failed',
      );
      job.failure = refusal.detail;
      blame(job, server, key, fault);
      if (shows === 'down') server.isGone(said);
      if (shows === 'doubtful') void server.check().then(wake);
      if (shows === 'model-absent') server.lacks(key);
      if (again !== 'never' && mayTryAgain(job, server, key, fault)) {
        metrics.retries.inc({ model: model.name, why: again });
        if (again === 'repaired') {
          job.repairs++;
          job.complaint = { said: fault.answer ?? '', wrong: fault.answer === undefined ? '' : said };
        } else job.failedOn.add(server.name);
        return { again };
      }
      const there = shows === 'model-absent' ? `; there is: ${servers.report()}` : '';
      return { refusal: new Refusal(refusal.reason, refusal.detail + there), ended: fault.outcome };
    },

    isStuck(job, server, model) {
      blame(job, server, keyOf(model.name), { blames: 'model' });
    },
    get wakes() {
      return timers.size;
    },
    close() {
      isClosed = true;
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
