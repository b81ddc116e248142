import type { Opening } from '@maw/games/match/state.ts';
import { catalogue } from '@maw/games/catalogue.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import { diffFaults, type Fault } from '@maw/store/integrity/fault.ts';
import { type RecordedEvent, isOver } from '@maw/store/ports/tapes.ts';
import { verifyChain } from '@maw/store/integrity/verify-chain.ts';
import type { StoredTable } from '@maw/store/ports/maintenance.ts';
import { type TableState, applyEvents } from '../state/table-state.ts';
import { roomMessages } from '../messages/room-messages.ts';
import { blank, resultOf, summaryOf } from '../tables/table-cache.ts';
import { type RoomOfTape, roomFaults, roomsOfTape } from './verify-rooms.ts';

interface VerifyOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** How far rooms may lag behind the tape, in milliseconds: later messages may still be in flight. */
  readonly lagMs: number;
  /** The games that can be played; those of the catalogue when not given. */
  readonly sets?: readonly RuleSet[];
}

/**
 * Verifies all that is stored of a table: its tape for gaps and alterations; its row, result, rooms and lines against the fold of the tape.
 * A tape with gaps is not folded.
 */
export function verifyTable(kept: StoredTable, { now, lagMs, sets = catalogue }: VerifyOptions): readonly Fault[] {
  const { faults, isGapless } = verifyChain(kept);
  if (!isGapless) return faults;
  const followed = follow(kept, sets);
  if ('wrong' in followed) return [...faults, followed];
  const { state, rooms } = followed;
  return [...faults, ...rowFaults(kept, state), ...roomFaults(rooms, kept.rooms, now - lagMs)];
}

/** The fold of a tape and the rooms that follow from it, or the fault where it does not fold. Views are not computed. */
function follow(
  { table, tape }: StoredTable,
  sets: readonly RuleSet[],
): { state: TableState; rooms: ReadonlyMap<string, RoomOfTape> } | Fault {
  let at: RecordedEvent = tape[0]!;
  try {
    const { opening } = at.event as unknown as { readonly opening: Opening };
    const state: TableState = { ...blank(table, opening, sets).state, views: new Map() };
    const counted = new Map<string, number>();
    const rooms = roomsOfTape();
    for (at of tape) {
      const before = state.standing;
      applyEvents(state, [at]);
      const about = () => ({ id: table, source: 'gamemaster', subject: table, at: at.at }); // not published: the id does not matter
      for (const { message } of roomMessages(state, at, { before, after: state.standing }, counted, false, about)) rooms.hear(message, at);
    }
    return { state, rooms: rooms.all };
  } catch (error) {
    const found = `${(error as Error).message}${otherVersion(tape[0]!, sets)}`;
    return { place: `event ${at.sequence}`, wrong: 'fold', expected: 'an event that can follow on those before it', found };
  }
}

/** A hint for a tape that does not fold. */
function otherVersion({ event }: RecordedEvent, sets: readonly RuleSet[]): string {
  const { rules, version } = (event['opening'] ?? {}) as Partial<Opening>;
  const here = sets.find(({ name }) => name === rules)?.version;
  return here === undefined || here === version ? '' : ` (it was played by version ${version} of ${rules}, here is version ${here})`;
}

function rowFaults({ row, result, tape }: StoredTable, state: TableState): readonly Fault[] {
  const { standing, game } = state;
  const { opened, summary, isOver: over, wake } = row ?? {};
  const shouldBe = summaryOf(state);
  const faults = [...diffFaults('result', 'result', resultOf(state), result)];
  if (!row) return faults;
  return [
    ...diffFaults('row', 'opened', tape[0]!.at, opened),
    ...diffFaults('row', 'summary', shouldBe, summary),
    ...diffFaults('row', 'over', isOver(shouldBe), over),
    ...diffFaults('row', 'wake', game.wake(standing), wake),
    ...faults,
  ];
}
