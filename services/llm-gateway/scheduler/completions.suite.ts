import { afterEach } from '@jest/globals';
import { type Log, logger } from '@maw/telemetry/log.ts';
import { defaultOptions, type GatewayOptions } from '../defaults.ts';
import type { QueuedRequest } from '../request.ts';
import { type ModelLoads, modelLoads } from '../servers/model-loads.ts';
import { type ServerRegistry, serverRegistry } from '../servers/registry.ts';
import { type Completions, completions } from './completions.ts';
import type { FairQueue } from './fair-queue.ts';

interface Closable {
  close(): Promise<unknown> | void;
}

/** The scheduler of a gateway, without bus and HTTP, and with a clock that can be advanced. */
export interface TestScheduler extends Completions {
  readonly registry: ServerRegistry;
  readonly loads: ModelLoads;
  readonly waiting: number;
  busySlots(server?: string): number;
  /** Reacts to changes of the servers, as after each health check. */
  recheck(): void;
  /** Milliseconds since the epoch. */
  now(): number;
  advance(ms: number): void;
  /** Stops the clock, except for `advance`. */
  freeze(): void;
}

export type SchedulerOptions = Partial<GatewayOptions> & Pick<GatewayOptions, 'servers'> & { readonly log?: Log };

interface SchedulerParts {
  readonly now?: () => number;
  readonly queue?: FairQueue<QueuedRequest>;
  /** Whether the servers are checked once at the start; default: yes. */
  readonly isChecked?: boolean;
}

export const never = new AbortController().signal;

/** Closes what a spec opens after each test, the last first. Call it once per spec. */
export function testResources() {
  const opened: Closable[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0).toReversed()) await one.close();
  });
  const keep = <T extends Closable>(one: T): T => {
    opened.push(one);
    return one;
  };

  /** Checks its servers once; further checks are up to the test. No rate and concurrency limits by default. */
  async function startScheduler(
    { log = logger('llm-gateway', { level: 'silent' }), ...given }: SchedulerOptions,
    { now: clock = Date.now, queue, isChecked = true }: SchedulerParts = {},
  ): Promise<TestScheduler> {
    let skew = 0;
    let frozenAt: number | undefined;
    const now = (): number => (frozenAt ?? clock()) + skew;
    const options = { ...defaultOptions, agentRpm: 0, agentConcurrency: 0, ...given };
    const registry = keep(serverRegistry(options, log, now));
    if (isChecked) await registry.checkAll();
    const loads = modelLoads(options, registry.events);
    const scheduler = keep(completions({ registry, loads, now, log, options, queue }));
    const extras = {
      registry,
      loads,
      now,
      busySlots: (server?: string) => (server === undefined ? scheduler.debugCounters().slots : scheduler.dispatcher.busySlots(server)),
      recheck: () => void registry.events.emit('changed'),
      advance: (ms: number) => void (skew += ms),
      freeze: () => void (frozenAt ??= clock()),
      get waiting() {
        return scheduler.queue.size;
      },
    };
    return Object.defineProperties(scheduler, Object.getOwnPropertyDescriptors(extras)) as TestScheduler;
  }
  return { keep, startScheduler };
}

/** The outcome of a request: the answer as `value`, or the refusal. */
export const settled = (promise: Promise<unknown>) =>
  promise.then(
    (value) => ({ value }),
    (error: unknown) => error as { reason?: string; detail?: string; message: string },
  );
