import { truncate } from '@maw/minds/context.ts';
import type { Thoughts } from '@maw/store/ports/thoughts.ts';
import { z } from 'zod';
import { contextShape, type Memory } from './memory.ts';

/** What the next decision of a seat begins with. */
export interface LoadedContext {
  /** The instant of the message that brought it, in milliseconds since the epoch. */
  readonly at: number;
  /** Replaces what the seat has in mind. Absent: that stays. */
  readonly context?: Pick<Memory, 'n' | 'rooms' | 'verbs' | 'pending' | 'mind'>;
  /** How many tokens of its log stay. Absent: all. */
  readonly tokens?: number;
}

const shape = z.object({ at: z.int(), context: contextShape.optional(), tokens: z.int().nonnegative().optional() });
/** It has a memory of its own, so that a decision that runs does not overwrite it. */
const slotOf = (seat: number): number => 300 + seat;

/** The context that was loaded last; undefined when there is none, or the memory has it already. */
export async function loadedContext(thoughts: Thoughts, table: string, seat: number, memory: Memory): Promise<LoadedContext | undefined> {
  const { data } = shape.safeParse(await thoughts.recall(table, slotOf(seat)));
  return data && data.at > memory.loaded ? (data as LoadedContext) : undefined;
}

/** Stores a context for the next decision, unless a newer one is there. */
export const storeLoadedContext = async (thoughts: Thoughts, table: string, seat: number, loaded: LoadedContext): Promise<void> =>
  void (await thoughts.remember(table, slotOf(seat), loaded.at, loaded));

/** The memory with a loaded context. What happened since it was saved is not in it: it becomes news again. */
export function withLoaded(memory: Memory, loaded: LoadedContext | undefined): Memory {
  if (!loaded) return memory;
  const { context = memory, tokens = Infinity, at } = loaded;
  const { n, rooms, verbs, pending, mind } = context;
  const cut = { ...mind, context: truncate(mind.context, tokens) };
  return { ...memory, n: Math.min(n, memory.n), rooms, verbs, pending, mind: cut, loaded: at };
}
