import type { Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import { Refusal } from '@maw/games/refusal.ts';
import type { TableEvent } from '@maw/games/rules.ts';
import type { Recorded } from '@maw/store/store.ts';
import { attribute, span } from '@maw/telemetry/names.ts';
import { inSpan } from '@maw/telemetry/spans.ts';
import { decide, type Desk, type Events, refused } from './decide.ts';
import type { Loaded } from './tables.ts';

/** A seat answers a question: what comes of it is written down, a refusal too. */
export const act = (desk: Desk, message: Message<'table.act'>): Promise<Reply | void> =>
  inSpan(
    'gamemaster',
    span.act,
    { attributes: { [attribute.table]: message.subject, [attribute.seat]: message.data.seat, [attribute.phase]: message.data.question } },
    async (acting) => {
      const { seat } = message.data;
      const reply = await decide(
        desk,
        message,
        (loaded) => tryAct(desk, loaded, message),
        (loaded, caused) => answerOf(loaded, caused, seat),
      );
      if (reply?.performative === 'refuse') acting.setAttribute(attribute.reason, reply.data.reason);
      return reply;
    },
  );

/** @throws Refusal not-an-option when the table has no such seat, forbidden when another answers for it: that is no act of the seat */
function tryAct(desk: Desk, { ledger }: Loaded, message: Message<'table.act'>): Events {
  const { seat, question, says } = message.data;
  const { game, standing } = ledger;
  const { opening } = standing.game;
  if (!opening.seats[seat]) throw new Refusal('not-an-option', `the table has no seat ${seat}`);
  const holder = standing.game.holders[seat];
  if ((message.source === 'player') !== (holder === 'mind'))
    throw new Refusal('forbidden', holder === 'mind' ? 'a mind plays this seat: take it back first' : 'its person plays this seat again');
  const now = desk.now();
  const due = game.tick(standing, now, opening.seed);
  try {
    if (standing.game.names[seat] === undefined) throw new Refusal('not-joined', `nobody has joined at seat ${seat}`);
    return game.act(standing, question, { by: seat, says }, now, opening.seed);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const no: TableEvent = { type: 'refused', question, seat, reason: error.reason, detail: error.detail };
    return [...due, no]; // a refusal is a fact about the game too: a second delivery finds it, and says the same
  }
}

function answerOf({ ledger }: Loaded, caused: readonly Recorded[], seat: number): Reply {
  for (const { event, sequence, at } of caused) {
    const e = event as TableEvent;
    if (e.type === 'refused') return refused(new Refusal(e.reason, e.detail));
    if (e.type !== 'answered' || e.answer.by !== seat) continue;
    const line = ledger.lines.get(sequence)?.find(({ members }) => members.includes(seat));
    return { performative: 'agree', data: { at, ...(line ? { line: line.line, room: line.room } : {}) } };
  }
  throw new Error(`nothing on the tape of ${ledger.table} answers the act of seat ${seat}`);
}
