import { randomUUID } from 'node:crypto';
import type { Act, Audit } from '@maw/store/permits.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { Problem } from './problem.ts';

interface Parts {
  readonly audit: Pick<Audit, 'write'>;
  readonly log: Log;
}

/** So many acts may wait to be written; then administrators may do nothing more until the database is back. */
const MOST_WAITING = 1_000;
/** An answer waits so long for its entry. */
const PATIENCE_MS = 2_000;
const AGAIN_MS = 1_000;

export type AuditTrail = ReturnType<typeof auditTrail>;

/**
 * Writes down what administrators do: as a line of the log at once, and in the database as soon as it can be. What cannot be written
 * waits, in order, and is written later.
 */
export function auditTrail({ audit, log }: Parts) {
  const waiting: Act[] = [];
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isFailing = false;

  async function run(): Promise<void> {
    try {
      for (let act = waiting[0]; act; act = waiting[0]) {
        await audit.write(act);
        waiting.shift();
        count();
      }
      if (isFailing) log.info('the audit log can be written again');
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.error({ err: error }, 'the audit log cannot be written; what is done waits for it');
      isFailing = true;
      timer = setTimeout(() => void write(), AGAIN_MS);
    }
  }

  const count = (): void => metrics.auditWaiting.set({ service: 'web' }, waiting.length);
  const write = (): Promise<void> => {
    clearTimeout(timer);
    return (writing ??= run().finally(() => (writing = undefined)));
  };

  return {
    /** @throws Problem unavailable when so much waits that no more may be done */
    mayAct(): void {
      if (waiting.length >= MOST_WAITING)
        throw new Problem('unavailable', 'what administrators do cannot be written down: is the database there?', {
          headers: { 'Retry-After': '5' },
        });
    },
    /** Resolves when it is written, or cannot be for now; never rejects. */
    async note(done: Omit<Act, 'id'>): Promise<void> {
      const act: Act = { id: randomUUID(), ...plain(done) };
      log.info({ audit: { ...act, tokenId: act.token } }, 'an administrator acted');
      waiting.push(act);
      count();
      await within(write(), PATIENCE_MS);
    },
    remark: (): string | undefined =>
      isFailing ? `${waiting.length} acts of administrators wait to be written: the database does not answer` : undefined,
    /** Tries once more to write what waits. */
    async close(): Promise<void> {
      clearTimeout(timer);
      if (waiting.length > 0) await within(write(), PATIENCE_MS);
      clearTimeout(timer);
      if (waiting.length > 0) log.error({ acts: waiting.length }, 'the audit log lacks what is in the lines of this log alone');
    },
  };
}

/** The same with texts that can be kept, none of them long. */
const plain = <T>(value: T): T =>
  JSON.parse(
    JSON.stringify(value, (_, each: unknown) => (typeof each === 'string' ? each.slice(0, 300).toWellFormed().replaceAll('\0', '') : each)),
  ) as T;

async function within(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([work, late]);
  clearTimeout(timer);
}
