import { z } from 'zod';
import { contracts } from '@maw/contracts/contracts.ts';
import { holder, seat as seatSchema, text } from '@maw/contracts/messages/schemas.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { requireSeat } from '../auth/authorize.ts';
import { ownSeat } from '../auth/permissions.ts';
import type { Ask } from '../bus-client.ts';
import { type Code, Problem } from '../problem.ts';
import { answer, type Answer, atTable, type AtTable, type Call, json, route, type Route } from '../route.ts';
import type { Page } from '../streams/view-pages.ts';

const { question, says } = contracts.get('table.act').data.shape;
const acting = z.strictObject({ question, says: says.min(1) });
const speaking = z.strictObject({ room: contracts.get('room.speak').data.shape.room, text });
const whispering = z.strictObject({ to: z.union([seatSchema, z.string().min(1).max(100)]), text });
const done = contracts.replyOf('table.act');
const handed = z.object({ seat: seatSchema, holder });

/** A call with the token of a seat at the table. */
interface SeatCall<Body> {
  readonly ask: Ask;
  readonly call: Call<AtTable>;
  readonly table: string;
  readonly seat: Seat;
  readonly body: Body;
}

/** What a seat that acts or speaks may be refused for, as the rules say it. */
const REFUSALS = [
  'unknown-game',
  'not-asked',
  'not-your-turn',
  'already-answered',
  'not-an-option',
  'wrong-number-of-choices',
  'nothing-said',
  'too-long',
  'unprintable',
  'phase-over',
  'paused',
  'dead',
  'room-closed',
  'not-a-member',
  'not-joined',
] as const satisfies readonly Code[];
const HAND_REFUSALS = ['unknown-game', 'not-an-option', 'already-seated', 'not-joined', 'phase-over'] as const satisfies readonly Code[];

/** What a person does at the table; all of it needs the token of the seat. */
export function actRoutes({ ask }: { readonly ask: Ask }): readonly Route[] {
  interface Given<B extends z.ZodType> {
    readonly summary: string;
    readonly body: B;
    readonly reply: z.ZodType;
    readonly refusals: readonly Code[];
    act(own: SeatCall<z.output<B>>): Promise<Answer>;
  }
  const seatRoute = <B extends z.ZodType>(path: string, { summary, body, reply, refusals, act: handle }: Given<B>): Route =>
    route({
      method: 'POST',
      path: `/tables/:table/${path}`,
      summary,
      permits: ownSeat,
      params: atTable,
      body,
      responses: [json(reply, reply === done ? 'When it counted, and the line that it became.' : 'Who plays the seat now.')],
      refusals,
      isUntraced: true,
      handle: (call) =>
        handle({ ask, call, table: call.params.table, seat: requireSeat(call.bearer).seat, body: call.body as z.output<B> }),
    });
  const nothing = z.strictObject({}).default({});
  const acts = { reply: done, refusals: REFUSALS };
  const hands = { body: nothing, reply: handed, refusals: HAND_REFUSALS };
  return [
    seatRoute('acts', { ...acts, summary: 'Answers an open question.', body: acting, act }),
    seatRoute('speech', { ...acts, summary: 'Speaks in a room.', body: speaking, act: speak }),
    seatRoute('whispers', { ...acts, summary: 'Says something to one other seat.', body: whispering, act: whisper }),
    seatRoute('leave', { ...hands, summary: 'Hands the seat to a mind.', act: (own) => hand(own, 'mind') }),
    seatRoute('return', { ...hands, summary: 'Takes the seat back.', act: (own) => hand(own, 'person') }),
  ];
}

async function act(own: SeatCall<z.output<typeof acting>>): Promise<Answer> {
  const { ask, call, table, seat, body } = own;
  const open = (await questionsTo(own)).find(({ id }) => id === body.question);
  if (open?.verb === 'say') throw new Problem('forbidden', `speak in the room instead: POST /tables/${table}/speech`);
  return answer(await ask('table.act', table, { seat, ...body }, call));
}

/** A room is given by its full name `round-1/day-1/Village`, or by the last part while the seat may speak there. */
async function speak(own: SeatCall<z.output<typeof speaking>>): Promise<Answer> {
  const { ask, call, table, seat, body } = own;
  const room = body.room.includes('/') ? body.room : roomNamed(body.room, await questionsTo(own));
  if (room instanceof Problem) return repeatOr(own, [body.text], 'room-closed', room);
  return answer(await ask('room.speak', table, { room, seat, text: body.text }, call));
}

async function whisper(own: SeatCall<z.output<typeof whispering>>): Promise<Answer> {
  const { ask, call, table, seat, body } = own;
  const open = (await questionsTo(own)).find(({ verb }) => verb === 'tell');
  if (!open) return repeatOr(own, [body.text], 'phase-over', new Problem('phase-over', 'this seat is not asked to whisper now'));
  const option = open.options.find(({ is, named }) => is === body.to || named === body.to)?.is;
  const to = option ?? (/^\d{1,2}$/.test(String(body.to)) ? `seat:${body.to}` : String(body.to));
  return answer(await ask('table.act', table, { seat, question: open.id, says: [to, body.text] }, call));
}

async function hand({ ask, call, table, seat }: SeatCall<unknown>, to: 'mind' | 'person'): Promise<Answer> {
  return answer({ ...(await ask('table.hand', table, { seat, to }, call)), holder: to });
}

/**
 * What is not possible now may have been done by an earlier try of the same request. The gamemaster knows: it repeats its answer, or gives
 * the objection.
 * @throws Problem `refusal` when it was not done before
 */
async function repeatOr(
  { ask, call, table, seat }: SeatCall<unknown>,
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

const questionsTo = async ({ ask, call, table, seat }: SeatCall<unknown>): Promise<Page['asked']> =>
  (await ask('table.view', table, { eye: seat, limit: 1 }, { signal: call.signal })).asked;

/** The full name of a room in which the seat may speak now; a Problem when it may speak in none of that name. */
function roomNamed(name: string, asked: Page['asked']): string | Problem {
  const rooms = asked.flatMap(({ verb, room }) => (verb === 'say' && room !== undefined ? [room] : []));
  const found = rooms.find((room) => room.slice(room.lastIndexOf('/') + 1) === name);
  return (
    found ?? new Problem('room-closed', rooms.length ? `this seat may speak in ${rooms.join(', ')}` : 'this seat may speak in no room now')
  );
}
