import type { Parsed } from '@maw/contracts/http/route.ts';
import type { actRoutes } from '@maw/contracts/http/acts.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { cleanLine } from '@maw/text/clean.ts';
import { requireSeat } from '../auth/authorize.ts';
import type { Ask } from '../bus-client.ts';
import { Problem } from '../problem.ts';
import { answer, type RouteResponse, type Call, type Handlers } from '../route.ts';
import { withAnswers } from '../streams/legal-answers.ts';
import type { Page } from '../streams/view-pages.ts';

type ActRoute = keyof typeof actRoutes;

/** A call with the token of a seat at the table. */
interface SeatCall<N extends ActRoute = ActRoute> {
  readonly ask: Ask;
  readonly call: Call<N>;
  readonly table: string;
  readonly seat: Seat;
  readonly body: Parsed<(typeof actRoutes)[N]>['body'];
}

/** What a person does at the table; all of it needs the token of the seat. */
export function actHandlers({ ask }: { readonly ask: Ask }): Handlers<ActRoute> {
  const ofSeat =
    <N extends ActRoute>(handle: (own: SeatCall<N>) => Promise<RouteResponse>) =>
    (call: Call<N>): Promise<RouteResponse> =>
      handle({ ask, call, table: call.params.table, seat: requireSeat(call.bearer).seat, body: call.body });
  return {
    'POST /tables/:table/acts': ofSeat(act),
    'POST /tables/:table/actions': ofSeat(answerQuestion),
    'POST /tables/:table/speech': ofSeat(speak),
    'POST /tables/:table/whispers': ofSeat(whisper),
    'POST /tables/:table/leave': ofSeat((own) => hand(own, 'mind')),
    'POST /tables/:table/return': ofSeat((own) => hand(own, 'person')),
  };
}

async function act(own: SeatCall<'POST /tables/:table/acts'>): Promise<RouteResponse> {
  const { ask, call, table, seat, body } = own;
  const open = (await questionsTo(own)).find(({ id }) => id === body.question);
  if (open?.verb === 'say') throw new Problem('forbidden', `speak in the room instead: POST /tables/${table}/speech`);
  return answer(await ask('table.act', table, { seat, ...body }, call));
}

/** Answers a question of any kind. An answer that is not legal is refused with those that are; the gamemaster counts it. */
async function answerQuestion(own: SeatCall<'POST /tables/:table/actions'>): Promise<RouteResponse> {
  const { ask, call, table, seat, body } = own;
  const { question, answer: given } = body;
  const open = (await questionsTo(own)).find(({ id }) => id === question);
  const says = typeof given === 'string' ? [given] : 'to' in given ? [given.to, cleanLine(given.text)] : given;
  const send = () => ask('table.act', table, { seat, question, says }, call);
  if (!says.length) throw new Problem('wrong-number-of-choices', 'the answer is empty');
  try {
    if (open?.verb !== 'say' || open.room === undefined || says.length !== 1) return answer(await send());
    return answer(
      await ask('room.speak', table, { room: open.room, seat, text: says[0]! }, call).catch((error: unknown) =>
        isIllegal(error) ? send() : Promise.reject(error),
      ),
    );
  } catch (error) {
    if (!open || !isIllegal(error)) throw error;
    throw new Problem(error.reason, error.detail, { legal: withAnswers(open) });
  }
}

/** Whether it is refused for what is answered, not for when. */
const isIllegal = (error: unknown): error is Problem => error instanceof Problem && error.status === 422;

/** A room is given by its full name `round-1/day-1/Village`, or by the last part while the seat may speak there. */
async function speak(own: SeatCall<'POST /tables/:table/speech'>): Promise<RouteResponse> {
  const { ask, call, table, seat, body } = own;
  const room = body.room.includes('/') ? body.room : roomNamed(body.room, await questionsTo(own));
  if (room instanceof Problem) return repeatOr(own, [cleanLine(body.text)], 'room-closed', room);
  return answer(await ask('room.speak', table, { room, seat, text: body.text }, call));
}

async function whisper(own: SeatCall<'POST /tables/:table/whispers'>): Promise<RouteResponse> {
  const { ask, call, table, seat, body } = own;
  const open = (await questionsTo(own)).find(({ verb }) => verb === 'tell');
  if (!open) return repeatOr(own, [cleanLine(body.text)], 'phase-over', new Problem('phase-over', 'this seat is not asked to whisper now'));
  const option = open.options.find(({ is, named }) => is === body.to || named === body.to)?.is;
  const to = option ?? (/^\d{1,2}$/.test(String(body.to)) ? `seat:${body.to}` : String(body.to));
  return answer(await ask('table.act', table, { seat, question: open.id, says: [to, cleanLine(body.text)] }, call));
}

async function hand({ ask, call, table, seat }: Omit<SeatCall, 'body'>, to: 'mind' | 'person'): Promise<RouteResponse> {
  return answer({ ...(await ask('table.hand', table, { seat, to }, call)), holder: to });
}

/**
 * What is not possible now may have been done by an earlier try of the same request. The gamemaster knows: it repeats its answer, or gives
 * the objection.
 * @throws Problem `refusal` when it was not done before
 */
async function repeatOr(
  { ask, call, table, seat }: Omit<SeatCall, 'body'>,
  words: readonly string[],
  objection: 'room-closed' | 'phase-over',
  refusal: Problem,
): Promise<RouteResponse> {
  try {
    return answer(await ask('table.act', table, { seat, question: 'none', says: [...words], objection }, call));
  } catch (error) {
    throw error instanceof Problem && error.reason === objection ? refusal : error;
  }
}

const questionsTo = async ({ ask, call, table, seat }: Omit<SeatCall, 'body'>): Promise<Page['asked']> =>
  (await ask('table.view', table, { eye: seat, limit: 1 }, { signal: call.signal })).asked;

/** The full name of a room in which the seat may speak now; a Problem when it may speak in none of that name. */
function roomNamed(name: string, asked: Page['asked']): string | Problem {
  const rooms = asked.flatMap(({ verb, room }) => (verb === 'say' && room !== undefined ? [room] : []));
  const found = rooms.find((room) => room.slice(room.lastIndexOf('/') + 1) === name);
  return (
    found ?? new Problem('room-closed', rooms.length ? `this seat may speak in ${rooms.join(', ')}` : 'this seat may speak in no room now')
  );
}
