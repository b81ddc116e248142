import { randomUUID } from 'node:crypto';
import { withTimeout } from '@maw/async/timeout.ts';
import { retryAfter } from '@maw/http/problem.ts';
import { errorCode } from '@maw/store/driver/error-code.ts';
import { type AuditEntry, type AuditLog, type AuditOutcome, OUTCOME_PENDING, storable } from '@maw/store/ports/audit-log.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { Problem } from '../problem.ts';

interface AuditTrailDeps {
  readonly audit: Pick<AuditLog, 'write' | 'finish'>;
  readonly log: Log;
  readonly now: () => number;
  readonly times?: Partial<typeof DEFAULT_TIMES>;
}

const DEFAULT_TIMES = {
  /** How long an act waits until its intention is written, */
  beginMs: 10_000,
  /** and how long for its outcome, or for the outcomes that wait. */
  patienceMs: 2_000,
  retryMs: 1_000,
};

/** The outcome of an act that was refused because the audit log cannot be written. Only such acts have it. */
const NOT_BEGUN = 'not-begun';

/** What is known of an act before it is done. */
type IntendedAct = Omit<AuditEntry, 'id' | 'outcome'>;

export type AuditTrail = ReturnType<typeof auditTrail>;

/**
 * Writes what administrators do to the audit log: the intention before the act, the outcome after it. An act whose intention cannot be
 * written is refused, and so is every act while outcomes cannot be: they wait and are written in order, as soon as that is possible. If the
 * process dies before that, the outcome of the act stays pending.
 */
export function auditTrail({ audit, log, now, times: given }: AuditTrailDeps) {
  const times = { ...DEFAULT_TIMES, ...given };
  const queue = outcomeQueue(audit, log, times.retryMs);
  const patiently = (work: Promise<void>): Promise<void> => withTimeout(times.patienceMs, work, { onTimeout: () => undefined });
  const refusalOf = (act: AuditEntry): Problem => {
    log.warn(
      { audit: logFieldsOf({ ...act, outcome: NOT_BEGUN }) },
      'act of an administrator was refused: the audit log cannot be written',
    );
    const hint = 'nothing was done: the act cannot be written to the audit log; is the database up?';
    return new Problem('unavailable', hint, { headers: retryAfter(5_000) });
  };
  return {
    /**
     * Writes that an administrator is about to act. Returns the id of the act.
     * @throws Problem unavailable when that cannot be written, or the error that says that it never can be: then the act must not be done
     */
    async begin(intended: IntendedAct): Promise<string> {
      const act: AuditEntry = { id: randomUUID(), ...storable(intended), outcome: OUTCOME_PENDING };
      if (queue.isFailing()) await patiently(queue.flush());
      if (queue.isFailing() || queue.isClosed()) throw refusalOf(act);
      try {
        await withTimeout(times.beginMs, audit.write(act));
        return act.id;
      } catch (error) {
        if (isUnstorable(error)) throw error;
        queue.fail(error);
        void queue.push({ id: act.id, at: now(), about: act.about, outcome: NOT_BEGUN }); // the intention may be written, or may yet be
        throw refusalOf(act);
      }
    },
    /** Resolves when the outcome is written, or cannot be for now; never rejects. */
    async finish(id: string, act: IntendedAct, result: Pick<AuditEntry, 'about' | 'outcome'>): Promise<void> {
      const { about, outcome } = storable(result);
      log.info({ audit: logFieldsOf({ id, ...storable(act), about, outcome }) }, 'an administrator acted');
      await patiently(queue.push({ id, at: now(), about, outcome }));
    },
    /** A warning for readiness while writes fail. */
    remark: (): string | undefined =>
      queue.isFailing()
        ? `administrators cannot act, and ${queue.size()} audit entries wait to be written: the database does not answer`
        : undefined,
    /** Tries once more to write what waits, and then drops it. */
    async close(): Promise<void> {
      await patiently(queue.flushOnceMore());
      queue.close();
    },
  };
}

/** Outcomes that wait to be written, in order: as many as there are requests at once, as no act is begun while writes fail. */
function outcomeQueue(audit: Pick<AuditLog, 'finish'>, log: Log, retryMs: number) {
  const waiting: AuditOutcome[] = [];
  let flushing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let [isFailing, isClosed] = [false, false];
  const showLength = (): void => metrics.auditWaiting.set({ service: 'web' }, waiting.length);

  /** Resolves when everything is written, or the next write has failed; never rejects. */
  function flush(): Promise<void> {
    clearTimeout(timer);
    return waiting.length === 0 ? Promise.resolve() : (flushing ??= writeAll());
  }
  async function writeAll(): Promise<void> {
    try {
      for (let next = waiting[0]; next; next = waiting[0]) {
        await audit.finish(next).catch(skipUnstorable(next));
        if (waiting[0] === next) waiting.shift(); // unless the queue was closed meanwhile
        showLength();
      }
      if (isFailing) log.info('audit log can be written again');
      isFailing = false;
    } catch (error) {
      fail(error);
      if (isClosed) drop();
      else timer = setTimeout(() => void flush(), retryMs);
    } finally {
      flushing = undefined; // in the same turn as the last look at the queue, or an outcome pushed in between would wait
    }
  }
  /** An outcome that can never be stored would hold up all others. */
  const skipUnstorable = (outcome: AuditOutcome) => (error: unknown) => {
    if (!isUnstorable(error)) throw error;
    log.error({ err: error, audit: outcome }, 'audit log entry cannot be stored; it is skipped');
  };
  function fail(error: unknown): void {
    if (!isFailing) log.error({ err: error }, 'writing the audit log failed; administrators cannot act until it succeeds');
    isFailing = true;
  }
  function drop(): void {
    const acts = waiting.splice(0).length;
    showLength();
    if (acts > 0) log.error({ acts }, 'audit log incomplete: these acts are only in the lines of this log');
  }
  function push(outcome: AuditOutcome): Promise<void> {
    waiting.push(outcome);
    showLength();
    return flush();
  }
  /** Also what fails to be written at this moment. */
  async function flushOnceMore(): Promise<void> {
    await flushing;
    await flush();
  }
  function close(): void {
    isClosed = true;
    clearTimeout(timer);
    drop();
  }
  return { push, flush, flushOnceMore, fail, close, size: () => waiting.length, isFailing: () => isFailing, isClosed: () => isClosed };
}

/** Whether retrying is useless: the database cannot take these values (SQLSTATE classes 22 and 23). */
const isUnstorable = (error: unknown): boolean => /^2[23][0-9A-Z]{3}$/.test(errorCode(error) ?? '');

/** The fields of a log line; fields called `token` are redacted there, so the id of the token gets another name. */
function logFieldsOf({ token, ...rest }: AuditEntry): object {
  return { ...rest, tokenId: token };
}
