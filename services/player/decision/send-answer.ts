import { type Bus, RequestTimeout } from '@maw/bus/bus.ts';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import type { Asking } from '@maw/minds/mind.ts';
import { isRefused } from '../is-refused.ts';
import type { OutgoingAnswer } from '../state/progress.ts';

/** What came of an answer. */
export type AnswerOutcome =
  | { readonly is: 'taken' }
  /** There is nothing left to answer. */
  | { readonly is: 'closed'; readonly reason: string }
  /** Another answer may do better. */
  | { readonly is: 'refused'; readonly reason: string; readonly detail: string }
  /** Nobody has said anything. */
  | { readonly is: 'unanswered' };

/** Refusals after which a seat need not try again. */
const CLOSING: ReadonlySet<string> = new Set([
  'not-asked',
  'not-your-turn',
  'already-answered',
  'phase-over',
  'dead',
  'room-closed',
  'not-a-member',
  'unknown-game',
  'not-joined',
  'forbidden',
  'late',
]);

/** How long an answer is waited for; that a choice is taken, until nobody can choose any more. */
const ANSWER_MS = 10_000;

interface Mouth {
  readonly bus: Bus;
  now(): number;
  /** Aborted when the process ends, not when the phase does: an answer that is on its way is waited for. */
  readonly signal: AbortSignal;
}

/** Sends one answer: speech to its room, everything else to the gamemaster. The same id again does it once. */
export async function sendAnswer(
  { bus, now, signal }: Mouth,
  message: Message<'seat.decide'>,
  asking: Asking,
  { id, question, says }: OutgoingAnswer,
): Promise<AnswerOutcome> {
  const { seat } = message.data;
  const soon = now() + ANSWER_MS;
  const replyBy = asking.verb === 'choose' ? Math.max(soon, asking.until) : soon;
  const about = { id, source: 'player', subject: message.subject, at: now(), causeid: message.id, replyBy };
  const speech =
    asking.verb === 'say' && asking.room !== undefined
      ? contracts.write('room.speak', { room: asking.room, seat, text: says[0] ?? '' }, about)
      : undefined;
  try {
    const reply = await (speech
      ? bus.request(speech, { signal })
      : bus.request(contracts.write('table.act', { seat, question, says: [...says] }, about), { signal }));
    if (!isRefused(reply)) return { is: 'taken' };
    const { reason, detail = '' } = reply.data;
    if (reason === 'already-answered' && !asking.final) return { is: 'taken' }; // it stands already, and may still be changed
    return CLOSING.has(reason) ? { is: 'closed', reason } : { is: 'refused', reason, detail };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RequestTimeout) return { is: 'unanswered' };
    throw error;
  }
}
