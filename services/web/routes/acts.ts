import { z } from 'zod';
import { contracts } from '@maw/contracts/contracts.ts';
import { seat, text } from '@maw/contracts/shapes.ts';
import type { Ask } from '../ask.ts';
import { ownSeat } from '../may.ts';
import { Problem } from '../problem.ts';
import { read } from '../read.ts';
import { answer, type Answer, type Call, type Route, tableIn } from '../route.ts';
import type { Page } from '../view.ts';

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
    const own = ownSeat(call.bearer, table);
    const acted = read(acting, call.body, 'body');
    const open = (await askedOf(table, own, call.signal)).find(({ id }) => id === acted.question);
    if (open?.verb === 'say') throw new Problem('forbidden', `speech goes through the room: POST /tables/${table}/speech`);
    return answer(await ask('table.act', table, { seat: own, ...acted }, call));
  }

  /** A room goes by its full name `round-1/day-1/Village`, or by its last part while the seat may speak there. */
  async function speak(call: Call): Promise<Answer> {
    const table = tableIn(call);
    const own = ownSeat(call.bearer, table);
    const said = read(speaking, call.body, 'body');
    const room = said.room.includes('/') ? said.room : roomNamed(said.room, await askedOf(table, own, call.signal));
    return answer(await ask('room.speak', table, { room, seat: own, text: said.text }, call));
  }

  async function whisper(call: Call): Promise<Answer> {
    const table = tableIn(call);
    const own = ownSeat(call.bearer, table);
    const { to, text: said } = read(whispering, call.body, 'body');
    const open = (await askedOf(table, own, call.signal)).find(({ verb }) => verb === 'tell');
    if (!open) throw new Problem('phase-over', 'nobody asks this seat to whisper now');
    const named = open.options.find((option) => option.is === to || option.named === to)?.is;
    const whom = named ?? (/^\d{1,2}$/.test(String(to)) ? `seat:${to}` : String(to));
    return answer(await ask('table.act', table, { seat: own, question: open.id, says: [whom, said] }, call));
  }

  const hand =
    (to: 'mind' | 'person') =>
    async (call: Call): Promise<Answer> => {
      const table = tableIn(call);
      const own = ownSeat(call.bearer, table);
      read(nothing, call.body ?? {}, 'body');
      return answer({ ...(await ask('table.hand', table, { seat: own, to }, call)), holder: to });
    };

  return [
    { method: 'POST', path: '/tables/:table/acts', does: act },
    { method: 'POST', path: '/tables/:table/speech', does: speak },
    { method: 'POST', path: '/tables/:table/whispers', does: whisper },
    { method: 'POST', path: '/tables/:table/leave', does: hand('mind') },
    { method: 'POST', path: '/tables/:table/return', does: hand('person') },
  ];
}

/** @throws Problem room-closed when the seat may not speak in a room of that name now */
function roomNamed(name: string, asked: Page['asked']): string {
  const rooms = asked.flatMap(({ verb, room }) => (verb === 'say' && room !== undefined ? [room] : []));
  const found = rooms.find((room) => room.slice(room.lastIndexOf('/') + 1) === name);
  if (found === undefined)
    throw new Problem('room-closed', rooms.length ? `this seat may speak in ${rooms.join(', ')}` : 'this seat may speak nowhere now');
  return found;
}
