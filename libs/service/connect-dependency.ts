import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@maw/telemetry/log.ts';
import type { Check } from './ops-server.ts';

/** Something that a service needs: a broker, a database. */
export interface Dependency<T> {
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
