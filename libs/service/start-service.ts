import { type Log, logger } from '@maw/telemetry/log.ts';
import { startTelemetry } from '@maw/telemetry/start.ts';
import type { z } from 'zod';
import type { lifeFields, telemetryFields } from './config-fields.ts';
import { runUntilSignal, type Component } from './shutdown.ts';
import { isLoopback } from './loopback.ts';
import { type Check, startOpsServer } from './ops.ts';

/** What a service is told by its environment, whatever it does besides. */
export type Given = z.output<z.ZodObject<typeof lifeFields & typeof telemetryFields>>;

/** A service that has begun: it can be looked at, it writes its log and its traces, and it is not ready yet. */
export interface StartedService {
  readonly log: Log;
  /** From now on `/readyz` asks this as well. A check that throws says that the service is of no use; a text it returns is a remark. */
  addReadinessCheck(what: string, check: Check): void;
  /** Everything is there: lives until it is told to stop, then closes the parts in the order given, and itself last. */
  run(parts: readonly Component[]): Promise<void>;
}

/**
 * Begins the life of a service: log, traces, and the doors for those who run it, which answer from the first moment on, so that a service
 * that waits for its broker is seen to be alive and not ready.
 */
export async function startService(service: string, given: Given): Promise<StartedService> {
  const log = logger(service, { level: given.LOG_LEVEL });
  const telemetry = startTelemetry({
    service,
    endpoint: given.OTEL_EXPORTER_OTLP_ENDPOINT,
    protocol: given.OTEL_EXPORTER_OTLP_PROTOCOL,
    ratio: given.OTEL_TRACES_SAMPLER_ARG,
    log,
  });
  let isBegun = false;
  const ready: { [what: string]: Check } = {
    service: () => {
      if (!isBegun) throw new Error('it is still starting');
    },
  };
  const { METRICS_TOKEN: metricsToken } = given;
  const isOpen = given.MAW_OPEN === '1';
  if (metricsToken === undefined && !isOpen && !isLoopback(given.HOST))
    log.warn({ host: given.HOST }, 'no METRICS_TOKEN: nobody may read /metrics, for this address can be reached from elsewhere');
  const ops = await startOpsServer({ service, host: given.HOST, port: given.PORT, ready, metricsToken, isOpen });
  return {
    log,
    addReadinessCheck: (what, check) => void (ready[what] = check),
    run: (parts) => {
      isBegun = true;
      log.info({ ops: ops.url }, 'ready');
      const own = [
        { name: 'ops', close: () => ops.close() },
        { name: 'telemetry', close: () => telemetry.close() },
      ];
      return runUntilSignal([...parts, ...own], { graceMs: given.GRACE_MS, log });
    },
  };
}
