import { type Game, isTableEvent } from '../kernel/play.ts';
import type { Seat } from '../kernel/question.ts';
import type { TableEvent } from '../kernel/rules.ts';

type Event = { readonly type: string };

/** Situations a seat cannot tell apart when it chooses: its view is the same in all of them. */
export interface InformationSet {
  /** Numbered from 0 in the order of discovery. */
  readonly number: number;
  readonly seat: Seat;
  readonly question: string;
  readonly answers: readonly (readonly string[])[];
  readonly seen: readonly Event[];
}

export function informationSets({ rules }: Pick<Game<unknown, Event>, 'rules'>) {
  const found = new Map<string, InformationSet>();
  return {
    get all(): readonly InformationSet[] {
      return [...found.values()];
    },
    /** The set of a situation. @throws Error when the same view comes with other options, which would reveal what the view hides */
    of(situation: Omit<InformationSet, 'number'>): InformationSet {
      const key = canonical([situation.seat, situation.question, situation.seen.map(untimed)]);
      const known = found.get(key);
      if (!known) {
        const set = { number: found.size, ...situation };
        found.set(key, set);
        return set;
      }
      if (canonical(known.answers) !== canonical(situation.answers))
        throw new Error(`in ${rules.name} the options of seat ${situation.seat} at ${situation.question} tell what it has not seen`);
      return known;
    },
  };
}

/** An event without its times, which depend on the speed of play. A game's own events call them `until`. */
function untimed(event: Event): unknown {
  if (!isTableEvent(event)) return 'until' in event ? { ...event, until: 0 } : event;
  const e: TableEvent = event;
  switch (e.type) {
    case 'asked':
      return { ...e, question: { ...e.question, until: 0, turnMs: 0, grace: undefined } };
    case 'answered':
    case 'passed':
    case 'ready':
      return { ...e, at: 0 };
    case 'delayed':
    case 'resumed':
      return { ...e, ms: 0, at: 0 };
    case 'paused':
    case 'majority-reached':
    case 'hastened':
      return { ...e, at: 0, until: 0 };
    case 'majority-lost':
    case 'settled':
    case 'withdrawn':
    case 'refused':
      return e;
  }
}

/** The same text for the same value, whatever the order of its fields. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
