import { setTimeout as sleep } from 'node:timers/promises';
import { type Log, logger } from '@maw/telemetry/log.ts';
import { startTelemetry } from '@maw/telemetry/start.ts';
import type { z } from 'zod';
import { ConfigError, retiredVariables } from './config.ts';
import type { lifeFields, telemetryFields } from './config-fields.ts';
import { isLoopback } from './loopback.ts';
import { nodeProblem } from './node-problem.ts';
import { type Check, startOpsServer } from './ops-server.ts';
import { type WatchClockOptions, type WatchedClock, watchClock } from './watch-clock.ts';
import { type Component, runUntilSignal } from './shutdown.ts';

/** The variables that every service reads. */
type ServiceConfig = z.output<z.ZodObject<typeof lifeFields & typeof telemetryFields>>;

/**
 * Reads the configuration of a service. With a mistake in it, or with a Node that is too old, it logs one line and ends the process with exit
 * code 1: a stack would say nothing more. It warns of variables that are read no more.
 */
export function readServiceConfig<C>(service: string, read: () => C, exit: (code: 1) => never = process.exit, log = logger(service)): C {
  for (const name of retiredVariables()) log.warn({ name }, `${name} is set, and does nothing any more`);
  try {
    const problem = nodeProblem();
    if (problem !== undefined) throw new ConfigError([problem]);
    return read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    log.fatal({ mistakes: error.mistakes }, 'the configuration is invalid');
    return exit(1);
  }
}

/** A started service. `/readyz` is 503 until `run`. */
interface StartedService {
  readonly log: Log;
  /** Adds a check to `/readyz`. It throws when the service is not ready; a text that it returns is shown as a remark. */
  addReadinessCheck(name: string, check: Check): void;
  /** Opens what the service needs, and adds its check. A temporary failure is tried again until it works. */
  connect<T>(name: string, dependency: Dependency<T>): Promise<T>;
  /** Opens the bus, with the check `broker`. */
  connectBroker<B extends { isUp(): boolean }>(open: () => Promise<B>): Promise<B>;
  /**
   * Watches the database's clock and adds its readiness check; it is closed at the end.
   * @param read reads that clock; without a database the machine's clock is used, unwatched
   */
  watchClock(read: WatchClockOptions['read'], options?: Pick<WatchClockOptions, 'isOptional'>): Promise<WatchedClock>;
  /** Marks the service as ready, waits for a signal, then closes the components in the order given, and its own after them. */
  run(components: readonly Component[]): Promise<void>;
}

/**
 * Starts what every service has: its log, tracing and the operations server. That server answers from the start, so a service that waits for
 * its broker is seen as alive and not ready.
 */
export async function startService(service: string, config: ServiceConfig): Promise<StartedService> {
  const { HOST: host, PORT: port, METRICS_TOKEN: metricsToken } = config;
  const log = logger(service, { level: config.LOG_LEVEL });
  if (process.listenerCount('uncaughtException') === 0) process.on('uncaughtException', (error) => endedBy(error, log));
  const telemetry = startTelemetry({
    service,
    endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
    protocol: config.OTEL_EXPORTER_OTLP_PROTOCOL,
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
    keptTables: config.TRACED_TABLES,
    resourceAttributes: config.OTEL_RESOURCE_ATTRIBUTES,
    log,
  });
  const clocks: WatchedClock[] = [];
  let isStarted = false;
  const ready: { [name: string]: Check } = {
    service: () => {
      if (!isStarted) throw new Error('still starting');
    },
  };
  if (metricsToken === undefined && !isLoopback(host))
    log.warn({ host }, 'METRICS_TOKEN is not set and the listener is not on loopback: /metrics is disabled');
  const ops = await startOpsServer({ service, host, port, ready, metricsToken, commit: config.MAW_COMMIT });
  return {
    log,
    addReadinessCheck: (name, check) => void (ready[name] = check),
    connect: (name, dependency) => connectDependency({ ready, log }, name, dependency),
    connectBroker: <B extends { isUp(): boolean }>(open: () => Promise<B>) =>
      connectDependency<B>({ ready, log }, 'broker', { open, check: requireUp }),
    async watchClock(read, { isOptional = false } = {}) {
      const clock = await watchClock({ service, read, isOptional, log });
      ready['clock'] = () => clock.check();
      clocks.push(clock);
      return clock;
    },
    run: (components) => {
      isStarted = true;
      log.info({ ops: ops.url }, 'ready');
      const own = [
        ...clocks.map((clock) => ({ name: 'clock', close: async () => clock.close() })),
        { name: 'ops', close: () => ops.close() },
        { name: 'telemetry', close: () => telemetry.close() },
      ];
      return runUntilSignal([...components, ...own], { graceMs: config.GRACE_MS, log });
    },
  };
}

/** What nothing has caught ends the process with one line; an error of the system, such as a port in use, says all without a stack. */
function endedBy(error: NodeJS.ErrnoException, log: Log): never {
  const { code, syscall, message } = error;
  if (syscall === undefined) log.fatal({ err: error }, message);
  else log.fatal({ code }, code === 'EADDRINUSE' ? `${message}: another program has the port; choose another` : message);
  process.exit(1);
}

function requireUp(bus: { isUp(): boolean }): void {
  if (!bus.isUp()) throw new Error('the broker cannot be reached');
}

/** Something that a service needs: a broker, a database. */
interface Dependency<T> {
  /** @throws an error with `isTemporary` when the same may work later */
  open(): Promise<T>;
  /** The readiness check, once it is open. */
  check(opened: T): ReturnType<Check>;
}

/** Opens a dependency. A temporary failure is logged, shown by `/readyz` under `name`, and tried again. @throws any other error of `open` */
export async function connectDependency<T>(
  { ready, log, retryMs = 1_000 }: { readonly ready: { [name: string]: Check }; readonly log: Log; readonly retryMs?: number },
  name: string,
  { open, check }: Dependency<T>,
): Promise<T> {
  let missing = 'not connected yet';
  ready[name] = () => {
    throw new Error(missing);
  };
  for (;;) {
    try {
      const opened = await open();
      ready[name] = () => check(opened);
      return opened;
    } catch (error) {
      const { message, isTemporary } = error as Error & { readonly isTemporary?: boolean };
      if (!isTemporary) throw error;
      if (message !== missing) log.warn({ dependency: name, reason: message }, 'cannot start yet; retrying');
      missing = message;
    }
    await sleep(retryMs);
  }
}
