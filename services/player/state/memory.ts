import { newMind, type Mind } from '@maw/minds/mind.ts';
import type { News, OpenVerbs } from '@maw/minds/news.ts';
import { z } from 'zod';
import type { Progress } from './progress.ts';
import { newReading } from './reading.ts';

/** What a seat remembers between decisions, and between the iterations of one. JSON. */
export interface Memory {
  readonly v: 1;
  /** Number of the last event of its view. */
  readonly n: number;
  /** By room: the last line it has read. */
  readonly rooms: { readonly [room: string]: number };
  readonly verbs: OpenVerbs;
  /** News that it has not thought about yet. */
  readonly pending: readonly News[];
  readonly mind: Mind;
  readonly decision: Progress | undefined;
  /** The instant of the message whose context was loaded last; 0: none. */
  readonly loaded: number;
}

export const newMemory: Memory = { v: 1, n: 0, rooms: {}, verbs: {}, pending: [], mind: newMind, decision: undefined, loaded: 0 };

/**
 * The number under which each part of what a seat remembers is stored. They are apart, so that decisions, learning and loading do not overwrite
 * each other. Seats are 0 to 99.
 */
export const storedAs = {
  decisions: (seat: number): number => seat,
  lessons: (seat: number): number => 100 + seat,
  roundEnd: (seat: number): number => 200 + seat,
  loadedContext: (seat: number): number => 300 + seat,
};

const count = z.int().nonnegative();
const texts = z.array(z.string());
/** What a stored mind has at least. */
export const mindShape = z.looseObject({
  context: z.object({ lines: texts, dropped: count }),
  unread: texts,
  recalled: texts,
  reflections: texts,
  beliefs: z.record(z.string(), z.unknown()),
  plan: z.string(),
  answers: z.array(z.object({ question: z.string(), says: texts })),
  notes: z.record(z.string(), z.unknown()),
  pause: z.number().min(0).max(1).optional(),
});
const shape = z.object({
  v: z.literal(1),
  n: count,
  rooms: z.record(z.string(), count),
  verbs: z.record(z.string(), z.string()),
  pending: z.array(z.looseObject({ at: z.number() })),
  mind: mindShape,
  loaded: z.int().default(0), // older memories have none
  decision: z
    .object({
      id: z.string(),
      sequence: count,
      phase: z.string().default(''), // older memories have none
      iteration: count,
      steps: count,
      answers: count,
      outbox: z.array(z.object({ id: z.string(), question: z.string(), says: texts })),
      standing: z.record(z.string(), texts),
      closed: texts,
      refused: texts,
      reading: z.object({ until: z.number(), lines: z.record(z.string(), count), spoken: z.record(z.string(), count) }).default(newReading), // older memories have none
      tokenRatio: z.number().positive().default(1), // older memories have none
      calls: z.record(z.string(), z.looseObject({ content: z.string() })).default({}), // older memories have none
    })
    .optional(),
});

/** What is saved of a memory, and loaded. */
export const contextShape = shape.pick({ n: true, rooms: true, verbs: true, pending: true, mind: true });

/** Undefined for what is not a memory of this version. */
export function parseMemory(stored: unknown): Memory | undefined {
  const result = shape.safeParse(stored);
  return result.success ? ({ ...result.data, decision: result.data.decision } as Memory) : undefined;
}
