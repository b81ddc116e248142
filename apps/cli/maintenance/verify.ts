import { verifyTable } from '@maw/gamemaster/service.ts';
import { truncate } from '@maw/games/kernel/preview.ts';
import type { Fault } from '@maw/store/integrity/fault.ts';
import { chainHead, checkNotedHead, verifyChain } from '@maw/store/integrity/verify-chain.ts';
import type { StoredTable } from '@maw/store/ports/maintenance.ts';
import type { CliConfig } from '../config.ts';
import { openStore, tableIds } from './open-store.ts';
import { createProgress } from '../progress.ts';
import { sanitizeText } from '../transcript.ts';
import { type HeadRecord, readHeadsFile } from './verify-heads.ts';

interface VerifyOptions {
  readonly all: boolean;
  /** The file with heads that were noted before. */
  readonly heads?: string;
  /** How far rooms may be behind the tape, in milliseconds. */
  readonly lag: number;
  readonly json: boolean;
  readonly data: string;
}

/** The longest line of a fault, in characters. */
const LONGEST_LINE = 1_000;

/**
 * `maw verify TABLE`, `maw verify --all`: checks that tapes, rows, results and rooms are complete and consistent. Faults go to stderr, a
 * line each; the heads of the tapes go to stdout. One table is in memory at a time.
 * @returns the exit code: 1 when anything is wrong, 130 when it was stopped
 * @throws Error when there is no such table, no store, or the file of heads cannot be read
 */
export async function verifyTables(
  table: string | undefined,
  options: VerifyOptions,
  config: CliConfig,
  signal: AbortSignal,
): Promise<number> {
  if ((table === undefined) !== options.all) throw new Error('name one table, or say --all');
  const store = await openStore(options, config);
  const bar = createProgress(process.stderr, options.all ? await store.maintenance.countTables() : 1);
  try {
    const report = reportOf(options, bar.end);
    const notes = options.heads === undefined ? undefined : await readHeadsFile(options.heads);
    const look = async (id: string): Promise<void> => {
      for await (const noted of notes?.before(id) ?? []) if (options.all) report.gone(noted);
      const kept = await store.maintenance.readTable(id);
      const faults: Fault[] = kept ? [...verifyTable(kept, { now: Date.now(), lagMs: options.lag })] : [];
      let isNoted = false;
      for await (const noted of notes?.of(id) ?? []) {
        isNoted = true;
        if (!kept) report.gone(noted);
        else faults.push(...checkNotedHead(kept, noted.head));
      }
      if (kept) report.table(kept, faults);
      else if (!options.all && !isNoted) throw new Error(`there is no table ${truncate(id)}; ./maw tables lists them`);
    };
    if (table !== undefined) await look(table);
    else {
      for await (const id of tableIds(store)) {
        await new Promise(setImmediate); // an embedded database leaves no time for signals
        if (signal.aborted) break;
        await look(id);
        bar.at(report.tables());
      }
      if (!signal.aborted) for await (const noted of notes?.rest() ?? []) report.gone(noted);
    }
    bar.end();
    return report.end(signal.aborted);
  } finally {
    bar.end();
    await store.close();
  }
}

/** Prints the result of each table and counts them. @param clear removes the progress bar before a line */
function reportOf({ all, json }: VerifyOptions, clear: () => void) {
  const seen = { tables: 0, events: 0, before: 0, faults: 0, faulty: 0 };
  const out = (line: string): void => void process.stdout.write(`${line}\n`);
  const wrong = (table: string, { place, wrong: what, expected, found }: Fault): void => {
    clear();
    const line = `maw: ${table}: ${place}: ${what}: expected ${truncate(expected, LONGEST_LINE / 3)}, found ${truncate(found, LONGEST_LINE / 3)}`;
    process.stderr.write(`${sanitizeText(line)}\n`);
  };
  const isListed = !all || !process.stdout.isTTY; // a screen has no room for the heads of all tables

  return {
    tables: () => seen.tables,
    table(kept: StoredTable, faults: readonly Fault[]): void {
      const { table, tape, row } = kept;
      const head = chainHead(kept);
      const { unchained: before } = verifyChain(kept);
      seen.tables++;
      seen.events += tape.length;
      seen.before += before;
      seen.faults += faults.length;
      seen.faulty += faults.length ? 1 : 0;
      if (json) out(JSON.stringify({ type: 'table', table, events: tape.length, before, retired: row?.retired, head, faults }));
      for (const fault of faults) wrong(table, fault);
      if (json || !isListed) return;
      clear();
      out(`${sanitizeText(table)}  ${head?.sequence ?? tape.length}  ${head?.hash ?? 'before-the-chain'}`);
    },
    /** A table of the heads file that is missing. */
    gone({ table, head }: HeadRecord): void {
      seen.faults++;
      seen.faulty++;
      const fault: Fault = {
        place: 'table',
        wrong: 'noted',
        expected: `event ${head.sequence} with ${head.hash}, as it was noted`,
        found: 'no such table',
      };
      if (json) out(JSON.stringify({ type: 'table', table, events: 0, before: 0, faults: [fault] }));
      wrong(table, fault);
    },
    end(isStopped: boolean): number {
      const { tables, events, before, faults, faulty } = seen;
      if (json) out(JSON.stringify({ type: 'summary', ...seen, stopped: isStopped }));
      const parts = [
        `${tables} ${tables === 1 ? 'table' : 'tables'}, ${events} events`,
        ...(before ? [`${before} of them before the chain`] : []),
        faults ? `${faults} ${faults === 1 ? 'fault' : 'faults'} in ${faulty} ${faulty === 1 ? 'table' : 'tables'}` : 'nothing is wrong',
      ];
      process.stderr.write(`${parts.join(', ')}${isStopped ? '; stopped before the end' : ''}\n`);
      if (faults) return 1;
      return isStopped ? 130 : 0;
    },
  };
}
