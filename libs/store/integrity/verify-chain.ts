import { chainLink, eventDigest } from './hash-chain.ts';
import type { Fault } from './fault.ts';
import type { StoredEvent, StoredTable } from '../ports/maintenance.ts';

/** What can be verified of a tape without the rules of its game. */
interface ChainReport {
  readonly faults: readonly Fault[];
  /** Whether its events are 1, 2, 3 ... to the last, so that it can be folded. */
  readonly isGapless: boolean;
  /** How many of its events were written before hash chains existed. */
  readonly unchained: number;
}

/** The hash of the last event of a tape, to be noted elsewhere as evidence. */
export interface ChainHead {
  readonly sequence: number;
  readonly hash: string;
}

/**
 * Verifies a tape: its events are numbered 1, 2, 3 ... to the last one in the table's row, each is linked by its hash to the one before it, and
 * the row has the hash of the last. Each link starts from the stored hash before it, so that one altered event is one fault.
 */
export function verifyChain(stored: StoredTable): ChainReport {
  const { row, tape } = stored;
  if (row?.retired !== undefined) return { faults: retiredFaults(stored), isGapless: false, unchained: 0 };
  const gaps = gapFaults(tape, row?.last);
  const chained = tape.findIndex(({ hash }) => hash !== undefined);
  return {
    faults: [...missingRowFaults(stored), ...gaps, ...linkFaults(tape), ...rowFaults(stored)],
    isGapless: tape.length > 0 && !gaps.length,
    unchained: chained < 0 ? tape.length : chained,
  };
}

/** The head to note of a table; undefined when its tape was written before hash chains existed. */
export function chainHead({ row, tape }: StoredTable): ChainHead | undefined {
  const last = row?.retired === undefined ? tape.at(-1) : { sequence: row.last, hash: row.head };
  return last?.hash === undefined ? undefined : { sequence: last.sequence, hash: last.hash };
}

/** The fault when a table no longer has a noted head. */
export function checkNotedHead({ row, tape }: StoredTable, { sequence, hash }: ChainHead): readonly Fault[] {
  const isRetired = row?.retired !== undefined;
  if (isRetired && row.last !== sequence) return []; // of a removed tape only the last hash is known
  const found = isRetired ? row.head : tape.find((event) => event.sequence === sequence)?.hash;
  if (found === hash) return [];
  const expected = `${hash}, as it was noted`;
  return [{ place: `event ${sequence}`, wrong: 'noted', expected, found: found ?? 'no such event, or none with a hash' }];
}

function retiredFaults({ tape, result }: StoredTable): readonly Fault[] {
  const faults: Fault[] = [];
  if (tape.length) faults.push({ place: 'tape', wrong: 'row', expected: 'no event: the tape was removed', found: `${tape.length} events` });
  if (!result)
    faults.push({ place: 'result', wrong: 'result', expected: 'a result: it was kept when the tape was removed', found: 'none' });
  return faults;
}

function missingRowFaults({ row, tape, result, rooms }: StoredTable): readonly Fault[] {
  if (row) return [];
  const found = `none, though it has ${tape.length} events, ${result ? 'a' : 'no'} result and ${rooms.length} rooms`;
  return [{ place: 'row', wrong: 'row', expected: 'a row of the table', found }];
}

/** Whether the row agrees with the last event. A missing last event is a gap already, and its hash is not compared. */
function rowFaults({ row, tape }: StoredTable): readonly Fault[] {
  const last = tape.at(-1);
  if (!row || !last) return [];
  if (row.last < last.sequence) {
    const found = `event ${last.sequence} is there`;
    return [{ place: 'row', wrong: 'last', expected: `event ${row.last} is the last, as its row says`, found }];
  }
  if (row.head === last.hash || row.last !== last.sequence) return [];
  return [{ place: 'row', wrong: 'head', expected: last.hash ?? 'none, for the last event has no hash', found: row.head ?? 'none' }];
}

function gapFaults(tape: readonly StoredEvent[], last = 0): readonly Fault[] {
  const faults: Fault[] = [];
  const missing = (from: number, to: number) => {
    const place = from === to ? `event ${from}` : `events ${from} to ${to}`;
    if (from <= to) faults.push({ place, wrong: 'sequence', expected: 'on the tape', found: 'missing' });
  };
  let next = 1;
  for (const { sequence } of tape) {
    if (sequence < 1)
      faults.push({ place: `event ${sequence}`, wrong: 'sequence', expected: 'events from 1 on', found: `number ${sequence}` });
    missing(next, sequence - 1);
    next = Math.max(next, sequence + 1);
  }
  missing(next, last);
  return faults;
}

function linkFaults(tape: readonly StoredEvent[]): readonly Fault[] {
  const faults: Fault[] = [];
  let before: StoredEvent | undefined;
  let link: string | undefined;
  for (const event of tape) {
    const place = `event ${event.sequence}`;
    const isNext = event.sequence === (before?.sequence ?? 0) + 1;
    before = event;
    if (event.hash === undefined) {
      if (link !== undefined) faults.push({ place, wrong: 'chain', expected: 'a hash: the chain began before it', found: 'none' });
      continue;
    }
    const expected = chainLink(link, eventDigest(event));
    link = event.hash;
    // After a gap, which is a fault already, the link cannot be verified.
    if (isNext && expected !== event.hash)
      faults.push({ place, wrong: 'chain', expected: `${expected}, the hash of what stands there`, found: event.hash });
  }
  return faults;
}
