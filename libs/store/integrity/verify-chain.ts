import { eventDigest, chainLink } from './hash-chain.ts';
import type { Fault } from './fault.ts';
import type { StoredEvent, StoredTable } from '../ports/maintenance.ts';

/** What a tape says of itself, without the rules of its game. */
export interface ChainReport {
  readonly faults: readonly Fault[];
  /** Whether its events are 1, 2, 3 ... to the last: then it can be folded. */
  readonly isGapless: boolean;
  /** How many of its events were written before there was a chain. */
  readonly unchained: number;
}

/** The hash of the last event, and which one that is: what can be noted elsewhere. */
export interface ChainHead {
  readonly sequence: number;
  readonly hash: string;
}

/**
 * Looks whether a tape is whole: its events are numbered 1, 2, 3 ... to the last that its row knows of; each is linked to the one before it by
 * the hash of what stands there; and the row has the hash of the last. A link is looked at from the hash that is kept before it, so that one
 * event that was altered is one fault, and not one of everything that follows.
 */
export function verifyChain(kept: StoredTable): ChainReport {
  const { row, tape, result } = kept;
  const faults: Fault[] = [];
  if (!row) faults.push({ place: 'row', wrong: 'row', expected: 'a row of the table', found: `none, though ${whatIsThere(kept)}` });
  if (row?.retired !== undefined) {
    if (tape.length)
      faults.push({ place: 'tape', wrong: 'row', expected: 'no event: the tape was removed', found: `${tape.length} events` });
    if (!result)
      faults.push({ place: 'result', wrong: 'result', expected: 'a result: it was kept when the tape was removed', found: 'none' });
    return { faults, isGapless: false, unchained: 0 };
  }
  const gaps = gapsOf(tape, row?.last);
  faults.push(...gaps, ...chainFaults(tape));
  const last = tape.at(-1);
  if (row && last && row.last < last.sequence) {
    const found = `event ${last.sequence} is there`;
    faults.push({ place: 'row', wrong: 'last', expected: `event ${row.last} is the last, as its row says`, found });
  }
  // Where the last event is missing its hash is, too, and that has been said.
  if (row && row.head !== last?.hash && last?.sequence === row.last)
    faults.push({ place: 'row', wrong: 'head', expected: last.hash ?? 'none, for the last event has no hash', found: row.head ?? 'none' });
  const before = tape.findIndex(({ hash }) => hash !== undefined);
  return { faults, isGapless: tape.length > 0 && !gaps.length, unchained: before < 0 ? tape.length : before };
}

/** What can be noted of a table; nothing when its tape is of before the chain. */
export function chainHead({ row, tape }: StoredTable): ChainHead | undefined {
  if (row?.retired !== undefined) return row.head === undefined ? undefined : { sequence: row.last, hash: row.head };
  const last = tape.at(-1);
  return last?.hash === undefined ? undefined : { sequence: last.sequence, hash: last.hash };
}

/** Whether a table still has what was noted of it; the fault when it has not. */
export function checkNotedHead({ row, tape }: StoredTable, { sequence, hash }: ChainHead): readonly Fault[] {
  const isRetired = row?.retired !== undefined;
  if (isRetired && row.last !== sequence) return []; // the tape is gone, and of it only the last hash is known
  const found = isRetired ? row.head : tape.find((event) => event.sequence === sequence)?.hash;
  if (found === hash) return [];
  return [
    {
      place: `event ${sequence}`,
      wrong: 'noted',
      expected: `${hash}, as it was noted`,
      found: found ?? 'no such event, or none with a hash',
    },
  ];
}

function gapsOf(tape: readonly StoredEvent[], last: number | undefined): Fault[] {
  const faults: Fault[] = [];
  const missing = (from: number, to: number) => {
    if (from <= to)
      faults.push({
        place: from === to ? `event ${from}` : `events ${from} to ${to}`,
        wrong: 'sequence',
        expected: 'on the tape',
        found: 'missing',
      });
  };
  let next = 1;
  for (const { sequence } of tape) {
    if (sequence < 1)
      faults.push({ place: `event ${sequence}`, wrong: 'sequence', expected: 'events from 1 on', found: `number ${sequence}` });
    missing(next, sequence - 1);
    next = Math.max(next, sequence + 1);
  }
  missing(next, last ?? 0);
  return faults;
}

function chainFaults(tape: readonly StoredEvent[]): Fault[] {
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
    // What it was linked to is missing, which has been said.
    if (isNext && expected !== event.hash)
      faults.push({ place, wrong: 'chain', expected: `${expected}, the hash of what stands there`, found: event.hash });
  }
  return faults;
}

const whatIsThere = ({ tape, result, rooms }: StoredTable): string =>
  `it has ${tape.length} events, ${result ? 'a' : 'no'} result and ${rooms.length} rooms`;
