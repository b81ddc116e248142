import type { EventEmitter } from 'node:events';
import { whenAborted } from '@maw/async/abort.ts';
import type { Log } from '@maw/telemetry/log.ts';

/** A part of a service that must be closed. */
export interface Component {
  readonly name: string;
  close(): Promise<void>;
}

export const DEFAULT_GRACE_MS = 10_000;

/** The exit code of a second signal. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;
const CRASHES = ['uncaughtException', 'unhandledRejection'] as const;

/** Where signals and uncaught errors come from: the process. */
type SignalSource = Pick<EventEmitter, 'on' | 'off'>;

export interface ShutdownOptions {
  /** How long closing all components together may take, in milliseconds. */
  readonly graceMs: number;
  readonly log: Log;
  readonly signals?: SignalSource | undefined;
  readonly exit?: ((code: number) => void) | undefined;
}

/**
 * Waits for the first SIGTERM or SIGINT, then closes the components one after another, in the order given, within `graceMs`, and exits with 0,
 * or with 1 when a component did not close (the log names it). A second signal exits at once with 130 or 143. An uncaught error is logged as
 * fatal and closes everything in the same way; the exit code is 1 then.
 */
export async function runUntilSignal(components: readonly Component[], options: ShutdownOptions): Promise<void> {
  const { graceMs, log, signals = process, exit = (code) => process.exit(code) } = options;
  const graceOver = new AbortController();
  const exitCode = Promise.withResolvers<number>();
  let timer: NodeJS.Timeout | undefined;
  let isSignalled = false;
  let hasCrashed = false;

  function close(): void {
    if (timer) return;
    timer = setTimeout(() => graceOver.abort(), graceMs);
    void closeAll(components, graceOver.signal, log).then((open) => exitCode.resolve(open.length > 0 || hasCrashed ? 1 : 0));
  }

  function onSignal(signal: keyof typeof SIGNALS): void {
    if (isSignalled) {
      log.warn({ signal }, `second ${signal}: exiting without draining`);
      return exitCode.resolve(SIGNALS[signal]);
    }
    isSignalled = true;
    log.info({ signal, graceMs }, 'shutting down');
    close();
  }

  function onCrash(crash: string, err: unknown): void {
    hasCrashed = true;
    log.fatal({ err, crash }, 'uncaught error; shutting down');
    close();
  }

  const listeners = [
    ...(['SIGINT', 'SIGTERM'] as const).map((signal) => [signal, () => onSignal(signal)] as const),
    ...CRASHES.map((crash) => [crash, (err: unknown) => onCrash(crash, err)] as const),
  ];
  for (const [event, listener] of listeners) signals.on(event, listener);
  const code = await exitCode.promise;
  clearTimeout(timer);
  exit(code);
  for (const [event, listener] of listeners) signals.off(event, listener);
}

/** Resolves with the names of the components that did not close before the grace time was over. Never rejects. */
async function closeAll(components: readonly Component[], graceOver: AbortSignal, log: Log): Promise<string[]> {
  const failed: string[] = [];
  const over = whenAborted(graceOver).then(() => 'over' as const);
  for (const [at, component] of components.entries()) {
    const { name } = component;
    const closed = (async () => component.close())().catch((err: unknown) => {
      failed.push(name);
      log.error({ component: name, err }, 'closing failed');
    });
    if ((await Promise.race([closed, over])) === 'over') {
      const open = components.slice(at).map((one) => one.name);
      log.error({ open }, `shutdown incomplete: ${open.length} components did not close within the grace time`);
      return [...failed, ...open];
    }
  }
  log.info(
    { components: components.length },
    failed.length > 0 ? 'shutdown incomplete: closing of some components failed' : 'shutdown complete',
  );
  return failed;
}
