import { z } from 'zod';
import { contracts } from '@maw/contracts/contracts.ts';
import { seat, text } from '@maw/contracts/messages/schemas.ts';
import type { Ask } from '../bus-client.ts';
import { requireOwnSeat } from '../auth/authorize.ts';
import { Problem } from '../problem.ts';
import { parseInput } from '../parse-input.ts';
import { answer, type Answer, type Call, type Route, tableIn } from '../route.ts';
import type { Page } from '../streams/view-pages.ts';

const { question, says } = contracts.get('table.act').data.shape;
const acting = z.strictObject({ question, says });
const speaking = z.strictObject({ room: contracts.get('room.speak').data.shape.room, text });
const whispering = z.strictObject({ to: z.union([seat, z.string().min(1).max(100)]), text });
const nothing = z.strictObject({}).optional();

/** What a person does at the table; all of it takes the token of the seat. */
export function actRoutes({ ask }: { readonly ask: Ask }): readonly Route[] {
  const askedOf = async (table: string, eye: number, signal: AbortSignal): Promise<Page['asked']> =>
    (await ask('table.view', table, { eye, limit: 1 }, { signal })).asked;

  async function act(call: Call): Promise<Answer> {
    const table = tableIn(call);
    const own = requireOwnSeat(call.bearer, table);
    const acted = parseInput(acting, call.body, 'body');
    const open = (await askedOf(table, own, call.signal)).find(({ id }) => id === acted.question);
    if (open?.verb === 'say') throw new Problem('forbidden', `speech goes through the room: POST /tables/${table}/speech`);
    return answer(await ask('table.act', table, { seat: own, ...acted }, call));
  }

  /** A room goes by its full name `round-1/day-1/Village`, or by its last part while the seat may speak there. */
  async function speak(call: Call): Promise<Answer> {
    const table = tableIn(call);
    const own = requireOwnSeat(call.bearer, table);
    const said = parseInput(speaking, call.body, 'body');
    const room = said.room.includes('/') ? said.room : roomNamed(said.room, await askedOf(table, own, call.signal));
    if (room instanceof Problem) return unlessDone(call, [said.text], 'room-closed', room);
    return answer(await ask('room.speak', table, { room, seat: own, text: said.text }, call));
  }

  async function whisper(call: Call): Promise<Answer> {
    const table = tableIn(call);
    const own = requireOwnSeat(call.bearer, table);
    const { to, text: said } = parseInput(whispering, call.body, 'body');
    const open = (await askedOf(table, own, call.signal)).find(({ verb }) => verb === 'tell');
    if (!open) return unlessDone(call, [said], 'phase-over', new Problem('phase-over', 'nobody asks this seat to whisper now'));
    const named = open.options.find((option) => option.is === to || option.named === to)?.is;
    const whom = named ?? (/^\d{1,2}$/.test(String(to)) ? `seat:${to}` : String(to));
    return answer(await ask('table.act', table, { seat: own, question: open.id, says: [whom, said] }, call));
  }

  /** What cannot be done any more may have been done: the same request may have come before. Whether it has, the gamemaster knows. */
  async function unlessDone(
    call: Call,
    words: readonly string[],
    objection: 'room-closed' | 'phase-over',
    otherwise: Problem,
  ): Promise<Answer> {
    const table = tableIn(call);
    try {
      return answer(
        await ask('table.act', table, { seat: requireOwnSeat(call.bearer, table), question: 'none', says: [...words], objection }, call),
      );
    } catch (error) {
      throw error instanceof Problem && error.reason === objection ? otherwise : error;
    }
  }

  const hand =
    (to: 'mind' | 'person') =>
    async (call: Call): Promise<Answer> => {
      const table = tableIn(call);
      const own = requireOwnSeat(call.bearer, table);
      parseInput(nothing, call.body ?? {}, 'body');
      return answer({ ...(await ask('table.hand', table, { seat: own, to }, call)), holder: to });
    };

  return [
    { method: 'POST', path: '/tables/:table/acts', handle: act },
    { method: 'POST', path: '/tables/:table/speech', handle: speak },
    { method: 'POST', path: '/tables/:table/whispers', handle: whisper },
    { method: 'POST', path: '/tables/:table/leave', handle: hand('mind') },
    { method: 'POST', path: '/tables/:table/return', handle: hand('person') },
  ];
}

/** The full name of a room in which the seat may speak now; what is wrong when there is none of that name. */
function roomNamed(name: string, asked: Page['asked']): string | Problem {
  const rooms = asked.flatMap(({ verb, room }) => (verb === 'say' && room !== undefined ? [room] : []));
  const found = rooms.find((room) => room.slice(room.lastIndexOf('/') + 1) === name);
  if (found !== undefined) return found;
  return new Problem('room-closed', rooms.length ? `this seat may speak in ${rooms.join(', ')}` : 'this seat may speak nowhere now');
}
