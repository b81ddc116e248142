import { createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { verifyTable } from '@maw/gamemaster/service.ts';
import { truncate } from '@maw/games/kernel/preview.ts';
import { parseJson } from '@maw/lab/parse-json.ts';
import { adjudicate } from '../records/adjudicate.ts';
import type { Fault } from '@maw/store/integrity/fault.ts';
import { type ChainHead, chainHead, checkNotedHead, verifyChain } from '@maw/store/integrity/verify-chain.ts';
import type { StoredTable } from '@maw/store/ports/maintenance.ts';
import type { CliConfig } from '../config.ts';
import { tableIds } from '@maw/store/table-ids.ts';
import { withStore } from './open-store.ts';
import { aside, counted, say } from '../output.ts';
import { createProgress } from '../progress.ts';
import { sanitizeText } from '@maw/text/sanitize-text.ts';
import type { Store } from '@maw/store/store.ts';
import { z } from 'zod';

interface VerifyOptions {
  readonly all: boolean;
  /** The file with heads that were noted before. */
  readonly heads?: string;
  /** How far rooms may be behind the tape, in milliseconds. */
  readonly lag: number;
  readonly json: boolean;
  readonly data: string;
}

/** What is verified, and how it is told. */
interface Verification extends Pick<VerifyOptions, 'heads' | 'lag' | 'json'> {
  /** Undefined: all tables. */
  readonly table: string | undefined;
  /** The moment that rooms may lag behind, in milliseconds since the epoch. */
  readonly now: () => number;
  /** Whether the heads of tapes are printed. */
  readonly isListed: boolean;
}

/** The longest line of a fault, in characters. */
const MAX_LINE = 1_000;

/**
 * `maw verify TABLE`, `maw verify --all`: checks that tapes, rows, results and rooms are complete and consistent. A file with records is adjudicated. Faults go to stderr, a
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
  const { all, heads, lag, json } = options;
  if ((table === undefined) !== all) throw new Error('name one table, or say --all');
  if (table?.includes('.') && existsSync(table)) return adjudicate([table], { strict: false, json, pretty: false }, config); // a record
  const isListed = !all || !process.stdout.isTTY; // a screen has no room for the heads of all tables
  const { faults, isStopped } = await withStore(options, config, (store) =>
    verifyStore(store, { table, ...(heads !== undefined && { heads }), lag, json, isListed, now: Date.now }, signal),
  );
  if (faults) return 1;
  return isStopped ? 130 : 0;
}

/**
 * Verifies one table of a store, or all.
 * @throws Error when there is no such table, or the file of heads cannot be read
 */
export async function verifyStore(store: Store, about: Verification, signal: AbortSignal) {
  const { table, heads, lag, now } = about;
  const bar = createProgress(process.stderr, table === undefined ? await store.maintenance.countTables() : 1);
  try {
    const report = reportOf(about, bar.end);
    const notes = heads === undefined ? new Map<string, readonly ChainHead[]>() : await readHeadsFile(heads);
    const look = async (id: string): Promise<void> => {
      const kept = await store.maintenance.readTable(id);
      const noted = notes.get(id) ?? [];
      notes.delete(id);
      if (kept) {
        const faults = noted.flatMap((head) => [...checkNotedHead(kept, head)]);
        report.table(kept, [...verifyTable(kept, { now: now(), lagMs: lag }), ...faults]);
      } else if (noted.length) for (const head of noted) report.gone(id, head);
      else if (table !== undefined) throw new Error(`there is no table ${truncate(id)}; ./maw tables lists them`);
    };
    if (table !== undefined) await look(table);
    else {
      for await (const id of tableIds(store)) {
        await new Promise(setImmediate); // an embedded database leaves no time for signals
        if (signal.aborted) break;
        await look(id);
        bar.at(report.tables());
      }
      if (!signal.aborted) for (const [id, noted] of notes) for (const head of noted) report.gone(id, head);
    }
    bar.end();
    return report.end(signal.aborted);
  } finally {
    bar.end();
  }
}

/** Prints the result of each table and counts them. @param clear removes the progress bar before a line */
function reportOf({ json, isListed }: Verification, clear: () => void) {
  /** `before`: events before the hash chain; `faulty`: tables with faults. */
  const seen = { tables: 0, events: 0, before: 0, faults: 0, faulty: 0 };
  const wrong = (table: string, { place, wrong: what, expected, found }: Fault): void => {
    clear();
    const line = `maw: ${table}: ${place}: ${what}: expected ${truncate(expected, MAX_LINE / 3)}, found ${truncate(found, MAX_LINE / 3)}`;
    aside(sanitizeText(line));
  };
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
      if (json) say(JSON.stringify({ type: 'table', table, events: tape.length, before, retired: row?.retired, head, faults }));
      for (const fault of faults) wrong(table, fault);
      if (json || !isListed) return;
      clear();
      say(`${sanitizeText(table)}  ${head?.sequence ?? tape.length}  ${head?.hash ?? 'before-the-chain'}`);
    },
    /** A table of the heads file that is missing. */
    gone(table: string, head: ChainHead): void {
      seen.faults++;
      seen.faulty++;
      const fault: Fault = {
        place: 'table',
        wrong: 'noted',
        expected: `event ${head.sequence} with ${head.hash}, as it was noted`,
        found: 'no such table',
      };
      if (json) say(JSON.stringify({ type: 'table', table, events: 0, before: 0, faults: [fault] }));
      wrong(table, fault);
    },
    end(isStopped: boolean) {
      const { tables, events, before, faults, faulty } = seen;
      if (json) say(JSON.stringify({ type: 'summary', ...seen, stopped: isStopped }));
      const parts = [
        `${counted(tables, 'table')}, ${events} events`,
        ...(before ? [`${before} of them before the chain`] : []),
        faults ? `${counted(faults, 'fault')} in ${counted(faulty, 'table')}` : 'nothing is wrong',
      ];
      aside(`${parts.join(', ')}${isStopped ? '; stopped before the end' : ''}`);
      return { ...seen, isStopped };
    },
  };
}

const HASH = /^[0-9a-f]{64}$/;
const line = z.object({ table: z.string(), head: z.object({ sequence: z.int().min(1), hash: z.string().regex(HASH) }).optional() });

/**
 * The heads that were noted in a file that `maw verify` has printed, with or without --json, by table.
 * @throws Error when the file cannot be read, or naming the line that is not a head
 */
export async function readHeadsFile(file: string): Promise<Map<string, readonly ChainHead[]>> {
  const heads = new Map<string, readonly ChainHead[]>();
  let n = 0;
  try {
    for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      n++;
      const noted = readNote(text);
      if (noted === 'nothing') continue;
      if (!noted) throw new Error(`${file}:${n}: is not a head; a line has a table, a sequence and a hash, as ./maw verify prints them`);
      heads.set(noted.table, [...(heads.get(noted.table) ?? []), noted.head]);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(`${file}: cannot be read (${code}); it is where ./maw verify has printed its heads to`, { cause: error });
  }
  return heads;
}

/** A head; `nothing` for a line that says nothing that could be compared. */
function readNote(text: string): { readonly table: string; readonly head: ChainHead } | 'nothing' | undefined {
  if (!text.trim()) return 'nothing';
  if (text.startsWith('{')) {
    const parsed = parseJson(text);
    if (typeof parsed === 'object' && parsed !== null && 'type' in parsed && parsed.type === 'summary') return 'nothing';
    const read = line.safeParse(parsed);
    if (!read.success) return undefined;
    return read.data.head ? { table: read.data.table, head: read.data.head } : 'nothing';
  }
  const [, table, sequence, hash] = /^(\S+)\s+(\d+)\s+(\S+)\s*$/.exec(text) ?? [];
  if (table === undefined || hash === undefined) return undefined;
  if (hash === 'before-the-chain') return 'nothing';
  return HASH.test(hash) && Number(sequence) > 0 ? { table, head: { sequence: Number(sequence), hash } } : undefined;
}
