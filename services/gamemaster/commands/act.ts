import type { Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import type { Instant, Open } from '@maw/games/kernel/question.ts';
import { Refusal } from '@maw/games/kernel/refusal.ts';
import type { TableEvent } from '@maw/games/kernel/rules.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import { attribute, span } from '@maw/telemetry/span-names.ts';
import { inSpan } from '@maw/telemetry/spans.ts';
import { decide, type CommandContext, type NewEvents, otherMessage, refused } from './decide.ts';
import type { LoadedTable } from '../tables/table-cache.ts';

/** A seat answers a question. The answer or its refusal is appended to the tape. */
export const act = (context: CommandContext, message: Message<'table.act'>): Promise<Reply | void> =>
  inSpan('gamemaster', span.act, { attributes: attributesOf(message) }, async (acting) => {
    const { question } = message.data;
    const reply = await decide(
      context,
      message,
      (loaded, at) => {
        const open = loaded.state.standing.open.find(({ id }) => id === question);
        if (open) acting.setAttribute(attribute.verb, open.verb);
        return tryAct(loaded, message, at);
      },
      (loaded, caused) => answerOf(loaded, caused, message.data),
    );
    if (reply?.performative === 'refuse') acting.setAttribute(attribute.reason, reply.data.reason);
    return reply;
  });

/** An act of a mind is caused by the question to its seat. */
function attributesOf({ subject, source, causeid, data }: Message<'table.act'>) {
  const about = { [attribute.table]: subject, [attribute.seat]: data.seat };
  return source === 'player' && causeid !== undefined ? { ...about, [attribute.decision]: causeid } : about;
}

/** @throws Refusal not-an-option when the table has no such seat: that is nobody's act */
function tryAct({ state }: LoadedTable, message: Message<'table.act'>, now: Instant): NewEvents {
  const { seat, question, says, objection } = message.data;
  if (objection !== undefined) throw new Refusal(objection, 'it was over when this came'); // and it is not on the tape from an earlier delivery
  const { game, standing } = state;
  const { opening } = standing.game;
  if (!opening.seats[seat]) throw new Refusal('not-an-option', `the table has no seat ${seat}`);
  const due = game.tick(standing, now, opening.seed);
  const isSecond = isAgents(state, seat) && illegalsOf(state, question, seat) === 1;
  try {
    const holder = standing.game.holders[seat];
    if ((message.source === 'player') !== (holder === 'mind'))
      throw new Refusal('forbidden', holder === 'mind' ? 'a mind plays this seat: take it back first' : 'its person plays this seat again');
    if (standing.game.names[seat] === undefined) throw new Refusal('not-joined', `nobody has joined at seat ${seat}`);
    if (isAgents(state, seat) && illegalsOf(state, question, seat) > 1) throw SPENT;
    if (!says.length) {
      if (message.source === 'aiwolf') return game.pass(standing, question, seat, now, opening.seed);
      if (holder === 'mind') throw new Refusal('nothing-said', 'a mind is ready once it has voted');
      return game.ready(standing, question, seat, now, opening.seed);
    }
    const events = game.act(standing, question, { by: seat, says }, now, opening.seed);
    const open = standing.open.find((q) => q.id === question);
    if (stands(open, seat, says)) throw new Refusal('already-answered', 'that is your choice already');
    if (open && open.verb !== 'say' && isHasty(state, open.id, seat, now)) throw HASTY;
    return events;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // Answered, not recorded. The same message may come again after a pause.
    if (error.reason === 'paused' || standing.game.closed || refusalsOf(state, seat) >= MAX_REFUSALS) throw error;
    const no: TableEvent = { type: 'refused', question, seat, reason: error.reason, detail: error.detail };
    const isAwaited = standing.open.some(({ id, settles }) => id === question && settles === 'when-all-answer');
    if (isSecond && isAwaited && ILLEGAL.has(error.reason)) return [no, ...game.pass(standing, question, seat, now, opening.seed)];
    return [...due, no]; // recorded, so that a second delivery gets the same refusal
  }
}

/** Refusals of an answer for what it is, not for when it comes. */
const ILLEGAL: ReadonlySet<string> = new Set(['not-an-option', 'wrong-number-of-choices', 'nothing-said', 'too-long', 'unprintable']);
const SPENT = new Refusal('already-answered', 'two answers to it were not legal, so it counts as unanswered');

const isAgents = ({ standing }: LoadedTable['state'], seat: number): boolean => standing.game.opening.seats[seat]?.agent !== undefined;

/** How many illegal answers of a seat to a question are recorded. */
function illegalsOf({ views }: LoadedTable['state'], question: string, seat: number): number {
  const events = views.get(seat)!.seen.map(({ event }) => event as TableEvent);
  return events.filter((event) => event.type === 'refused' && event.question === question && ILLEGAL.has(event.reason)).length;
}

/** How many refusals of a seat are recorded after the last question that it knows of: bounds the tape. */
const MAX_REFUSALS = 20;

/** How often a seat may change a choice within a window. Speech is limited by the chatroom. */
const MAX_CHANGES = 10;
const CHANGES_MS = 10_000;
const HASTY = new Refusal('too-fast', `a choice may be made ${MAX_CHANGES} times in ${CHANGES_MS / 1000} seconds: wait a little`);

/** Whether a seat has answered this question too often lately. Counted on the tape, so that all replicas agree. */
function isHasty({ tape }: LoadedTable['state'], question: string, seat: number, now: number): boolean {
  let left = MAX_CHANGES;
  for (let i = tape.length - 1; i >= 0 && tape[i]!.at > now - CHANGES_MS; i--) {
    const event = tape[i]!.event as unknown as TableEvent;
    if (event.type === 'answered' && event.question === question && event.answer.by === seat && --left === 0) return true;
  }
  return false;
}

/**
 * The refusals of a seat since the last question it knows of. It sees which refusals are recorded: if a secret question reset the count, it
 * would learn when one is asked.
 */
function refusalsOf({ views }: LoadedTable['state'], seat: number): number {
  const { seen } = views.get(seat)!;
  const from = seen.findLastIndex(({ event }) => event.type === 'asked');
  return seen.slice(from + 1).filter(({ event }) => event.type === 'refused').length;
}

/** Whether a changeable choice is what the seat has chosen already. */
const stands = (q: Open | undefined, seat: number, says: readonly string[]): boolean =>
  q?.verb === 'choose' && !q.final && q.answers.some((a) => a.by === seat && a.says.join('\0') === says.join('\0'));

function answerOf({ state }: LoadedTable, caused: readonly RecordedEvent[], { seat, says }: Message<'table.act'>['data']): Reply {
  for (const { event, sequence, at } of caused) {
    const e = event as TableEvent;
    if (e.type === 'refused' && e.seat === seat) return refused(new Refusal(e.reason, e.detail));
    if ((e.type === 'passed' || e.type === 'ready') && e.seat === seat && !says.length) return { performative: 'agree', data: { at } };
    if (e.type !== 'answered' || e.answer.by !== seat) continue;
    const line = state.lines.get(sequence)?.find(({ members }) => members.includes(seat));
    return { performative: 'agree', data: { at, ...(line ? { line: line.line, room: line.room } : {}) } };
  }
  throw otherMessage(state.table);
}
