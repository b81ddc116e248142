import type { Message, ReplyData } from '@maw/contracts/contracts.ts';
import { Refusal } from '@maw/contracts/refusal.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import type { Thoughts } from '@maw/store/ports/thoughts.ts';
import { z } from 'zod';
import { type LoadedContext, loadedContext, storeLoadedContext, withLoaded } from './state/loaded-context.ts';
import { contextShape, type Memory, newMemory, parseMemory } from './state/memory.ts';

/** The most that is saved or loaded, in characters of JSON: less than a message of the bus takes, also when most need three bytes. */
const MAX_CHARS = 300_000;

/** News, more exactly than a memory of our own needs: people may edit a file. */
const newsShape = z.looseObject({
  at: z.number(),
  n: z.int().optional(),
  room: z.string().optional(),
  line: z.int().optional(),
  by: z.int().optional(),
  speech: z.string().optional(),
  says: z.array(z.string()).optional(),
  event: z.looseObject({ type: z.string() }).optional(),
  text: z.string().optional(),
});
const savedShape = contextShape.extend({
  context: z.literal(1),
  table: z.string(),
  seat: z.int(),
  phase: z.string(),
  pending: z.array(newsShape),
});

async function memoryOf(thoughts: Thoughts, table: string, seat: number): Promise<Memory | undefined> {
  const stored = parseMemory(await thoughts.recall(table, seat));
  const loaded = await loadedContext(thoughts, table, seat, stored ?? newMemory);
  return stored || loaded ? withLoaded(stored ?? newMemory, loaded) : undefined;
}

/** Answers `mind.context`. @throws Refusal not-an-option when the seat has nothing in mind, too-long */
export async function saveContext(
  thoughts: Thoughts,
  { subject: table, data: { seat } }: Message<'mind.context'>,
): Promise<Reply<ReplyData<'mind.context'>>> {
  const memory = await memoryOf(thoughts, table, seat);
  if (!memory) throw new Refusal('not-an-option', `seat ${seat} of ${table} has nothing in mind: no mind has thought for it yet`);
  const { mind, n, rooms, verbs, pending } = memory;
  const context = { context: 1, table, seat, phase: memory.decision?.phase ?? '', mind, n, rooms, verbs, pending };
  mustFit(context);
  return { performative: 'inform', data: { context } };
}

/**
 * Does `mind.load`. A decision that runs goes on with what it has in mind; the next one begins with the context. Repeating the message changes
 * nothing.
 * @throws Refusal unreadable, forbidden for the context of another seat, too-long
 */
export async function loadContext(
  thoughts: Thoughts,
  { subject: table, time, data }: Message<'mind.load'>,
): Promise<Reply<ReplyData<'mind.load'>>> {
  const { seat } = data;
  const { data: saved, error } = savedShape.safeParse(data.context);
  if (!saved) {
    const issues = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new Refusal('unreadable', `it is not a saved context: ${issues.join('; ').slice(0, 500)}`);
  }
  if (saved.table !== table || saved.seat !== seat)
    throw new Refusal('forbidden', `it is of seat ${saved.seat} of ${saved.table}; a context is loaded only into the seat it was saved of`);
  mustFit(saved);
  const { mind, n, rooms, verbs, pending } = saved;
  const context = { mind, n, rooms, verbs, pending } as LoadedContext['context'] & object;
  await storeLoadedContext(thoughts, table, seat, { at: Date.parse(time), context });
  return { performative: 'agree', data: { seat } };
}

/** Does `mind.truncate`, at the next decision too. */
export async function truncateContext(
  thoughts: Thoughts,
  { subject: table, time, data: { seat, tokens } }: Message<'mind.truncate'>,
): Promise<Reply<ReplyData<'mind.truncate'>>> {
  const stored = parseMemory(await thoughts.recall(table, seat)) ?? newMemory;
  const before = await loadedContext(thoughts, table, seat, stored);
  await storeLoadedContext(thoughts, table, seat, { ...before, at: Date.parse(time), tokens });
  return { performative: 'agree', data: { seat } };
}

function mustFit(context: object): void {
  const { length } = JSON.stringify(context);
  if (length > MAX_CHARS) throw new Refusal('too-long', `the context has ${length} characters; the limit is ${MAX_CHARS}`);
}
