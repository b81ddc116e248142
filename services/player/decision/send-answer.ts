import { type Bus, RequestTimeout } from '@maw/bus/bus.ts';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import type { Asking } from '@maw/minds/mind.ts';
import { isRefused } from '../is-refused.ts';
import type { RoomReader } from '../news/room-reader.ts';
import type { AnswerOutcome, OutgoingAnswer, Progress } from '../state/progress.ts';

/** Refusals that close the question for the seat. */
const CLOSING_REASONS: ReadonlySet<string> = new Set([
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

/**
 * How long a speech waits to be sent again when its room was not there, in milliseconds. The gamemaster asks only members, but after an outage
 * the room may be opened seconds after the question was asked. The chatroom has waited too.
 */
const ROOM_WAIT_MS = 500;

/** How long a reply is awaited; for a choice at least until its question closes. */
const REPLY_MS = 10_000;

interface AnswerSender {
  readonly bus: Bus;
  readonly rooms: Pick<RoomReader, 'hasFound'>;
  readonly progress: Pick<Progress, 'standing'>;
  now(): number;
  /** Not aborted at the end of the phase: the reply to an answer in flight is awaited. */
  readonly signal: AbortSignal;
}

/** Sends an answer: speech to its room, everything else to the gamemaster. Idempotent by its id. */
export async function sendAnswer(
  { bus, rooms, progress, now, signal }: AnswerSender,
  message: Message<'seat.decide'>,
  asking: Asking,
  { id, question, says }: OutgoingAnswer,
): Promise<AnswerOutcome> {
  const { seat } = message.data;
  const soon = now() + REPLY_MS;
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
    const { reason, detail = '', waitMs } = reply.data;
    if (reason === 'already-answered' && !asking.final) return { is: 'taken' }; // it stands, and may still be changed
    if (reason === 'paused') return { is: 'paused' };
    if (reason === 'too-fast' && waitMs !== undefined) return { is: 'early', waitMs };
    const mayOpen = speech && progress.standing[question] === undefined && !rooms.hasFound(speech.data.room);
    if (reason === 'not-a-member' && mayOpen) return { is: 'early', waitMs: ROOM_WAIT_MS };
    return CLOSING_REASONS.has(reason) ? { is: 'closed', reason } : { is: 'refused', reason, detail };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RequestTimeout) return { is: 'unanswered' };
    throw error;
  }
}
