import { createHash } from 'node:crypto';
import type { Message, ReplyData } from '@maw/contracts/contracts.ts';
import { Refusal } from '@maw/contracts/refusal.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import { LOG_NOTES } from '@maw/minds/prompts/layout.ts';
import { printable } from '@maw/text/clean.ts';
import type { Thoughts } from '@maw/store/ports/thoughts.ts';
import { z } from 'zod';
import { type LoadedContext, loadedContext, storeLoadedContext, withLoaded } from './state/loaded-context.ts';
import { contextShape, type Memory, newMemory, parseMemory, storedAs } from './state/memory.ts';
import { wrongNotes } from './state/note-forms.ts';

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

/** @throws Refusal not-an-option when no mind has thought for the seat */
async function memoryOf(thoughts: Thoughts, table: string, seat: number): Promise<Memory> {
  const found = await thoughts.recall(table, storedAs.decisions(seat));
  if (found === undefined || found === null)
    throw new Refusal('not-an-option', `seat ${seat} of ${table} has nothing in mind: no mind has thought for it yet`);
  return parseMemory(found) ?? newMemory;
}

/** Answers `mind.context`. @throws Refusal not-an-option when the seat has nothing in mind, too-long */
export async function saveContext(
  thoughts: Thoughts,
  { subject: table, data: { seat } }: Message<'mind.context'>,
): Promise<Reply<ReplyData<'mind.context'>>> {
  const stored = await memoryOf(thoughts, table, seat);
  const memory = withLoaded(stored, await loadedContext(thoughts, table, seat, stored));
  const { mind, n, rooms, verbs, pending } = memory;
  const context = { context: 1, table, seat, phase: memory.decision?.phase ?? '', mind, n, rooms, verbs, pending };
  mustFit(context);
  return { performative: 'inform', data: { context } };
}

/**
 * Does `mind.load`. A decision that runs goes on with what it has in mind; the next one begins with the context. Repeating the message changes
 * nothing. The wait before the next thought is not loaded: it was rolled for another moment. Of the context of another table the seat remembers
 * what happened and what was thought, as of another game; what it has in mind of its own stays.
 * @throws Refusal unreadable, forbidden for the context of another seat of this table, not-an-option when the seat has nothing in mind, too-long, late
 */
export async function loadContext(thoughts: Thoughts, message: Message<'mind.load'>): Promise<Reply<ReplyData<'mind.load'>>> {
  const { subject: table, data } = message;
  const { seat } = data;
  const { data: saved, error } = savedShape.safeParse(data.context);
  if (!saved) throw notSaved(error.issues.map(({ path, message: what }) => `${path.join('.')}: ${what}`));
  const isOfAnotherGame = saved.table !== table;
  if (!isOfAnotherGame && saved.seat !== seat)
    throw new Refusal(
      'forbidden',
      `it is of seat ${saved.seat} of this table; within a table a context is loaded only into the seat it was saved of`,
    );
  mustFit(saved);
  const digest = createHash('sha256').update(JSON.stringify(data.context)).digest('hex').slice(0, 12);
  const about = { after: saved.phase, digest };
  if (isOfAnotherGame) {
    await storeLoadedContext(thoughts, message, { remembered: rememberedOf(saved.mind, Date.parse(message.time)), saved: about });
    return { performative: 'agree', data: { seat } };
  }
  const stored = await memoryOf(thoughts, table, seat);
  const wrong = wrongNotes(saved.mind.notes, stored.mind.notes);
  if (wrong.length) throw notSaved(wrong);
  const { n, rooms, verbs, pending } = saved;
  const { pause: _, ...mind } = saved.mind;
  const context = { mind, n, rooms, verbs, pending } as LoadedContext['context'];
  await storeLoadedContext(thoughts, message, { context, saved: about });
  return { performative: 'agree', data: { seat } };
}

/** What a mind remembers, as news of another game: its log, then its thoughts. The oldest lines are dropped where there is no room for them. */
function rememberedOf(
  { context, unread, recalled, reflections, plan, notes }: z.output<typeof contextShape>['mind'],
  at: number,
): Memory['pending'] {
  const noted = [...LOG_NOTES, 'own'].flatMap((note) => [notes[note] ?? []].flat().filter((line) => typeof line === 'string'));
  const happened = new Set([...context.lines, ...noted, ...unread]);
  const thought = new Set([...recalled.filter((line) => !happened.has(line)), ...reflections, plan]);
  const told = (lines: ReadonlySet<string>, mark: string): string[] =>
    [...lines].flatMap((line) => (line.trim() ? [`${mark}: ${printable(line)}`] : []));
  return [...told(happened, 'In another game'), ...told(thought, 'In another game you thought')].map((text) => ({ at, text }));
}

const notSaved = (why: readonly string[]): Refusal =>
  new Refusal('unreadable', `it is not a saved context: ${why.join('; ').slice(0, 500)}`);

/** Does `mind.truncate`, at the next decision too. @throws Refusal not-an-option when the seat keeps no log, late */
export async function truncateContext(thoughts: Thoughts, message: Message<'mind.truncate'>): Promise<Reply<ReplyData<'mind.truncate'>>> {
  const { subject: table, data } = message;
  const { seat, tokens } = data;
  const stored = await memoryOf(thoughts, table, seat);
  const before = await loadedContext(thoughts, table, seat, stored);
  const { mind } = before?.context ?? stored;
  if (!mind.context.lines.length && !mind.unread.length)
    throw new Refusal('not-an-option', `the log of seat ${seat} is empty: its recipe keeps what it knows in notes, which are not cut`);
  const { context, remembered, saved } = before ?? {};
  await storeLoadedContext(thoughts, message, { context, remembered, saved, tokens });
  return { performative: 'agree', data: { seat } };
}

function mustFit(context: object): void {
  const { length } = JSON.stringify(context);
  if (length > MAX_CHARS) throw new Refusal('too-long', `the context has ${length} characters; the limit is ${MAX_CHARS}`);
}
