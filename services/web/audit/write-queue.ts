import { isPermanent } from '@maw/bus/bus.ts';
import { errorCode } from '@maw/store/driver/error-code.ts';
import type { AuditEntry, AuditOutcome } from '@maw/store/ports/audit-log.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { logFieldsOf } from './audit-entry.ts';

/** An entry that waits to be written. */
interface QueuedWrite {
  /** Idempotent. */
  readonly write: () => Promise<void>;
  /** What is logged when it cannot be stored. */
  readonly entry: AuditEntry | AuditOutcome;
  /** How many acts it stands for. */
  readonly acts: number;
}

interface QueueState {
  readonly log: Log;
  readonly retryMs: number;
  readonly waiting: QueuedWrite[];
  flushing: Promise<void> | undefined;
  timer: NodeJS.Timeout | undefined;
  isFailing: boolean;
  isClosed: boolean;
}

/** Writes entries to the audit log in order, and retries until it can. */
export interface WriteQueue {
  readonly length: number;
  /** Whether the last write to the audit log failed. */
  readonly isFailing: boolean;
  push(write: QueuedWrite): void;
  /** Resolves when everything is written, or the next write has failed; never rejects. */
  flush(): Promise<void>;
  /** Resolves when the flush under way, if any, has ended; never rejects. */
  settled(): Promise<void>;
  /** Records that a write outside the queue succeeded, or failed. */
  reportSuccess(): void;
  reportFailure(error: unknown): void;
  /** Stops retrying and drops what is left. */
  close(): void;
}

export function writeQueue(log: Log, retryMs: number): WriteQueue {
  const state: QueueState = {
    log,
    retryMs,
    waiting: [],
    flushing: undefined,
    timer: undefined,
    isFailing: false,
    isClosed: false,
  };
  return {
    get length() {
      return state.waiting.length;
    },
    get isFailing() {
      return state.isFailing;
    },
    push(write) {
      state.waiting.push(write);
      showLength(state);
    },
    flush: () => flush(state),
    settled: async () => state.flushing,
    reportSuccess: () => reportSuccess(state),
    reportFailure: (error) => reportFailure(state, error),
    close() {
      state.isClosed = true;
      clearTimeout(state.timer);
      drop(state);
    },
  };
}

function flush(state: QueueState): Promise<void> {
  clearTimeout(state.timer);
  if (state.waiting.length === 0) return Promise.resolve();
  return (state.flushing ??= writeAll(state));
}

async function writeAll(state: QueueState): Promise<void> {
  const { waiting } = state;
  try {
    for (let next = waiting[0]; next; next = waiting[0]) {
      await writeOne(state, next);
      if (waiting[0] === next) waiting.shift(); // unless the queue was closed meanwhile
      showLength(state);
    }
    reportSuccess(state);
  } catch (error) {
    reportFailure(state, error);
    if (state.isClosed) drop(state);
    else state.timer = setTimeout(() => void flush(state), state.retryMs);
  } finally {
    state.flushing = undefined; // in the same turn as the last look at the queue, or an entry pushed in between would wait
  }
}

/** Skips an entry that can never be stored: it would hold up all others. @throws when a retry may succeed */
async function writeOne({ log }: QueueState, { write, entry }: QueuedWrite): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!isUnstorable(error)) throw error;
    log.error({ err: error, audit: logFieldsOf(entry) }, 'audit log entry cannot be stored; it is skipped');
  }
}

function drop(state: QueueState): void {
  const acts = state.waiting.reduce((all, each) => all + each.acts, 0);
  state.waiting.length = 0;
  showLength(state);
  if (acts > 0) state.log.error({ acts }, 'audit log incomplete: these acts are only in the lines of this log');
}

function reportSuccess(state: QueueState): void {
  if (state.isFailing) state.log.info('audit log can be written again');
  state.isFailing = false;
}

function reportFailure(state: QueueState, error: unknown): void {
  if (!state.isFailing) state.log.error({ err: error }, 'writing the audit log failed; administrators cannot act until it succeeds');
  state.isFailing = true;
}

const showLength = ({ waiting }: QueueState): void => metrics.auditWaiting.set({ service: 'web' }, waiting.length);

/** Whether retrying is useless: the error says so, or the database cannot take these values (SQLSTATE classes 22 and 23). */
export const isUnstorable = (error: unknown): boolean => isPermanent(error) || /^2[23][0-9A-Z]{3}$/.test(errorCode(error) ?? '');
