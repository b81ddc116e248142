import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { sanitizeText } from '../sanitize-text.ts';

/** Whether a server answers its health checks. It is down until the first one has succeeded. */
export interface ServerHealth {
  readonly isUp: boolean;
  readonly version: string | undefined;
  /** Why it is down; empty while it is up. */
  readonly reason: string;
  markUp(version: string | undefined, details: object): void;
  /** @param exists false for a server whose name is unknown to DNS, such as one that a scaler keeps away: it has no metric then */
  markDown(reason: string, exists?: boolean): void;
  close(): void;
}

/** @param changed called when the server comes up, and at every failed check */
export function serverHealth(name: string, log: Log, changed: (isUp: boolean) => void): ServerHealth {
  let isUp = false;
  let reason = 'it was not checked yet';
  let version: string | undefined;
  let isClosed = false;
  metrics.serverUp.set({ server: name }, 0);

  return {
    get isUp() {
      return isUp;
    },
    get version() {
      return version;
    },
    get reason() {
      return reason;
    },
    markUp(reported, details) {
      if (isClosed) return;
      version = reported;
      metrics.serverUp.set({ server: name }, 1);
      if (isUp) return;
      log.info({ server: name, version, ...details }, 'model server is up');
      isUp = true;
      reason = '';
      changed(true);
    },
    markDown(why, exists = true) {
      if (isClosed) return;
      const text = sanitizeText(why, 200);
      if (exists) metrics.serverUp.set({ server: name }, 0);
      else metrics.serverUp.remove({ server: name });
      if (isUp || reason !== text) log.warn({ server: name, why: text }, 'model server is down');
      isUp = false;
      reason = text;
      changed(false);
    },
    close() {
      isClosed = true;
      isUp = false;
      metrics.serverUp.remove({ server: name });
    },
  };
}
