import { context } from '@opentelemetry/api';
import { Refusal } from '@maw/contracts/refusal.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { attempt } from './attempt.ts';
import { slotBook } from './server-selection.ts';
import { demand } from './demand.ts';
import { estimates } from './estimates.ts';
import { fairQueue, type FairQueue } from './fair-queue.ts';
import { holds } from './slot-grace.ts';
import type { Job, Outcome } from '../request.ts';
import { lastServers } from './affinity.ts';
import { loads } from '../servers/model-loads.ts';
import { keyOf } from '../model-name.ts';
import type { GatewayOptions } from '../options.ts';
import { prospects as prospectsOf } from './feasibility.ts';
import { rescue as rescueOf } from './failure-policy.ts';
import { runMeasures } from './telemetry/attempt-metrics.ts';
import type { Model, Server } from '../servers/server.ts';
import type { Servers } from '../servers/registry.ts';

export type Ended = 'done' | 'limited' | 'late' | 'dropped' | 'cancelled' | 'invalid' | 'failed';

interface Parts {
  readonly servers: Servers;
  now(): number;
  readonly log: Log;
  readonly options: GatewayOptions;
  /** Whose turn it is; fair to games unless another one is tried out. */
  readonly line?: FairQueue<Job> | undefined;
  /** A completion has ended; the first end counts. */
  end(job: Job, outcome: Outcome, ended: Ended, model?: Model): void;
}

export type Dispatch = ReturnType<typeof dispatch>;

/** A job is dropped when so many times what it is expected to take no longer fits: less patience when there is more work than slots. */
const PATIENCE = { calm: 1, crowded: 1.5 };
const CROWDED = 0.9;
/** Whoever is lost is found at the latest when its turn comes; all of the line are looked at so often, in milliseconds. */
const SWEEP_MS = 100;

/**
 * The line in front of the slots of the servers: whose turn it is, where it runs, and what is done when that fails. Work conserving: no slot
 * is free while a job waits that could use it.
 */
export function dispatch({ servers, now, log, options, end, line = fairQueue() }: Parts) {
  const slots = slotBook();
  const guesses = estimates();
  const wanted = demand();
  const loading = loads(options, fill);
  const prospects = prospectsOf({ servers, guesses, now, options });
  const rescue = rescueOf({ servers, prospects, now, log, wake: fill });
  const held = holds((server) => {
    tell(server);
    fill();
  });
  const warm = lastServers();
  let isClosing = false;
  let sweptAt = -Infinity;
  const measures = runMeasures({ servers, line, now });
  // It is up before it has said what it has in memory, which may take long; others who heed it are told first.
  servers.heed({ came: () => queueMicrotask(fill), gone: guesses.forget });

  const keyFor = ({ message }: Job): string | undefined => (message.data.model === undefined ? servers.usual() : keyOf(message.data.model));
  const slotsInAll = (): number => servers.all.reduce((sum, one) => sum + (one.isUp && !one.isDraining ? one.slots : 0), 0);
  const busyInAll = (): number => servers.all.reduce((sum, one) => sum + slots.busy(one.name), 0);
  const tell = (server: string): void => servers.uses(server, slots.busy(server));

  /** Models, and the servers that are avoided with them. The default one has a name of its own: which it is may change while they wait. */
  const laneOf = ({ message, failedOn }: Job): string =>
    [message.data.model === undefined ? '' : keyOf(message.data.model), ...failedOn].join(' ');

  const wishOf = (job: Job, model: string) => ({
    model,
    warm: warm.of(job.message.subject),
    avoid: job.failedOn,
    pace: (server: string) => guesses.pace(model, server),
    isComing: (server: string) => loading.isGoing(server, model),
  });

  /** Whether somebody cannot be served in time any more, as it is now. */
  function lost(): (job: Job) => boolean {
    const at = now();
    const patience = wanted.utilisation(at, slotsInAll()) >= CROWDED ? PATIENCE.crowded : PATIENCE.calm;
    return (job) => {
      const left = job.deadline - at;
      const key = keyFor(job);
      return left <= 0 || (key !== undefined && left < patience * prospects.leastMs(job, key));
    };
  }

  /** Takes out of the line whoever is lost. */
  function sweep(isLost: (job: Job) => boolean): void {
    const at = now();
    if (at >= sweptAt && at - sweptAt < SWEEP_MS) return;
    sweptAt = at;
    for (const job of line.drop(isLost)) drop(job);
  }

  function drop(job: Job): void {
    const key = keyFor(job);
    const least = key === undefined ? 0 : Math.round(prospects.leastMs(job, key));
    const why = `about ${least} ms are wanted, ${Math.max(0, job.deadline - now())} ms are left, and no slot was free before`;
    end(job, { refusal: new Refusal('late', `${why}${afterFailure(job)}`) }, 'dropped');
  }

  /** Fills the free slots. */
  function fill(): void {
    if (isClosing) return;
    /** What cannot run now. */
    const full = new Set<string>();
    let isLost: ((job: Job) => boolean) | undefined;
    while (line.size && servers.all.some((one) => one.isUp && slots.busy(one.name) < one.slots)) {
      if (!isLost) sweep((isLost = lost()));
      const chosen = (job: Job, key: string): Server | undefined => slots.choose(servers.all, wishOf(job, key));
      const job = line.next((one) => {
        const key = keyFor(one);
        if (key === undefined || full.has(one.lane)) return false;
        if (chosen(one, key)) return true;
        full.add(one.lane);
        return false;
      });
      if (!job) break;
      if (isLost(job)) {
        drop(job);
        continue;
      }
      const key = keyFor(job);
      const server = key !== undefined && chosen(job, key); // several were looked at: the place of the one that was taken
      if (!server) break;
      void context.with(job.context, run, undefined, job, server, server.models.get(key!)!);
    }
  }

  /** One attempt, from a free slot to a free slot. */
  async function run(job: Job, server: Server, model: Model): Promise<void> {
    const key = keyOf(model.name);
    const give = slots.take(server, key);
    const expectedMs = guesses.expect(key, job.size, server.name).slotMs;
    const settle = line.start(job.game, expectedMs);
    const started = now();
    /** When it went to the server; undefined while the model is loaded for it. */
    let sent: number | undefined;
    let holdMs = 0;
    let again: 'spoilt' | 'wrong' | undefined;
    let failure: unknown;
    Object.assign(job, { isRunning: true, isSent: false, hasBegun: false, begunAt: undefined, server });
    job.attempts++;
    server.tried(key, job);
    tell(server.name);
    measures.began(job, server, model, warm.of(job.message.subject), started);
    const slotMs = (): number => (sent === undefined ? 0 : now() - sent);
    try {
      await loading.ready(server, model, job.stop.signal);
      const maxTokens = prospects.fittingTokens(job, key, server.name);
      const at = (sent = now());
      job.isSent = true;
      const { tokens, times, answer } = await attempt(job, server, model, { ...options, maxTokens, now });
      server.passed(key, job);
      server.hasUsed(key);
      const took = { promptTokens: tokens.prompt, prefillMs: times.prefill, outputTokens: tokens.completion, decodeMs: times.decode };
      guesses.learn(key, server.name, job.size.kind, took, now());
      measures.answered(job, server, model, { tokens, times, expectedMs }, at);
      held.moved(server.name);
      warm.note(job.message.subject, server.name);
      const spent = { queued: Math.max(0, started - job.arrived), ...times, load: at - started + times.load, total: now() - job.arrived };
      const about = { server: server.name, times: spent, attempts: job.attempts, repaired: job.repairs > 0 };
      end(job, { answer: answer(about) }, 'done', model);
    } catch (error) {
      if (job.stop.signal.aborted) {
        if (sent !== undefined) holdMs = prospects.graceMs(job, key, server.name, slotMs());
        if (sent !== undefined && prospects.isStuck(job, key, server.name, slotMs())) rescue.isStuck(job, server, model);
        else server.nothing(key, job);
      } else {
        failure = error;
        if (sent !== undefined) held.moved(server.name);
        const fate = rescue.after(job, error, server, model);
        if ('refusal' in fate) end(job, { refusal: fate.refusal }, fate.ended, model);
        else again = fate.again === 'repaired' ? 'wrong' : 'spoilt';
      }
    } finally {
      settle(again === 'spoilt' ? 0 : slotMs()); // what a server has spoilt is not on the game’s account: the next attempt is
      if (again === 'wrong') warm.note(job.message.subject, server.name);
      if (again) line.add(Object.assign(job, { isRunning: false, rank: -1, lane: laneOf(job) }));
      // Before the slot is free: a server that was removed goes away then, and its measures with it.
      const wasted = measures.ended(job, server, model, now(), sent, failure);
      if (holdMs > 0) held.keep(server.name, measures.kept(wasted, give), holdMs);
      else give();
      tell(server.name);
      fill();
    }
  }

  return {
    keyFor,
    fill,
    /** A new completion stands in the line; begins at once when it can. */
    add(job: Job): void {
      const key = keyFor(job);
      rescue.arrived();
      wanted.asked(now(), job.game, key === undefined ? 0 : guesses.expect(key, job.size).slotMs);
      job.lane = laneOf(job);
      line.add(job);
      fill();
    },
    remove: (job: Job): void => void line.remove(job.id),
    line,
    /** Brings a model into the memory of a server for those to come. As for `Loads.ready`. */
    warm: loading.ready,
    isComing: loading.isGoing,
    busy: slots.busy,
    pace: guesses.pace,
    able: prospects.able,
    /** How many tokens a job is expected to use. */
    tokensFor(job: Job): number {
      const key = keyFor(job);
      return job.size.promptTokens + Math.ceil(key === undefined ? job.size.maxTokens : guesses.expect(key, job.size).outputTokens);
    },
    /** How busy the pool is, and how many more games fit. */
    capacity() {
      const at = now();
      const all = slotsInAll();
      return { utilisation: wanted.utilisation(at, all), active: wanted.active(at), more: wanted.more(at, all) };
    },
    /** Slots in use, of all servers. */
    busyInAll,
    inside: () => ({
      waiting: line.size,
      running: line.games().reduce((sum, { running }) => sum + running, 0),
      slots: busyInAll(),
      held: held.size,
      loads: loading.size,
      wakes: rescue.wakes,
      accounts: line.games().length,
      warm: warm.size,
      speeds: guesses.size,
    }),
    close(): void {
      isClosing = true;
      measures.close();
      loading.close();
      rescue.close();
      held.close();
    },
  };
}

/** What went wrong before, for the end of a refusal. */
export const afterFailure = ({ failure }: Job): string => (failure === undefined ? '' : `; before that, ${failure}`);
