import type { Message } from '@maw/contracts/contracts.ts';
import { Refusal } from '@maw/contracts/refusal.ts';
import type { BudgetUsage } from '@maw/store/ports/budget-usage.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { type Admission, admission } from '../admission/admission.ts';
import { ClientDisconnected } from '../client-disconnected.ts';
import { type Books, booksOf } from '../admission/budget-sync.ts';
import { afterFailure, dispatch, type Dispatch, type Ended } from './dispatch.ts';
import type { FairQueue } from './fair-queue.ts';
import type { DebugCounters } from '../debug-counters.ts';
import {
  type ModelAnswer,
  type RequestMessage,
  type Completion,
  type Embedding,
  type Job,
  jobOf,
  type Outcome,
  unlessAborted,
  weightOf,
} from '../request.ts';
import { kept } from './lru-cache.ts';
import { showDebts } from './telemetry/queue-metrics.ts';
import type { GatewayOptions } from '../options.ts';
import { sanitizeText } from '../sanitize-text.ts';
import type { Recorder, Replay } from '../recording/recording.ts';
import { countEnd } from './telemetry/request-metrics.ts';
import { inRequestSpan } from './telemetry/request-span.ts';
import type { Model } from '../servers/server.ts';
import type { Servers } from '../servers/registry.ts';

export interface Completions {
  /**
   * The answer to a request, which waits for a slot as long as it may, and no longer than any may. The same id again joins the one that runs, or
   * is answered as before.
   * @param account on which its slot time goes; its game’s unless told
   * @throws Refusal late, limited, no-server, unreadable, failed
   * @throws what `signal` was aborted with; when nobody else waits for it, the call is ended
   */
  complete(message: Message<'llm.complete'>, signal: AbortSignal, hear?: (piece: string) => void, account?: string): Promise<Completion>;
  /** The vectors of some texts; otherwise as `complete`. */
  embed(message: Message<'llm.embed'>, signal: AbortSignal): Promise<Embedding>;
  /** The asker of the completion no longer wants it, also when it has not come yet: nothing depends on the order of messages. */
  cancel(id: string, why: string): void;
  /** How the completion ended is kept no longer: whoever asks with its id again is answered anew. */
  forget(id: string): void;
  /** Servers may have come or gone: begins what can begin, refuses what has waited too long for a server that is down. */
  look(): void;
  /** Slots in use, of one server. */
  busy(server: string): number;
  inside(): DebugCounters;
  readonly turns: Dispatch;
  readonly admission: Admission;
  /** The ledger of budgets, when there is one. It is closed after all else. */
  readonly books: Books | undefined;
  readonly waiting: number;
  /** Begins no more and ends what is left. */
  close(): void;
}

const LONGEST_TIMER = 2 ** 31 - 1;
const BOUNDS = { most: 5_000, mostWeight: 50_000_000 };

interface Parts {
  readonly servers: Servers;
  now(): number;
  readonly log: Log;
  readonly options: GatewayOptions;
  /** Keeps how completions end; without it nothing does. */
  readonly recorder?: Recorder | undefined;
  /** Answers instead of the servers: nobody waits for a slot, and no limit is of use. */
  readonly replay?: Replay | undefined;
  /** Where it lies what was used of budgets; without it that is forgotten with the process. */
  readonly ledger?: BudgetUsage | undefined;
  /** As for `dispatch`. */
  readonly line?: FairQueue<Job> | undefined;
}

/** Completions from their arrival to their end: the line in front of the slots of the servers. */
export function completions({ servers, now, log, options, recorder, replay, ledger, line }: Parts): Completions {
  const jobs = new Map<string, Job>();
  const keeping = new WeakMap<Outcome, Promise<void>>();
  const answers = kept<Outcome>({ ...BOUNDS, forMs: options.keepMs });
  const books: Books | undefined = ledger && !replay ? booksOf({ ledger, budgets: () => admit.budgets, log, now }) : undefined;
  const admit: Admission = admission(servers, options, books?.spend);
  const turns = dispatch({ servers, now, log, options, end, line });
  const hideDebts = showDebts(admit, now);
  let isClosing = false;

  function isServed(job: Job): boolean {
    const key = turns.keyFor(job);
    return key !== undefined && turns.able(key).length > 0;
  }

  function look(): void {
    turns.fill();
    const at = now();
    for (const job of jobs.values()) {
      if (job.isRunning || isServed(job)) job.unservedSince = undefined;
      else if (at - (job.unservedSince ??= at) >= options.patienceMs) {
        const why = `no server that can do it came up in time: ${servers.report()}${afterFailure(job)}`;
        end(job, { refusal: new Refusal('no-server', why) }, 'failed');
      }
    }
  }

  /** Ends a job, wherever it is; the first end counts. */
  function end(job: Job, outcome: Outcome, ended?: Ended, model = modelOf(job)): void {
    if (jobs.get(job.id) !== job) return;
    jobs.delete(job.id);
    turns.remove(job);
    clearTimeout(job.timer);
    const at = (job.endedAt = now());
    job.settle(job.usedTokens, at);
    if (ended) countEnd(job, ended, model?.name ?? 'unknown', at);
    // A cancellation is for whoever no longer listens: it is made again when it is played again.
    if (recorder && ended && ended !== 'cancelled') keeping.set(outcome, recorder.keep(job.message, job.arrived, outcome));
    if (!('lost' in outcome)) answers.put(job.id, outcome, weightOf(outcome), at);
    job.outcome.resolve(outcome);
    if (!('answer' in outcome)) job.stop.abort('refusal' in outcome ? outcome.refusal : outcome.lost);
  }

  /** For a label: a model the servers have, never what a caller may write. */
  function modelOf(job: Job): Model | undefined {
    const key = turns.keyFor(job) ?? '';
    return servers.all.find(({ models }) => models.has(key))?.models.get(key);
  }

  /** Timers may be early, and none is longer than 24 days. */
  function expire(job: Job): void {
    const left = job.deadline - now();
    if (left > 0) {
      job.timer = setTimeout(expire, Math.min(Math.ceil(left), LONGEST_TIMER), job);
      return;
    }
    const where = replay
      ? 'while the recording was read'
      : job.isRunning
        ? `while the model was ${job.isSent ? 'at it' : 'on its way into memory'}`
        : isServed(job)
          ? `while it waited for a slot, ${turns.line.size} in line`
          : `while no server that can do it was up: ${servers.report()}`;
    end(job, { refusal: new Refusal('late', `the deadline passed ${where}${afterFailure(job)}`) }, 'late');
  }

  function begin(message: RequestMessage, hear?: (piece: string) => void, account?: string): Job {
    const arrived = now();
    const latest = arrived + options.maxRequestMs;
    const deadline = message.replyby === undefined ? latest : Math.min(latest, Date.parse(message.replyby));
    const job = jobOf({ message, arrived, deadline, hear, account });
    if (replay) {
      job.check = admit.read(message);
      jobs.set(job.id, job);
      job.isRunning = job.isReplayed = true;
      void replay.answer(message).then((outcome) => end(job, outcome, 'answer' in outcome ? 'done' : 'failed'));
      expire(job);
      return job;
    }
    jobs.set(job.id, job);
    const door = admit.admit(message, arrived, deadline, turns.tokensFor(job));
    if ('refusal' in door) {
      const { refusal } = door;
      end(job, { refusal }, refusal.reason === 'limited' || refusal.reason === 'late' ? refusal.reason : 'failed');
      return job;
    }
    job.settle = door.settle;
    try {
      job.check = admit.read(message); // after the limits: a schema costs more to compile than anything else here
    } catch (error) {
      jobs.delete(job.id);
      job.settle(0, arrived);
      throw error;
    }
    job.isLetIn = true;
    if (!isServed(job)) job.unservedSince = arrived;
    expire(job);
    if (jobs.get(job.id) === job) turns.add(job);
    return job;
  }

  async function wait(job: Job, signal: AbortSignal): Promise<Outcome> {
    job.askers++;
    try {
      return await unlessAborted(job.outcome.promise, signal);
    } finally {
      job.askers--;
      if (job.askers === 0 && jobs.get(job.id) === job) {
        const hasLeft = signal.reason instanceof ClientDisconnected; // otherwise another gateway may go on with it
        end(job, { lost: new Error('nobody waits for it any more') }, hasLeft ? 'cancelled' : undefined);
      }
    }
  }

  function ask(message: RequestMessage, signal: AbortSignal, hear?: (piece: string) => void, account?: string): Promise<ModelAnswer> {
    return inRequestSpan(message, { signal, now, modelOf }, async (own) => {
      signal.throwIfAborted();
      const behind = books?.known();
      if (behind) await unlessAborted(behind, signal);
      if (isClosing) throw new Error('the gateway has closed');
      const outcome = answers.get(message.id, now()) ?? (await wait(jobs.get(message.id) ?? own(begin(message, hear, account)), signal));
      await keeping.get(outcome); // what somebody has heard is in the recording
      if ('answer' in outcome) return outcome.answer;
      throw 'refusal' in outcome ? outcome.refusal : outcome.lost;
    });
  }

  return {
    complete: (message, signal, hear, account) => ask(message, signal, hear, account) as Promise<Completion>,
    embed: (message, signal) => ask(message, signal) as Promise<Embedding>,
    cancel(id, why) {
      const refusal = new Refusal('failed', `cancelled: ${sanitizeText(why, 200)}`);
      const job = jobs.get(id);
      if (job) end(job, { refusal }, 'cancelled');
      else if (!answers.get(id, now())) answers.put(id, { refusal }, weightOf({ refusal }), now());
    },
    forget: answers.drop,
    look,
    busy: turns.busy,
    inside() {
      const { counted, reserved, agents, budgets, refused } = admit.inside();
      const { accounts, warm, speeds, ...inHand } = turns.inside();
      return {
        inHand: { completions: jobs.size, ...inHand, counted, reserved },
        remembered: { outcomes: answers.size, accounts, warm, agents, budgets, refused, speeds },
      };
    },
    turns,
    admission: admit,
    books,
    get waiting() {
      return turns.line.size;
    },
    close() {
      isClosing = true;
      turns.close();
      hideDebts();
      for (const job of jobs.values()) end(job, { lost: new Error('the gateway has closed') });
    },
  };
}
