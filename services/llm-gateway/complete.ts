import { context } from '@opentelemetry/api';
import type { Message } from '@maw/contracts/contracts.ts';
import { Refusal } from '@maw/games/refusal.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { attribute, span } from '@maw/telemetry/names.ts';
import { inSpan } from '@maw/telemetry/spans.ts';
import { admission } from './admission.ts';
import { attempt, SERVICE } from './attempt.ts';
import { faultOf } from './fault.ts';
import { type Completion, type Job, jobOf, type Outcome, unlessAborted, weightOf } from './job.ts';
import { kept } from './kept.ts';
import { loads } from './load.ts';
import { keyOf } from './model-name.ts';
import type { GatewayOptions } from './options.ts';
import { plain } from './plain.ts';
import { fifo } from './queue.ts';
import type { Model, Server } from './server.ts';
import type { Servers } from './servers.ts';
import { slotBook } from './slots.ts';

export interface Completions {
  /**
   * The answer to a request, which waits for a slot as long as it may. The same id again joins the one that runs, or is answered as before.
   * @throws Refusal late, limited, no-server, unreadable, failed
   * @throws what `signal` was aborted with; when nobody else waits for it, the call is ended
   */
  complete(message: Message<'llm.complete'>, signal: AbortSignal): Promise<Completion>;
  /** The asker of the completion no longer wants it, also when it has not come yet: nothing depends on the order of messages. */
  cancel(id: string, why: string): void;
  /** Servers may have come or gone: begins what can begin, refuses what has waited too long for a server that is down. */
  look(): void;
  /** Slots in use, of one server. */
  busy(server: string): number;
  readonly waiting: number;
  /** Begins no more and ends what is left. */
  close(): void;
}

type Ended = 'done' | 'limited' | 'late' | 'cancelled' | 'invalid' | 'failed';

const LONGEST_TIMER = 2 ** 31 - 1;
const BOUNDS = { most: 5_000, mostWeight: 50_000_000 };

/** Completions from their arrival to their end: the line in front of the slots of the servers. */
export function completions(parts: { servers: Servers; now(): number; log: Log; options: GatewayOptions }): Completions {
  const { servers, now, log, options } = parts;
  const line = fifo<Job>();
  const slots = slotBook();
  const jobs = new Map<string, Job>();
  const answers = kept<Outcome>({ ...BOUNDS, forMs: options.keepMs });
  const admit = admission(servers, options);
  const loading = loads(options);
  let isClosing = false;

  const keyFor = ({ message }: Job): string | undefined => (message.data.model === undefined ? servers.usual() : keyOf(message.data.model));

  function isServed(job: Job): boolean {
    const key = keyFor(job);
    return key !== undefined && servers.all.some(({ isUp, models }) => isUp && models.has(key));
  }

  /** Fills the free slots. */
  function dispatch(): void {
    if (isClosing) return;
    const full = new Set<string | undefined>([undefined]);
    const isFree = (server: Server): boolean => server.isUp && slots.busy(server.name) < server.slots;
    while (servers.all.some(isFree)) {
      let server: Server | undefined;
      const job = line.next((one) => {
        const key = keyFor(one);
        if (full.has(key)) return false;
        server = slots.choose(servers.all, key!);
        if (!server) full.add(key);
        return server !== undefined;
      });
      if (!job || !server) break;
      void context.with(job.context, run, undefined, job, server, server.models.get(keyFor(job)!)!);
    }
    metrics.completionsWaiting.set({ service: SERVICE }, line.size);
  }

  function look(): void {
    dispatch();
    for (const job of jobs.values())
      if (!job.isRunning && now() - job.arrived >= options.patienceMs && !isServed(job))
        end(job, { refusal: new Refusal('no-server', `no server that can do it came up in time: ${servers.report()}`) }, 'failed');
  }

  async function run(job: Job, server: Server, model: Model): Promise<void> {
    const key = keyOf(model.name);
    const give = slots.take(server, key);
    const started = now();
    const queued = Math.max(0, started - job.arrived);
    job.isRunning = true;
    metrics.slotsBusy.set({ server: server.name }, slots.busy(server.name));
    metrics.completionWait.observe({ model: model.name }, queued / 1000);
    try {
      await loading.ready(server, model, job.stop.signal);
      const load = Math.max(0, now() - started);
      const { times, ...chatted } = await attempt(job, server, model, options);
      server.hasUsed(key);
      const took = { queued, ...times, load: load + times.load, total: Math.max(0, now() - job.arrived) };
      end(job, { completion: { ...chatted, server: server.name, times: took } }, 'done', model);
    } catch (error) {
      if (!job.stop.signal.aborted) failed(job, error, server, model);
    } finally {
      give();
      metrics.slotsBusy.set({ server: server.name }, slots.busy(server.name));
      metrics.completionSeconds.observe({ model: model.name, server: server.name }, Math.max(0, now() - started) / 1000);
      dispatch();
    }
  }

  function failed(job: Job, error: unknown, server: Server, model: Model): void {
    const { refusal, outcome, shows, said } = faultOf(error, server.name);
    log.warn(
      { table: job.message.subject, request: job.id, server: server.name, model: model.name, why: refusal.detail },
      'completion failed',
    );
    if (shows === 'down') server.isGone(said);
    if (shows === 'doubtful') void server.check().then(look);
    if (shows === 'model-absent') server.lacks(keyOf(model.name));
    const there = shows === 'model-absent' ? `; there is: ${servers.report()}` : '';
    end(job, { refusal: new Refusal(refusal.reason, refusal.detail + there) }, outcome, model);
  }

  /** Ends a job, wherever it is; the first end counts. */
  function end(job: Job, outcome: Outcome, ended?: Ended, model = modelOf(job)): void {
    if (jobs.get(job.id) !== job) return;
    jobs.delete(job.id);
    line.remove(job.id);
    clearTimeout(job.timer);
    if (ended) metrics.completions.inc({ model: model?.name ?? 'unknown', outcome: ended });
    if (!('lost' in outcome)) answers.put(job.id, outcome, weightOf(outcome), now());
    job.outcome.resolve(outcome);
    if (!('completion' in outcome)) job.stop.abort('refusal' in outcome ? outcome.refusal : outcome.lost);
    metrics.completionsWaiting.set({ service: SERVICE }, line.size);
  }

  /** For a label: a model the servers have, never what a caller may write. */
  function modelOf(job: Job): Model | undefined {
    const key = keyFor(job) ?? '';
    return servers.all.find(({ models }) => models.has(key))?.models.get(key);
  }

  /** Timers may be early, and none is longer than 24 days. */
  function expire(job: Job): void {
    const left = job.deadline - now();
    if (left > 0) {
      job.timer = setTimeout(expire, Math.min(Math.ceil(left), LONGEST_TIMER), job);
      return;
    }
    const where = job.isRunning
      ? 'while the model was at it'
      : isServed(job)
        ? `while it waited for a slot, ${line.size} in line`
        : `while no server that can do it was up: ${servers.report()}`;
    end(job, { refusal: new Refusal('late', `the deadline passed ${where}`) }, 'late');
  }

  function begin(message: Message<'llm.complete'>): Job {
    const arrived = now();
    const deadline = message.replyby === undefined ? arrived + options.longestMs : Date.parse(message.replyby);
    const job = jobOf({ message, arrived, deadline, check: admit.read(message.data) });
    jobs.set(job.id, job);
    const refusal = admit.refusal(message.data, arrived, deadline);
    if (refusal) {
      end(job, { refusal }, refusal.reason === 'limited' || refusal.reason === 'late' ? refusal.reason : 'failed');
      return job;
    }
    expire(job);
    line.add(job);
    dispatch();
    return job;
  }

  async function wait(job: Job, signal: AbortSignal): Promise<Outcome> {
    job.askers++;
    try {
      return await unlessAborted(job.outcome.promise, signal);
    } finally {
      job.askers--;
      if (job.askers === 0) end(job, { lost: new Error('nobody waits for it any more') });
    }
  }

  return {
    complete: (message, signal) => {
      const attributes = { [attribute.table]: message.subject, [attribute.messageId]: message.id };
      return inSpan(SERVICE, span.complete, { attributes }, async () => {
        signal.throwIfAborted();
        if (isClosing) throw new Error('the gateway has closed');
        const outcome = answers.get(message.id, now()) ?? (await wait(jobs.get(message.id) ?? begin(message), signal));
        if ('completion' in outcome) return outcome.completion;
        throw 'refusal' in outcome ? outcome.refusal : outcome.lost;
      });
    },
    cancel(id, why) {
      const refusal = new Refusal('failed', `cancelled: ${plain(why, 200)}`);
      const job = jobs.get(id);
      if (job) end(job, { refusal }, 'cancelled');
      else if (!answers.get(id, now())) answers.put(id, { refusal }, weightOf({ refusal }), now());
    },
    look,
    busy: slots.busy,
    get waiting() {
      return line.size;
    },
    close() {
      isClosing = true;
      loading.close();
      for (const job of jobs.values()) end(job, { lost: new Error('the gateway has closed') });
    },
  };
}
