import { type AuditLog, RESTORE_TEST } from '@maw/store/ports/audit-log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';

/** A test is a matter of days; an alert about it may be five minutes late. */
const EVERY_MS = 300_000;

/**
 * Shows when a backup was last restored, which `maw restore-test` writes into the audit log. While the database does not answer, the metric stays as
 * it is: revocations tell of that.
 * @param everyMs how often the audit log is read
 * @returns how to stop
 */
export function showRestoreTests(audit: Pick<AuditLog, 'lastOutcomes'>, everyMs = EVERY_MS): () => void {
  show({ done: undefined, failed: undefined });
  const read = (): void => void audit.lastOutcomes(RESTORE_TEST).then(show, () => undefined);
  read();
  const timer = setInterval(read, everyMs);
  return () => clearInterval(timer);
}

function show({ done = 0, failed = 0 }: Awaited<ReturnType<AuditLog['lastOutcomes']>>): void {
  metrics.restoreTestAt.set({ service: 'web', outcome: 'passed' }, done / 1000);
  metrics.restoreTestAt.set({ service: 'web', outcome: 'failed' }, failed / 1000);
}
