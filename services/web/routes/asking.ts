import { z } from 'zod';
import type { Ask } from '../ask.ts';
import { eyeFor, mustAdminister } from '../may.ts';
import { Problem } from '../problem.ts';
import { as, read, whole } from '../read.ts';
import { answer, type Answer, type Call, type Route, tableIn } from '../route.ts';

const naming = z.strictObject({
  players: whole.pipe(z.int().min(1).max(100)).optional(),
  options: z.record(z.string().max(60), z.string().max(200)),
});
const watching = z.strictObject({ as: as.optional() });
const nothing = z.strictObject({});
const OPTION = 'option.';

/** What can be asked about the house: its rules, its models, and who is in a room. */
export function askRoutes({ ask }: { readonly ask: Ask }): readonly Route[] {
  async function sets({ query, signal }: Call): Promise<Answer> {
    read(nothing, query, 'query');
    return answer(await ask('table.rules', '-', {}, { signal }));
  }

  async function set({ params, query, signal }: Call): Promise<Answer> {
    const given = Object.entries(query);
    const options = Object.fromEntries(
      given.flatMap(([name, value]) => (name.startsWith(OPTION) ? [[name.slice(OPTION.length), value]] : [])),
    );
    const rest = Object.fromEntries(given.filter(([name]) => !name.startsWith(OPTION)));
    const { players, options: chosen } = read(naming, { ...rest, options }, 'query');
    const rules = params['name']!.slice(0, 60);
    const found = await ask('table.rules', '-', { rules, ...(players === undefined ? {} : { players }), options: chosen }, { signal });
    const one = found.sets.find(({ name }) => name === rules);
    if (!one) throw new Problem('unknown-rules', `there are no rules ${rules}`);
    return answer(one);
  }

  async function who(call: Call): Promise<Answer> {
    const table = tableIn(call);
    const query = read(watching, call.query, 'query');
    const room = call.params['room'] ?? '';
    const seat = await eyeFor(call.bearer, table, query.as, () => Promise.resolve('audience'));
    if (typeof seat !== 'number')
      throw new Problem('forbidden', 'only a seat can look around in a room; an administrator says which: as=seat:3');
    if (room.length > 200) throw new Problem('room-closed', 'there is no room of that name');
    return answer(await ask('room.who', table, { room, seat }, call));
  }

  async function models({ bearer, query, signal }: Call): Promise<Answer> {
    mustAdminister(bearer);
    read(nothing, query, 'query');
    return answer(await ask('llm.models', '-', {}, { signal }));
  }

  return [
    { method: 'GET', path: '/rules', does: sets },
    { method: 'GET', path: '/rules/:name', does: set },
    { method: 'GET', path: '/tables/:table/rooms/*room/who', does: who },
    { method: 'GET', path: '/models', does: models },
  ];
}
