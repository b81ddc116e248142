import { Refusal } from '@maw/contracts/refusal.ts';
import { truncate } from '@maw/minds/context.ts';
import type { Thoughts } from '@maw/store/ports/thoughts.ts';
import { z } from 'zod';
import { contextShape, storedAs, type Memory } from './memory.ts';

/** What the next decision of a seat begins with. */
export interface LoadedContext {
  /** The instant of the message that brought it, in milliseconds since the epoch. */
  readonly at: number;
  /** Replaces what the seat has in mind. Absent: that stays. */
  readonly context?: Pick<Memory, 'n' | 'rooms' | 'verbs' | 'pending' | 'mind'> | undefined;
  /** What it remembers of another game, as news that comes before all others. */
  readonly remembered?: Memory['pending'] | undefined;
  /** The phase after which the context was saved, and its hash; for the thought that tells of it. */
  readonly saved?: { readonly after: string; readonly digest: string } | undefined;
  /** To how many tokens its log is cut. Absent: not at all. */
  readonly tokens?: number | undefined;
}

const shape = z.object({
  at: z.int(),
  ids: z.array(z.string()).default([]), // older ones have none
  context: contextShape.optional(),
  remembered: z.array(z.looseObject({ at: z.number() })).optional(),
  saved: z.object({ after: z.string(), digest: z.string() }).optional(),
  tokens: z.int().nonnegative().optional(),
});
/** How many messages are known again. */
const MAX_IDS = 50;

const stored = async (thoughts: Thoughts, table: string, seat: number) =>
  shape.safeParse(await thoughts.recall(table, storedAs.loadedContext(seat))).data;

/** The context that was loaded last; undefined when there is none, or a decision has begun with it. */
export const loadedContext = async (thoughts: Thoughts, table: string, seat: number, memory: Memory): Promise<LoadedContext | undefined> =>
  loadedContextIn(await thoughts.recall(table, storedAs.loadedContext(seat)), memory);

/** The same from what is stored. */
export function loadedContextIn(recalled: unknown, memory: Memory): LoadedContext | undefined {
  const found = shape.safeParse(recalled).data;
  const isWaiting = found && (found.context ?? found.remembered ?? found.tokens) !== undefined && found.at > memory.loaded;
  return isWaiting ? (found as LoadedContext) : undefined;
}

interface Source {
  readonly id: string;
  readonly subject: string;
  readonly time: string;
  readonly data: { readonly seat: number };
}

/**
 * Stores a context for the next decision. The same message again changes nothing, whenever it comes.
 * @throws Refusal late when something newer was stored
 */
export async function storeLoadedContext(
  thoughts: Thoughts,
  { id, subject: table, time, data: { seat } }: Source,
  loaded: Omit<LoadedContext, 'at'>,
): Promise<void> {
  const last = await stored(thoughts, table, seat);
  const ids = last?.ids ?? [];
  if (ids.includes(id)) return;
  const sent = Date.parse(time);
  const at = Math.max(sent, (last?.at ?? 0) + 1);
  const isNewer = !last || sent >= last.at;
  if (!isNewer || !(await thoughts.remember(table, storedAs.loadedContext(seat), at, { ...loaded, at, ids: [...ids, id].slice(-MAX_IDS) })))
    throw new Refusal('late', `another context was loaded into seat ${seat} meanwhile, or its log was cut; try again`);
}

/** A decision has begun with the context: no other one does, not even when the memory is lost. */
export async function consumeLoadedContext(thoughts: Thoughts, table: string, seat: number, { at }: LoadedContext): Promise<void> {
  const ids = (await stored(thoughts, table, seat))?.ids ?? [];
  await thoughts.remember(table, storedAs.loadedContext(seat), at, { at, ids }); // a newer one stays
}

/** The memory with a loaded context. What happened since it was saved is not in it: it becomes news again. */
export function withLoaded(memory: Memory, loaded: LoadedContext | undefined): Memory {
  if (!loaded) return memory;
  const { context = memory, remembered = [], tokens = Infinity, at } = loaded;
  const { n, rooms, verbs, pending, mind } = context;
  const cut = { ...mind, context: truncate(mind.context, tokens) };
  return { ...memory, n: Math.min(n, memory.n), rooms, verbs, pending: [...remembered, ...pending], mind: cut, loaded: at };
}
