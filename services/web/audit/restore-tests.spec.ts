import { afterEach, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import { memoryAuditLog } from '@maw/store/memory/audit-log.ts';
import { RESTORE_TEST } from '@maw/store/ports/audit-log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { showRestoreTests } from './restore-tests.ts';

describe('the metric of restore tests', () => {
  let stop: (() => void) | undefined;
  afterEach(() => stop?.());
  const shown = async () =>
    Object.fromEntries((await metrics.restoreTestAt.get()).values.map(({ labels, value }) => [labels.outcome, value]));

  it('is 0 before the first test, follows the audit log, and stays while that cannot be read', async () => {
    const log = memoryAuditLog();
    let isAway = false;
    let reads = 0;
    const audit = {
      lastOutcomes: (what: string) => (reads++, isAway ? Promise.reject(new Error('no database')) : log.lastOutcomes(what)),
    };
    stop = showRestoreTests(audit, 1);
    expect(await shown()).toEqual({ passed: 0, failed: 0 });
    const entry = { who: 'keeper', token: '', from: 'here', what: RESTORE_TEST, about: {} };
    await log.write({ ...entry, id: 'a', at: 5_000, outcome: 'done' });
    await log.write({ ...entry, id: 'b', at: 7_500, outcome: 'a tape is not whole' });
    await pollUntil('both outcomes', async () => (await shown())['failed'] === 7.5);
    expect(await shown()).toEqual({ passed: 5, failed: 7.5 });
    isAway = true;
    const before = reads;
    await pollUntil('several reads that fail', () => reads > before + 3);
    expect(await shown()).toEqual({ passed: 5, failed: 7.5 });
  });
});
