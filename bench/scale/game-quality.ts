import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import type { Store } from '@maw/store/store.ts';

/** How games went, so that one sees whether they were the same when many ran as when few did. */
export interface GameQuality {
  readonly events: number;
  /** How often a seat was asked for one answer that counts. */
  readonly asked: number;
  /** How many of these were not answered until their time was over. */
  readonly missed: number;
  /** How many answers came that were refused because it was over by then. */
  readonly late: number;
  /** How often an outage gave a table its time back. */
  readonly delayed: number;
}

const AT_ONCE = 20;
/** What an act is refused for that would have been in order before. */
export const OVER: ReadonlySet<string> = new Set(['phase-over', 'not-your-turn', 'not-asked']);

/** How the games of these tables went, by their tapes. */
export async function qualityOf(store: { readonly tapes: Pick<Store['tapes'], 'read'> }, tables: readonly string[]): Promise<GameQuality> {
  let sum = qualityIn([]);
  for (let from = 0; from < tables.length; from += AT_ONCE) {
    const tapes = await Promise.all(tables.slice(from, from + AT_ONCE).map((table) => store.tapes.read(table)));
    sum = tapes.map(qualityIn).reduce(added, sum);
  }
  return sum;
}

export const added = (one: GameQuality, other: GameQuality): GameQuality => ({
  events: one.events + other.events,
  asked: one.asked + other.asked,
  missed: one.missed + other.missed,
  late: one.late + other.late,
  delayed: one.delayed + other.delayed,
});

interface Question {
  readonly id: string;
  readonly of: readonly number[];
  readonly final: boolean;
}

/** How one game went. Of questions that are asked once, each seat owes an answer; talk that may be silent owes none. */
export function qualityIn(tape: readonly Pick<RecordedEvent, 'event'>[]): GameQuality {
  const asked = new Map<string, number>();
  const answered = new Map<string, Set<number>>();
  const settled: string[] = [];
  let [late, delayed] = [0, 0];
  for (const { event } of tape) {
    const about = event['question'] as string;
    if (event.type === 'asked') {
      const { id, of, final } = event['question'] as Question;
      if (final) asked.set(id, of.length);
    } else if (event.type === 'answered') {
      const by = (event['answer'] as { readonly by: number }).by;
      answered.set(about, (answered.get(about) ?? new Set()).add(by));
    } else if (event.type === 'settled' && asked.has(about)) settled.push(about);
    else if (event.type === 'refused' && OVER.has(event['reason'] as string)) late++;
    else if (event.type === 'delayed') delayed++;
  }
  const sum = (of: (id: string) => number): number => settled.reduce((all, id) => all + of(id), 0);
  const owed = sum((id) => asked.get(id)!);
  return { events: tape.length, asked: owed, missed: owed - sum((id) => answered.get(id)?.size ?? 0), late, delayed };
}
