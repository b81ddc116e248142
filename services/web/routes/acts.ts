import { z } from 'zod';
import { contracts } from '@maw/contracts/contracts.ts';
import { seat as seatSchema, text } from '@maw/contracts/messages/schemas.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { requireOwnSeat } from '../auth/authorize.ts';
import type { Ask } from '../bus-client.ts';
import { parseInput } from '../parse-input.ts';
import { Problem } from '../problem.ts';
import { answer, type Answer, type Call, type Route, tableIn } from '../route.ts';
import type { Page } from '../streams/view-pages.ts';

const { question, says } = contracts.get('table.act').data.shape;
const acting = z.strictObject({ question, says });
const speaking = z.strictObject({ room: contracts.get('room.speak').data.shape.room, text });
const whispering = z.strictObject({ to: z.union([seatSchema, z.string().min(1).max(100)]), text });
const nothing = z.strictObject({}).optional();

/** A call with the token of a seat at the table. */
interface SeatCall {
  readonly ask: Ask;
  readonly call: Call;
  readonly table: string;
  readonly seat: Seat;
}

/** What a person does at the table; all of it needs the token of the seat. */
export function actRoutes({ ask }: { readonly ask: Ask }): readonly Route[] {
  const seatRoute = (path: string, handle: (own: SeatCall) => Promise<Answer>): Route => ({
    method: 'POST',
    path,
    isUntraced: true,
    async handle(call) {
      const table = tableIn(call);
      return handle({ ask, call, table, seat: requireOwnSeat(call.bearer, table) });
    },
  });
  return [
    seatRoute('/tables/:table/acts', act),
    seatRoute('/tables/:table/speech', speak),
    seatRoute('/tables/:table/whispers', whisper),
    seatRoute('/tables/:table/leave', (own) => hand(own, 'mind')),
    seatRoute('/tables/:table/return', (own) => hand(own, 'person')),
  ];
}

async function act(own: SeatCall): Promise<Answer> {
  const { ask, call, table, seat } = own;
  const body = parseInput(acting, call.body, 'body');
  const open = (await questionsTo(own)).find(({ id }) => id === body.question);
  if (open?.verb === 'say') throw new Problem('forbidden', `speak in the room instead: POST /tables/${table}/speech`);
  return answer(await ask('table.act', table, { seat, ...body }, call));
}

/** A room is given by its full name `round-1/day-1/Village`, or by the last part while the seat may speak there. */
async function speak(own: SeatCall): Promise<Answer> {
  const { ask, call, table, seat } = own;
  const body = parseInput(speaking, call.body, 'body');
  const room = body.room.includes('/') ? body.room : roomNamed(body.room, await questionsTo(own));
  if (room instanceof Problem) return repeatOr(own, [body.text], 'room-closed', room);
  return answer(await ask('room.speak', table, { room, seat, text: body.text }, call));
}

async function whisper(own: SeatCall): Promise<Answer> {
  const { ask, call, table, seat } = own;
  const body = parseInput(whispering, call.body, 'body');
  const open = (await questionsTo(own)).find(({ verb }) => verb === 'tell');
  if (!open) return repeatOr(own, [body.text], 'phase-over', new Problem('phase-over', 'this seat is not asked to whisper now'));
  const option = open.options.find(({ is, named }) => is === body.to || named === body.to)?.is;
  const to = option ?? (/^\d{1,2}$/.test(String(body.to)) ? `seat:${body.to}` : String(body.to));
  return answer(await ask('table.act', table, { seat, question: open.id, says: [to, body.text] }, call));
}

async function hand({ ask, call, table, seat }: SeatCall, to: 'mind' | 'person'): Promise<Answer> {
  parseInput(nothing, call.body ?? {}, 'body');
  return answer({ ...(await ask('table.hand', table, { seat, to }, call)), holder: to });
}

/**
 * What is not possible now may have been done by an earlier try of the same request. The gamemaster knows: it repeats its answer, or gives
 * the objection.
 * @throws Problem `refusal` when it was not done before
 */
async function repeatOr(
  { ask, call, table, seat }: SeatCall,
  words: readonly string[],
  objection: 'room-closed' | 'phase-over',
  refusal: Problem,
): Promise<Answer> {
  try {
    return answer(await ask('table.act', table, { seat, question: 'none', says: [...words], objection }, call));
  } catch (error) {
    throw error instanceof Problem && error.reason === objection ? refusal : error;
  }
}

const questionsTo = async ({ ask, call, table, seat }: SeatCall): Promise<Page['asked']> =>
  (await ask('table.view', table, { eye: seat, limit: 1 }, { signal: call.signal })).asked;

/** The full name of a room in which the seat may speak now; a Problem when it may speak in none of that name. */
function roomNamed(name: string, asked: Page['asked']): string | Problem {
  const rooms = asked.flatMap(({ verb, room }) => (verb === 'say' && room !== undefined ? [room] : []));
  const found = rooms.find((room) => room.slice(room.lastIndexOf('/') + 1) === name);
  return (
    found ?? new Problem('room-closed', rooms.length ? `this seat may speak in ${rooms.join(', ')}` : 'this seat may speak in no room now')
  );
}
