import type { Opening } from '@maw/games/match/state.ts';
import { catalogue } from '@maw/games/catalogue.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import { differs, type Fault } from '@maw/store/fault.ts';
import type { Recorded } from '@maw/store/store.ts';
import { isOver } from '@maw/store/summary.ts';
import { unbroken } from '@maw/store/unbroken.ts';
import type { KeptTable } from '@maw/store/upkeep.ts';
import { type Ledger, write } from './ledger.ts';
import { roomNews } from './room-news.ts';
import { blank, resultOf, summaryOf } from './tables.ts';
import { type RoomOfTape, roomFaults, roomsOfTape } from './verify-rooms.ts';

export interface Verifying {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** How far rooms may be behind the tape, in milliseconds: what was written down later may still be on its way to them. */
  readonly lagMs: number;
  /** The games that can be played; those of the catalogue when not given. */
  readonly sets?: readonly RuleSet[];
}

/**
 * Everything of a table that is not as it should be: a tape that is not whole, or was altered; a row, a result, rooms or lines that are not
 * what follows from it. A tape with gaps is not folded.
 */
export function verify(kept: KeptTable, { now, lagMs, sets = catalogue }: Verifying): readonly Fault[] {
  const { faults, isGapless } = unbroken(kept);
  if (!isGapless) return faults;
  const followed = follow(kept, sets);
  if ('wrong' in followed) return [...faults, followed];
  const { ledger, rooms } = followed;
  return [...faults, ...rowFaults(kept, ledger), ...roomFaults(rooms, kept.rooms, now - lagMs)];
}

/** The fold of a whole tape, and the rooms that follow from it; or where it does not fold. Nobody looks: no eye's view is made. */
function follow({ table, tape }: KeptTable, sets: readonly RuleSet[]): { ledger: Ledger; rooms: ReadonlyMap<string, RoomOfTape> } | Fault {
  let at: Recorded = tape[0]!;
  try {
    const { opening } = at.event as unknown as { readonly opening: Opening };
    const ledger: Ledger = { ...blank(table, opening, sets).ledger, sights: new Map() };
    const counted = new Map<string, number>();
    const rooms = roomsOfTape();
    for (at of tape) {
      const before = ledger.standing;
      write(ledger, [at]);
      const about = (kind: string) => ({ id: `${table}/${at.sequence}/${kind}`, source: 'gamemaster', subject: table, at: at.at });
      for (const message of roomNews(ledger, at, { before, after: ledger.standing }, counted, about)) rooms.hear(message, at.at);
    }
    return { ledger, rooms: rooms.all };
  } catch (error) {
    const found = `${(error as Error).message}${otherVersion(tape[0]!, sets)}`;
    return { place: `event ${at.sequence}`, wrong: 'fold', expected: 'an event that can follow on those before it', found };
  }
}

/** What is worth knowing of a tape that does not fold. */
function otherVersion({ event }: Recorded, sets: readonly RuleSet[]): string {
  const { rules, version } = (event['opening'] ?? {}) as Partial<Opening>;
  const here = sets.find(({ name }) => name === rules)?.version;
  return here === undefined || here === version ? '' : ` (it was played by version ${version} of ${rules}, here is version ${here})`;
}

function rowFaults({ row, result, tape }: KeptTable, ledger: Ledger): readonly Fault[] {
  const { standing, game } = ledger;
  const { opened, summary, isOver: over, wake } = row ?? {};
  const shouldBe = summaryOf(ledger);
  const faults = [...differs('result', 'result', resultOf(ledger), result)];
  if (!row) return faults;
  return [
    ...differs('row', 'opened', tape[0]!.at, opened),
    ...differs('row', 'summary', shouldBe, summary),
    ...differs('row', 'over', isOver(shouldBe), over),
    ...differs('row', 'wake', game.wake(standing), wake),
    ...faults,
  ];
}
