import { Refusal } from '@maw/contracts/refusal.ts';
import { metrics, onCollect } from '@maw/telemetry/metrics.ts';
import type { BreakerState } from '../../servers/circuit-breaker.ts';
import type { FairQueue } from '../fair-queue.ts';
import { InvalidAnswer } from '../../providers/fault.ts';
import { type Job, operationOf } from '../../request.ts';
import { showLine } from './queue-metrics.ts';
import { keyOf } from '../../model-name.ts';
import { prefixes } from './prefix-cache.ts';
import type { Model, Server } from '../../servers/server.ts';
import type { Servers } from '../../servers/registry.ts';

type Wasted = 'cut' | 'cancelled' | 'failed' | 'invalid';

/** What came of a call, as far as it is measured. Times in milliseconds. */
interface Told {
  readonly tokens: { readonly prompt: number; readonly completion: number };
  readonly times: { readonly load: number; readonly prefill: number; readonly decode: number };
  /** What it was expected to take, from its sending to its end. */
  readonly expectedMs: number;
}

/** What `/metrics` says of the runs of jobs: one attempt each, from a free slot to a free slot. Times since the epoch, in milliseconds. */
export interface RunMeasures {
  /** A job has a slot. @param warm the server its game was at work on before */
  began(job: Job, server: Server, model: Model, warm: string | undefined, at: number): void;
  /** The server has answered what was sent at `sentAt`, and as it was asked to. */
  answered(job: Job, server: Server, model: Model, told: Told, sentAt: number): void;
  /**
   * The job gives up its slot. @param sentAt undefined when nothing was sent @param failure what it failed with; undefined when it was
   * answered, or told to stop
   * Returns why the slot time was wasted; undefined when somebody got the answer.
   */
  ended(job: Job, server: Server, model: Model, at: number, sentAt: number | undefined, failure: unknown): Wasted | undefined;
  /** A slot that is kept after its run, from now on: what gives it back counts how long it was kept. */
  kept(why: Wasted | undefined, give: () => void): () => void;
  close(): void;
}

const OPEN: Readonly<Record<BreakerState, number>> = { 'closed': 0, 'half-open': 0.5, 'open': 1 };
/** An answer before which the server took longer than this had to load its model; below it has only asked it how it is. */
const LOAD_MS = 500;

export function runMeasures({ servers, line, now }: { servers: Servers; line: FairQueue<Job>; now(): number }): RunMeasures {
  const hideLine = showLine(line);
  const cold = prefixes();
  /** The models each server was given work for: those that have labels. */
  const used = new Map<string, Set<string>>();

  function forget(server: string): void {
    cold.forget(server);
    metrics.breakers.remove({ server });
    for (const model of used.get(server) ?? []) {
      metrics.breakers.remove({ server, model });
      metrics.reloads.remove({ server, model });
    }
    used.delete(server);
  }

  servers.heed({ came: ({ name }) => cold.forget(name), gone: forget });
  const hideBreakers = onCollect(metrics.breakers, () => {
    for (const one of servers.all) {
      metrics.breakers.set({ server: one.name }, OPEN[one.breakerOf()]);
      for (const model of used.get(one.name) ?? []) metrics.breakers.set({ server: one.name, model }, OPEN[one.breakerOf(keyOf(model))]);
    }
  });

  return {
    began(job, { name: server }, { name: model }, warm, at) {
      job.runSince = at;
      job.isWarm = warm === server;
      const models = used.get(server);
      if (models) models.add(model);
      else used.set(server, new Set([model]));
      if (job.attempts !== 1) return; // where another attempt goes says nothing of how well games are kept together
      metrics.completionWait.observe({ model, urgency: job.urgency }, (at - job.arrived) / 1000);
      if (operationOf(job.message) === 'chat')
        metrics.affinity.inc({ model, outcome: warm === undefined ? 'first' : job.isWarm ? 'hit' : 'miss' });
    },

    answered(job, server, { name: model }, { tokens, times, expectedMs }, sentAt) {
      const operation = operationOf(job.message);
      const labels = { model, operation };
      if (times.load > LOAD_MS) metrics.reloads.inc({ server: server.name, model });
      if (operation === 'embeddings') return;
      metrics.expectedSeconds.inc({ model }, expectedMs / 1000);
      metrics.trueSeconds.inc({ model }, Math.max(0, now() - sentAt) / 1000);
      if (job.begunAt !== undefined) {
        metrics.firstTokenSeconds.observe(labels, Math.max(0, job.begunAt - sentAt) / 1000);
        metrics.firstChunkSeconds.observe(labels, Math.max(0, job.begunAt - job.arrived) / 1000);
      }
      if (tokens.completion > 1 && times.decode > 0)
        metrics.outputTokenSeconds.observe(labels, times.decode / 1000 / (tokens.completion - 1));
      // Others tell no times: what was measured is the wait for the first piece, whatever it was spent on.
      if (server.provider.kind !== 'ollama') return;
      const outcome = cold.saw(model, server.name, { promptTokens: tokens.prompt, prefillMs: times.prefill });
      if (outcome) metrics.prefixes.inc({ model, outcome });
    },

    ended(job, server, { name: model }, at, sentAt, failure) {
      const ms = Math.max(0, at - (job.runSince ?? at));
      job.slotMs += ms;
      job.runSince = undefined;
      metrics.completionSeconds.observe({ model, server: server.name }, ms / 1000);
      const operation = operationOf(job.message);
      if (sentAt !== undefined) metrics.serverSeconds.observe({ model, operation }, Math.max(0, at - sentAt) / 1000);
      const why = wasted(job, failure);
      if (why) metrics.wastedSlots.inc({ why }, ms / 1000);
      return why;
    },

    kept(why, give) {
      const since = now();
      return () => {
        if (why) metrics.wastedSlots.inc({ why }, Math.max(0, now() - since) / 1000);
        give();
      };
    },

    close() {
      hideLine();
      hideBreakers();
      for (const { name } of servers.all) forget(name);
    },
  };
}

function wasted({ stop: { signal } }: Job, failure: unknown): Wasted | undefined {
  // One that has failed is told to stop as well.
  const end: unknown = failure ?? (signal.aborted ? signal.reason : undefined);
  if (end === undefined) return undefined;
  if (end instanceof Refusal && end.reason === 'late') return 'cut';
  if (failure === undefined) return 'cancelled';
  return failure instanceof InvalidAnswer ? 'invalid' : 'failed';
}
