import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { type Answer, isSettled, majorityOf, type Open, type Question, stepOf } from '@maw/games/kernel/question.ts';
import type { NarratedEvent } from '../measures/game-record.ts';
import type { FaultKind } from './result.ts';

/** A fault of a seat. */
export interface SeatFault {
  readonly seat: number;
  readonly kind: FaultKind;
  readonly times: number;
}

/** A question of a tape that is not closed yet. */
interface Asked extends Open {
  readonly answers: Answer[];
  readonly passed: number[];
}

/**
 * What seats did wrong, one fault at a time, as a tape has it: turns that ran out and choices that were not made in time (`late`, or `defaulted` where
 * the rules chose), and refused acts (`invalid`). Nobody has to speak, or to act where the rules make it optional.
 * @param rules the name of the rule set
 */
export const tapeFaults = (rules: string, tape: readonly NarratedEvent[]): readonly SeatFault[] => tape.flatMap(faultReader(rules));

/** The faults that an event shows, given those before it. */
function faultReader(rules: string): (event: NarratedEvent) => readonly SeatFault[] {
  const { optional = [] } = ruleSetNamed(rules).record;
  const open = new Map<string, Asked>();
  return (event) => {
    const id = String(event['question']);
    const asked = open.get(id);
    switch (event.type) {
      case 'asked': {
        const question = event['question'] as Question;
        open.set(question.id, { ...question, answers: [], passed: [] });
        return [];
      }
      case 'answered':
        asked?.answers.push(event['answer'] as Answer);
        return [];
      case 'passed':
        asked?.passed.push(Number(event['seat']));
        return [{ seat: Number(event['seat']), kind: 'late', times: 1 }];
      case 'refused':
        return LATE.has(String(event['reason'])) ? [] : [{ seat: Number(event['seat']), kind: 'invalid', times: 1 }];
      case 'settled':
        open.delete(id);
        return asked && !optional.includes(stepOf(id)) ? settledFaults(asked, (event['defaulted'] ?? []) as readonly Answer[]) : [];
      default:
        return [];
    }
  };
}

/** Refusals of what came too late: what is missing then is a fault of its own, or none. */
const LATE: ReadonlySet<string> = new Set(['phase-over', 'already-answered', 'paused', 'dead']);

/** So many answers in a row, up to the end of a game, are missing of a program that is gone. */
const MISSING = 3;

/**
 * The tape without the last games in which a program was gone at the end, as nobody plays for it, and the seat.
 * @param seats of programs
 */
export function untilGone(rules: string, tape: readonly NarratedEvent[], seats: readonly number[]) {
  const faultsIn = faultReader(rules);
  const missing = new Map<number, number>();
  let gone: { readonly seat: number; readonly from: number } | undefined;
  for (const [i, event] of tape.entries()) {
    const faults = faultsIn(event);
    if (event.type === 'answered') missing.set((event['answer'] as Answer).by, 0);
    if (event.type === 'refused') missing.set(Number(event['seat']), 0);
    for (const { seat, kind } of faults) if (kind !== 'invalid') missing.set(seat, (missing.get(seat) ?? 0) + 1);
    if (event.type !== 'scored') continue;
    const seat = seats.find((each) => (missing.get(each) ?? 0) >= MISSING);
    gone = seat === undefined ? undefined : (gone ?? { seat, from: i });
  }
  return { tape: gone ? tape.slice(0, gone.from) : tape, gone: gone?.seat };
}

function settledFaults(q: Asked, defaulted: readonly Answer[]): readonly SeatFault[] {
  if (q.verb !== 'choose' || isDecided(q)) return [];
  const silent = q.of.filter((seat) => !q.passed.includes(seat) && !q.answers.some(({ by }) => by === seat));
  return silent.map((seat) => ({ seat, kind: defaulted.some(({ by }) => by === seat) ? 'defaulted' : 'late', times: 1 }));
}

/** Whether the votes settled a question before its deadline, so that those who had not voted yet did nothing wrong. */
const isDecided = (q: Open): boolean => (q.settles === 'on-majority' ? majorityOf(q) !== undefined : isSettled(q, q.until));
