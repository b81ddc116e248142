import { randomUUID } from 'node:crypto';
import { isPermanent } from '@maw/bus/bus.ts';
import { errorCode } from '@maw/store/driver/error-code.ts';
import { type AuditEntry, type AuditLog, OUTCOME_PENDING, type AuditOutcome } from '@maw/store/ports/audit-log.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { logFieldsOf, storable } from './audit-entry.ts';
import { entryOf, NOT_BEGUN, refusedActCounter } from './refused-acts.ts';
import { Problem } from '../problem.ts';

interface Parts {
  readonly audit: Pick<AuditLog, 'write' | 'finish'>;
  readonly log: Log;
  readonly now: () => number;
  readonly waits?: Partial<Waits>;
}

/** In milliseconds. */
interface Waits {
  /** A request waits so long until it is written what it is about to do; */
  readonly beforeMs: number;
  /** and so long for what is written of it afterwards, or while the log is known not to answer. */
  readonly patienceMs: number;
  /** After so long it is tried again to write what waits. */
  readonly againMs: number;
  /** How often acts that were refused because too much waits are summed up. */
  readonly sumEveryMs: number;
}
const usualWaits: Waits = { beforeMs: 10_000, patienceMs: 2_000, againMs: 1_000, sumEveryMs: 60_000 };

/** So much may wait to be written; then administrators may do nothing more until the database is back. */
const MOST_WAITING = 1_000;
const NOT_BEGUN_SAYS = 'an act of an administrator was not begun: the audit log cannot be written';

export type AuditTrail = ReturnType<typeof auditTrail>;

/** What is known of an act before it is done. */
export type IntendedAct = Omit<AuditEntry, 'id' | 'outcome'>;

/** What came of it: its outcome, and what may be known of it by now. */
type ActResult = Pick<AuditEntry, 'about' | 'outcome'>;

/** What is to be written, and waits for those before it. */
interface Waiting {
  /** The same again does no harm. */
  readonly write: () => Promise<void>;
  /** What the log of this process says of it if it cannot be kept. */
  readonly entry: AuditEntry | AuditOutcome;
  /** Of how many acts it speaks. */
  readonly acts: number;
}

/**
 * Writes down what administrators do: that they are about to before anything is done, and what came of it afterwards. An act of which the
 * intention cannot be written is not done. An outcome that cannot be written waits, in order, and is written later; if this process dies before
 * that, the log shows an act of which nobody knows what came.
 */
export function auditTrail({ audit, log, now, waits = {} }: Parts) {
  const { beforeMs, patienceMs, againMs, sumEveryMs } = { ...usualWaits, ...waits };
  const waiting: Waiting[] = [];
  const refused = refusedActCounter();
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let summing: NodeJS.Timeout | undefined;
  let isFailing = false;
  let isClosed = false;

  async function run(): Promise<void> {
    try {
      for (let next = waiting[0]; next; next = waiting[0]) {
        await keep(next);
        if (waiting[0] === next) waiting.shift(); // a trail that was closed meanwhile has given it up
        count();
      }
      works();
    } catch (error) {
      fails(error);
      if (isClosed) giveUp();
      else timer = setTimeout(() => void write(), againMs);
    } finally {
      // Not a moment after the last look: what comes in between would wait for nobody.
      writing = undefined;
    }
  }

  /** Writes one entry. One that can never be kept is left out, or it would hold up all others. @throws when it may be kept later */
  async function keep({ write: written, entry }: Waiting): Promise<void> {
    try {
      await written();
    } catch (error) {
      if (!isHopeless(error)) throw error;
      log.error({ err: error, audit: logFieldsOf(entry) }, 'the audit log lacks this: it cannot be kept as it is');
    }
  }

  const count = (): void => metrics.auditWaiting.set({ service: 'web' }, waiting.length);
  function write(): Promise<void> {
    clearTimeout(timer);
    if (waiting.length === 0) return Promise.resolve();
    return (writing ??= run());
  }

  function works(): void {
    if (isFailing) log.info('the audit log can be written again');
    isFailing = false;
  }

  function fails(error: unknown): void {
    if (!isFailing) log.error({ err: error }, 'the audit log cannot be written; administrators may do nothing until it can');
    isFailing = true;
  }

  function later(what: Waiting): void {
    waiting.push(what);
    count();
  }

  /** What still waits is not written any more. */
  function giveUp(): void {
    const acts = waiting.reduce((all, each) => all + each.acts, 0);
    waiting.length = 0;
    count();
    if (acts > 0) log.error({ acts }, 'the audit log lacks what is in the lines of this log alone');
  }

  /** What was refused since the last sum becomes one entry, and one line of the log, for each administrator. */
  function tally(): void {
    for (const each of refused.take()) {
      const entry = storable(entryOf(each));
      log.warn({ audit: logFieldsOf(entry) }, NOT_BEGUN_SAYS);
      later({ write: () => audit.write(entry), entry, acts: each.times });
    }
  }

  /** While entries wait, it is summed on. */
  function sum(): void {
    clearTimeout(summing);
    summing = undefined;
    if (waiting.length > 0) return soon();
    tally();
    void write();
  }

  function soon(): void {
    if (!isClosed) summing ??= setTimeout(sum, sumEveryMs).unref();
  }

  /** It is not known whether the intention was written. The act gets one entry, that one or another, and it is said that nothing was done. */
  function notBegun(begun: AuditEntry): void {
    const { id, about } = begun;
    const entry: AuditEntry = { ...begun, outcome: NOT_BEGUN };
    const at = now();
    log.warn({ audit: logFieldsOf(entry) }, NOT_BEGUN_SAYS);
    const writeBoth = async (): Promise<void> => {
      await audit.write(entry); // which changes nothing if the intention is there
      await audit.finish({ id, at, about, outcome: NOT_BEGUN });
    };
    later({ write: writeBoth, entry, acts: 1 });
    void write();
  }

  async function lastTry(): Promise<void> {
    await writing; // what is under way may have failed already
    await write();
    tally();
    if (!isFailing) await write();
  }

  return {
    /**
     * Writes down that somebody is about to do something.
     * @returns the id of the act
     * @throws Problem unavailable when that cannot be written, or what says that it can never be: then nothing may be done
     */
    async begin(intention: IntendedAct): Promise<string> {
      const act: AuditEntry = { id: randomUUID(), ...storable(intention), outcome: OUTCOME_PENDING };
      if (waiting.length >= MOST_WAITING) {
        const { id: _, outcome: __, ...known } = act;
        refused.add(known, now());
        soon();
        throw unavailable();
      }
      const written = audit.write(act).then(
        () => true as const,
        (error: unknown) => ({ error }),
      );
      const patience = isFailing ? patienceMs : beforeMs;
      const came = await within(written, patience);
      if (came === true) {
        if (waiting.length === 0) works();
        else void write();
        return act.id;
      }
      const error = came ? came.error : new Error(`no answer within ${patience} ms`);
      if (isHopeless(error)) throw error;
      fails(error);
      notBegun(act);
      throw unavailable();
    },

    /** Resolves when it is written what came of an act, or cannot be for now; never rejects. */
    async finish(id: string, intention: IntendedAct, end: ActResult): Promise<void> {
      const { about, outcome } = storable(end);
      log.info({ audit: logFieldsOf({ id, ...storable(intention), about, outcome }) }, 'an administrator acted');
      const entry: AuditOutcome = { id, at: now(), about, outcome };
      later({ write: () => audit.finish(entry), entry, acts: 1 });
      await within(write(), patienceMs);
    },

    remark: (): string | undefined =>
      isFailing
        ? `administrators may do nothing, and ${waiting.length} entries wait to be written: the database does not answer`
        : undefined,

    /** Tries once more to write what waits; after that nothing is tried again. */
    async close(): Promise<void> {
      await within(lastTry(), 2 * patienceMs);
      isClosed = true;
      clearTimeout(timer);
      clearTimeout(summing);
      tally();
      giveUp();
    },
  };
}

/** Not done, for want of the log. */
const unavailable = (): Problem =>
  new Problem('unavailable', 'what administrators do cannot be written down, so nothing was done: is the database there?', {
    headers: { 'Retry-After': '5' },
  });

/** Whether it is of no use to try again: it says so itself, or the database cannot take these values (SQLSTATE classes 22 and 23). */
const isHopeless = (error: unknown): boolean => isPermanent(error) || /^2[23][0-9A-Z]{3}$/.test(errorCode(error) ?? '');

/** What comes of it within so many milliseconds; undefined when it takes longer. */
async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), ms)));
  const first = await Promise.race([work, late]);
  clearTimeout(timer);
  return first;
}
