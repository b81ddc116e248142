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
  readonly times?: Partial<AuditTimes>;
}

/** In milliseconds. */
interface AuditTimes {
  /** How long an act waits until its intention is written, */
  readonly beginMs: number;
  /** and how long for its outcome, or for what waits while writes are known to fail. */
  readonly patienceMs: number;
  readonly retryMs: number;
}
const DEFAULT_TIMES: AuditTimes = { beginMs: 10_000, patienceMs: 2_000, retryMs: 1_000 };

/** The outcome of an act that was refused because the audit log cannot be written. Only such acts have it. */
const NOT_BEGUN = 'not-begun';

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

/** An entry that waits to be written. */
interface QueuedWrite {
  /** Idempotent. */
  readonly write: () => Promise<void>;
  /** What is logged when it cannot be stored. */
  readonly entry: AuditEntry | AuditOutcome;
}

interface TrailState extends Omit<AuditTrailDeps, 'times'> {
  readonly times: AuditTimes;
  /** Outcomes of acts that were begun before writes failed, in order: as many as there are requests at once. */
  readonly waiting: QueuedWrite[];
  flushing: Promise<void> | undefined;
  timer: NodeJS.Timeout | undefined;
  /** open: the last write succeeded, or there was none. */
  stage: 'open' | 'failing' | 'closed';
}

/**
 * Writes what administrators do to the audit log: the intention before the act, the outcome after it. An act whose intention cannot be
 * written is refused, and while writes fail so is every act. An outcome that cannot be written waits in order and is written later; if the
 * process dies before that, the outcome of the act stays pending.
 */
export function auditTrail({ times, ...deps }: AuditTrailDeps): AuditTrail {
  const state: TrailState = {
    ...deps,
    times: { ...DEFAULT_TIMES, ...times },
    waiting: [],
    flushing: undefined,
    timer: undefined,
    stage: 'open',
  };
  return {
    begin: (act) => beginAct(state, act),
    async finish(id, act, result) {
      const { about, outcome } = storable(result);
      deps.log.info({ audit: logFieldsOf({ id, ...storable(act), about, outcome }) }, 'an administrator acted');
      const entry: AuditOutcome = { id, at: deps.now(), about, outcome };
      push(state, { write: () => deps.audit.finish(entry), entry });
      await unlessLate(state.times.patienceMs, flush(state));
    },
    remark: () =>
      state.stage === 'failing'
        ? `administrators cannot act, and ${state.waiting.length} audit entries wait to be written: the database does not answer`
        : undefined,
    close: () => closeTrail(state),
  };
}

async function beginAct(state: TrailState, intended: IntendedAct): Promise<string> {
  const { audit, log, times } = state;
  const act: AuditEntry = { id: randomUUID(), ...storable(intended), outcome: OUTCOME_PENDING };
  const refusal = new Problem('unavailable', 'nothing was done: the act cannot be written to the audit log; is the database up?', {
    headers: retryAfter(5_000),
  });
  const refused = (): Problem => {
    log.warn(
      { audit: logFieldsOf({ ...act, outcome: NOT_BEGUN }) },
      'act of an administrator was refused: the audit log cannot be written',
    );
    return refusal;
  };
  if (state.stage === 'failing') await unlessLate(times.patienceMs, flush(state));
  if (state.stage !== 'open') throw refused();
  const written = audit.write(act).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  const failure = await withTimeout(times.beginMs, written, {
    onTimeout: () => ({ error: new Error(`no answer within ${times.beginMs} ms`) }),
  });
  if (failure === undefined) return act.id;
  if (isUnstorable(failure.error)) throw failure.error;
  reportFailure(state, failure.error);
  queueRefusal(state, act);
  throw refused();
}

/** The intention may have been written or not. In either case the act gets one entry, and that says that nothing was done. */
function queueRefusal(state: TrailState, act: AuditEntry): void {
  const { audit, now } = state;
  const entry: AuditEntry = { ...act, outcome: NOT_BEGUN };
  const outcome: AuditOutcome = { id: act.id, at: now(), about: act.about, outcome: NOT_BEGUN };
  const write = async (): Promise<void> => {
    await audit.write(entry); // no effect when the intention is there
    await audit.finish(outcome);
  };
  push(state, { write, entry });
  void flush(state);
}

async function closeTrail(state: TrailState): Promise<void> {
  const rest = async (): Promise<void> => {
    await state.flushing;
    await flush(state);
  };
  await unlessLate(2 * state.times.patienceMs, rest());
  state.stage = 'closed';
  clearTimeout(state.timer);
  drop(state);
}

// ── The queue ──

function push(state: TrailState, write: QueuedWrite): void {
  state.waiting.push(write);
  showLength(state);
}

/** Resolves when everything is written, or the next write has failed; never rejects. */
function flush(state: TrailState): Promise<void> {
  clearTimeout(state.timer);
  if (state.waiting.length === 0) return Promise.resolve();
  return (state.flushing ??= writeAll(state));
}

async function writeAll(state: TrailState): Promise<void> {
  const { waiting } = state;
  try {
    for (let next = waiting[0]; next; next = waiting[0]) {
      await writeOne(state, next);
      if (waiting[0] === next) waiting.shift(); // unless the trail was closed meanwhile
      showLength(state);
    }
    if (state.stage === 'failing') {
      state.log.info('audit log can be written again');
      state.stage = 'open';
    }
  } catch (error) {
    reportFailure(state, error);
    if (state.stage === 'closed') drop(state);
    else state.timer = setTimeout(() => void flush(state), state.times.retryMs);
  } finally {
    state.flushing = undefined; // in the same turn as the last look at the queue, or an entry pushed in between would wait
  }
}

/** Skips an entry that can never be stored: it would hold up all others. @throws when a retry may succeed */
async function writeOne({ log }: TrailState, { write, entry }: QueuedWrite): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!isUnstorable(error)) throw error;
    log.error({ err: error, audit: logFieldsOf(entry) }, 'audit log entry cannot be stored; it is skipped');
  }
}

function drop(state: TrailState): void {
  const acts = state.waiting.length;
  state.waiting.length = 0;
  showLength(state);
  if (acts > 0) state.log.error({ acts }, 'audit log incomplete: these acts are only in the lines of this log');
}

function reportFailure(state: TrailState, error: unknown): void {
  if (state.stage !== 'open') return;
  state.log.error({ err: error }, 'writing the audit log failed; administrators cannot act until it succeeds');
  state.stage = 'failing';
}

const showLength = ({ waiting }: TrailState): void => metrics.auditWaiting.set({ service: 'web' }, waiting.length);

/** Whether retrying is useless: the database cannot take these values (SQLSTATE classes 22 and 23). */
const isUnstorable = (error: unknown): boolean => /^2[23][0-9A-Z]{3}$/.test(errorCode(error) ?? '');

const unlessLate = (ms: number, work: Promise<void>): Promise<void> => withTimeout(ms, work, { onTimeout: () => undefined });

/** The fields of a log line; fields called `token` are redacted there, so the id of the token gets another name. */
function logFieldsOf(entry: AuditEntry | AuditOutcome): object {
  if (!('token' in entry)) return entry;
  const { token, ...rest } = entry;
  return { ...rest, tokenId: token };
}
