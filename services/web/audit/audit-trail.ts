import { randomUUID } from 'node:crypto';
import { withTimeout } from '@maw/async/timeout.ts';
import { retryAfter } from '@maw/http/problem.ts';
import { type AuditEntry, type AuditLog, type AuditOutcome, OUTCOME_PENDING, storable } from '@maw/store/ports/audit-log.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { Problem } from '../problem.ts';
import { logFieldsOf } from './audit-entry.ts';
import { entryOf, NOT_BEGUN, type RefusedActCounter, refusedActCounter } from './refused-acts.ts';
import { isUnstorable, type WriteQueue, writeQueue } from './write-queue.ts';

interface AuditTrailDeps {
  readonly audit: Pick<AuditLog, 'write' | 'finish'>;
  readonly log: Log;
  readonly now: () => number;
  readonly times?: Partial<AuditTimes>;
}

/** In milliseconds. */
interface AuditTimes {
  /** How long an act waits until its intention is written, */
  readonly beginMs: number;
  /** and how long for its outcome, or for its intention while writes are known to fail. */
  readonly patienceMs: number;
  readonly retryMs: number;
  /** How often acts that were refused because the queue is full are summed up. */
  readonly sumEveryMs: number;
}
const DEFAULT_TIMES: AuditTimes = { beginMs: 10_000, patienceMs: 2_000, retryMs: 1_000, sumEveryMs: 60_000 };

/** When this many entries wait, no act is begun until the database answers again. */
const MAX_WAITING = 1_000;
const NOT_BEGUN_MESSAGE = 'act of an administrator was refused: the audit log cannot be written';

/** What is known of an act before it is done. */
type IntendedAct = Omit<AuditEntry, 'id' | 'outcome'>;

/** What came of an act, with the facts known by then. */
type ActResult = Pick<AuditEntry, 'about' | 'outcome'>;

export interface AuditTrail {
  /**
   * Writes that an administrator is about to act. Returns the id of the act.
   * @throws Problem unavailable when that cannot be written, or the error that says that it never can be: then the act must not be done
   */
  begin(act: IntendedAct): Promise<string>;
  /** Resolves when the outcome is written, or cannot be for now; never rejects. */
  finish(id: string, act: IntendedAct, result: ActResult): Promise<void>;
  /** A warning for readiness while writes fail. */
  remark(): string | undefined;
  /** Tries once more to write what waits, and then drops it. */
  close(): Promise<void>;
}

interface TrailState extends AuditTrailDeps {
  readonly times: AuditTimes;
  readonly queue: WriteQueue;
  readonly refused: RefusedActCounter;
  sumTimer: NodeJS.Timeout | undefined;
  isClosed: boolean;
}

/**
 * Writes what administrators do to the audit log: the intention before the act, the outcome after it. An act whose intention cannot be
 * written is refused. An outcome that cannot be written waits in order and is written later; if the process dies before that, the outcome of
 * the act stays pending.
 */
export function auditTrail({ times, ...deps }: AuditTrailDeps): AuditTrail {
  const allTimes = { ...DEFAULT_TIMES, ...times };
  const queue = writeQueue(deps.log, allTimes.retryMs);
  const state: TrailState = { ...deps, times: allTimes, queue, refused: refusedActCounter(), sumTimer: undefined, isClosed: false };
  return {
    begin: (act) => beginAct(state, act),
    async finish(id, act, result) {
      const { about, outcome } = storable(result);
      deps.log.info({ audit: logFieldsOf({ id, ...storable(act), about, outcome }) }, 'an administrator acted');
      const entry: AuditOutcome = { id, at: deps.now(), about, outcome };
      queue.push({ write: () => deps.audit.finish(entry), entry, acts: 1 });
      await unlessLate(allTimes.patienceMs, queue.flush());
    },
    remark: () =>
      queue.isFailing
        ? `administrators cannot act, and ${queue.length} audit entries wait to be written: the database does not answer`
        : undefined,
    close: () => closeTrail(state),
  };
}

async function beginAct(state: TrailState, intended: IntendedAct): Promise<string> {
  const { audit, now, queue, refused, times } = state;
  const known = storable(intended);
  const act: AuditEntry = { id: randomUUID(), ...known, outcome: OUTCOME_PENDING };
  if (queue.length >= MAX_WAITING) {
    refused.add(known, now());
    scheduleSum(state);
    throw unavailable();
  }
  const waitMs = queue.isFailing ? times.patienceMs : times.beginMs;
  const written = audit.write(act).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  const failure = await withTimeout(waitMs, written, { onTimeout: () => ({ error: new Error(`no answer within ${waitMs} ms`) }) });
  if (failure === undefined) {
    if (queue.length === 0) queue.reportSuccess();
    else void queue.flush();
    return act.id;
  }
  if (isUnstorable(failure.error)) throw failure.error;
  queue.reportFailure(failure.error);
  queueRefusal(state, act);
  throw unavailable();
}

/** The intention may have been written or not. In either case the act gets one entry, and that says that nothing was done. */
function queueRefusal({ audit, log, now, queue }: TrailState, act: AuditEntry): void {
  const entry: AuditEntry = { ...act, outcome: NOT_BEGUN };
  const outcome: AuditOutcome = { id: act.id, at: now(), about: act.about, outcome: NOT_BEGUN };
  log.warn({ audit: logFieldsOf(entry) }, NOT_BEGUN_MESSAGE);
  const write = async (): Promise<void> => {
    await audit.write(entry); // no effect when the intention is there
    await audit.finish(outcome);
  };
  queue.push({ write, entry, acts: 1 });
  void queue.flush();
}

/** Queues and logs one entry per administrator for the acts refused since the last sum. */
function sumRefused({ audit, log, queue, refused }: TrailState): void {
  for (const each of refused.take()) {
    const entry = storable(entryOf(each));
    log.warn({ audit: logFieldsOf(entry) }, NOT_BEGUN_MESSAGE);
    queue.push({ write: () => audit.write(entry), entry, acts: each.times });
  }
}

/** While entries wait, counting goes on. */
function scheduleSum(state: TrailState): void {
  if (state.isClosed) return;
  state.sumTimer ??= setTimeout(() => {
    state.sumTimer = undefined;
    if (state.queue.length > 0) return scheduleSum(state);
    sumRefused(state);
    void state.queue.flush();
  }, state.times.sumEveryMs).unref();
}

async function closeTrail(state: TrailState): Promise<void> {
  await unlessLate(2 * state.times.patienceMs, writeRest(state));
  state.isClosed = true;
  clearTimeout(state.sumTimer);
  sumRefused(state);
  state.queue.close();
}

async function writeRest(state: TrailState): Promise<void> {
  await state.queue.settled();
  sumRefused(state);
  await state.queue.flush();
}

const unlessLate = (ms: number, work: Promise<void>): Promise<void> => withTimeout(ms, work, { onTimeout: () => undefined });

const unavailable = (): Problem =>
  new Problem('unavailable', 'nothing was done: the act cannot be written to the audit log; is the database up?', {
    headers: retryAfter(5_000),
  });
