import { showRecord } from '@maw/games/records/imported.ts';
import type { Seen } from '../api/shapes.ts';
import type { Part } from '../scene/lines.ts';
import { createTape, type Tape } from '../time/tape.ts';
import type { Story } from './story.ts';

/** The events of a hand-made record of one round, as the narrator sees them. */
export const played = (record: object): readonly Seen[] => showRecord(record).tape;

export function tapeOf(seen: readonly Seen[]): Tape {
  const tape = createTape();
  for (const [i, each] of seen.entries()) tape.append({ ...each, n: i + 1, at: (i + 1) * 1_000 });
  return tape;
}

/** Two records of the same players as one table of two rounds. */
export function inTwoRounds(first: object, second: object): readonly Seen[] {
  const [one, two] = [played(first), played(second)];
  const opening = one[0]!.event['opening'] as object;
  const opened = { ...one[0]!, event: { ...one[0]!.event, opening: { ...opening, rounds: 2 } } };
  const began = two.findIndex(({ event }) => event.type === 'began');
  const later = two.slice(began).map((seen) => ('round' in seen.event ? { ...seen, event: { ...seen.event, round: 2 } } : seen));
  return [opened, ...one.slice(1, -1), ...later] as readonly Seen[];
}

/** A sentence with the names in it. */
export const inWords = (parts: readonly Part[], { names }: Pick<Story, 'names'>): string =>
  parts.map((part) => (typeof part === 'string' ? part : names[part.seat])).join('');
