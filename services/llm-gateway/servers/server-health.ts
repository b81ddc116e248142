import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { logText } from '@maw/text/sanitize-text.ts';

export type ServerHealth = ReturnType<typeof serverHealth>;

/**
 * Whether a server answers its health checks. It is down until the first one has succeeded.
 * @param changed called when the server comes up, and at every failed check
 */
export function serverHealth(name: string, log: Log, changed: (isUp: boolean) => void) {
  let isClosed = false;
  metrics.serverUp.set({ server: name }, 0);
  const health = {
    isUp: false,
    version: undefined as string | undefined,
    /** Why it is down; empty while it is up. */
    reason: 'it was not checked yet',
    markUp(version: string | undefined, details: object): void {
      if (isClosed) return;
      health.version = version;
      metrics.serverUp.set({ server: name }, 1);
      if (health.isUp) return;
      log.info({ server: name, version, ...details }, 'model server is up');
      Object.assign(health, { isUp: true, reason: '' });
      changed(true);
    },
    /** @param isScaledDown whether a scaler may keep the server away: DNS does not know it, and another one is up. It has no metric then */
    markDown(why: string, isScaledDown = false): void {
      if (isClosed) return;
      const reason = logText(why, 200);
      if (isScaledDown) metrics.serverUp.remove({ server: name });
      else metrics.serverUp.set({ server: name }, 0);
      if (health.isUp || health.reason !== reason) log.warn({ server: name, why: reason }, 'model server is down');
      Object.assign(health, { isUp: false, reason });
      changed(false);
    },
    close(): void {
      isClosed = true;
      health.isUp = false;
      metrics.serverUp.remove({ server: name });
    },
  };
  return health as Readonly<typeof health>;
}
