import { randomUUID } from 'node:crypto';
import { type Act, type Audit, BEGUN } from '@maw/store/permits.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { type Refused, refusals } from './audit-refusals.ts';
import { Problem } from './problem.ts';

interface Parts {
  readonly audit: Pick<Audit, 'write' | 'finish'>;
  readonly log: Log;
  readonly now: () => number;
  /** How often acts that were refused for want of the log are summed up, in milliseconds; a minute when not given. */
  readonly sumEveryMs?: number;
}

/** So much may wait to be written; then administrators may do nothing more until the database is back. */
const MOST_WAITING = 1_000;
/** A request waits so long until it is written what it is about to do; */
const BEFORE_MS = 10_000;
/** and so long for what is written of it afterwards, or while the log is known not to answer. */
const PATIENCE_MS = 2_000;
const AGAIN_MS = 1_000;
const A_MINUTE = 60_000;
/** What is refused because the log cannot be written. */
const UNAVAILABLE = 'unavailable';

export type AuditTrail = ReturnType<typeof auditTrail>;

/** What is known of an act before it is done. */
export type Intention = Omit<Act, 'id' | 'outcome'>;

/** What came of it: its outcome, and what may be known of it by now. */
type End = Pick<Act, 'about' | 'outcome'>;

/**
 * Writes down what administrators do: that they are about to before anything is done, and what came of it afterwards. An act of which the
 * intention cannot be written is not done. An outcome that cannot be written waits, in order, and is written later; if this process dies before
 * that, the log shows an act of which nobody knows what came.
 */
export function auditTrail({ audit, log, now, sumEveryMs = A_MINUTE }: Parts) {
  const waiting: (() => Promise<void>)[] = [];
  const refused = refusals();
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let summing: NodeJS.Timeout | undefined;
  let isFailing = false;

  async function run(): Promise<void> {
    try {
      for (let next = waiting[0]; next; next = waiting[0]) {
        await next();
        waiting.shift();
        count();
      }
      works();
    } catch (error) {
      fails(error);
      timer = setTimeout(() => void write(), AGAIN_MS);
    }
  }

  const count = (): void => metrics.auditWaiting.set({ service: 'web' }, waiting.length);
  const write = (): Promise<void> => {
    clearTimeout(timer);
    return (writing ??= run().finally(() => (writing = undefined)));
  };

  function works(): void {
    if (isFailing) log.info('the audit log can be written again');
    isFailing = false;
  }

  function fails(error: unknown): void {
    if (!isFailing) log.error({ err: error }, 'the audit log cannot be written; administrators may do nothing until it can');
    isFailing = true;
  }

  function later(what: () => Promise<void>): void {
    waiting.push(what);
    count();
  }

  /** What was refused since the last sum becomes one entry for each administrator. While entries wait, it is summed on. */
  function sum(): void {
    clearTimeout(summing);
    summing = undefined;
    if (waiting.length > 0) return soon();
    const entries = refused.take().map((each) => plain(entryOf(each)));
    for (const entry of entries) later(() => audit.write(entry));
    if (entries.length > 0) void write();
  }

  function soon(): void {
    summing ??= setTimeout(sum, sumEveryMs).unref();
  }

  /** Not done, for want of the log: what is said of it is counted. @throws Problem unavailable */
  function refuse(act: Intention): never {
    refused.add(act, now());
    soon();
    throw new Problem(UNAVAILABLE, 'what administrators do cannot be written down, so nothing was done: is the database there?', {
      headers: { 'Retry-After': '5' },
    });
  }

  return {
    /**
     * Writes down that somebody is about to do something.
     * @returns the id of the act
     * @throws Problem unavailable when that cannot be written: then nothing may be done
     */
    async begin(intention: Intention): Promise<string> {
      const id = randomUUID();
      const known = plain(intention);
      if (waiting.length >= MOST_WAITING) refuse(known);
      const written = audit.write({ id, ...known, outcome: BEGUN }).then(
        () => true,
        (error: unknown) => (fails(error), false),
      );
      const patience = isFailing ? PATIENCE_MS : BEFORE_MS;
      const isWritten = await within(written, patience);
      if (isWritten) {
        if (waiting.length === 0) works();
        return id;
      }
      if (isWritten === undefined) fails(new Error(`no answer within ${patience} ms`));
      // Whoever loses a connection cannot tell whether it was written: if so, this is what came of it.
      const at = now();
      later(() => audit.finish({ id, at, about: known.about, outcome: UNAVAILABLE }));
      void write();
      return refuse(known);
    },

    /** Resolves when it is written what came of an act, or cannot be for now; never rejects. */
    async finish(id: string, intention: Intention, end: End): Promise<void> {
      const about = plain(end);
      log.info({ audit: { id, ...plain(intention), ...about, tokenId: intention.token } }, 'an administrator acted');
      const at = now();
      later(() => audit.finish({ id, at, ...about }));
      await within(write(), PATIENCE_MS);
    },

    remark: (): string | undefined =>
      isFailing
        ? `administrators may do nothing, and ${waiting.length} entries wait to be written: the database does not answer`
        : undefined,

    /** Tries once more to write what waits. */
    async close(): Promise<void> {
      if (waiting.length > 0) await within(write(), PATIENCE_MS);
      sum();
      clearTimeout(summing);
      if (waiting.length > 0 && !isFailing) await within(write(), PATIENCE_MS);
      clearTimeout(timer);
      const lost = waiting.length + refused.take().length;
      if (lost > 0) log.error({ acts: lost }, 'the audit log lacks what is in the lines of this log alone');
    },
  };
}

/** The entry for the acts of one administrator that were refused. */
const entryOf = ({ first, last, times }: Refused): Act => ({
  id: randomUUID(),
  ...first,
  what: times === 1 ? first.what : `${first.what} and ${times - 1} more`,
  about: { refused: times, until: last },
  outcome: UNAVAILABLE,
});

/** The same with texts that can be kept, none of them long. */
const plain = <T>(value: T): T =>
  JSON.parse(
    JSON.stringify(value, (_, each: unknown) => (typeof each === 'string' ? each.slice(0, 300).toWellFormed().replaceAll('\0', '') : each)),
  ) as T;

/** What comes of it within so many milliseconds; undefined when it takes longer. */
async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), ms)));
  const first = await Promise.race([work, late]);
  clearTimeout(timer);
  return first;
}
