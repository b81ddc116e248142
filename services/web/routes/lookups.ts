import { z } from 'zod';
import type { Ask } from '../bus-client.ts';
import { eyeFor, requireAdmin } from '../auth/authorize.ts';
import { Problem } from '../problem.ts';
import { viewName, parseInput, wholeNumber } from '../parse-input.ts';
import { answer, type Answer, type Call, type Route, tableIn } from '../route.ts';

const naming = z.strictObject({
  players: wholeNumber.pipe(z.int().min(1).max(100)).optional(),
  options: z.record(z.string().max(60), z.string().max(200)),
});
const watching = z.strictObject({ as: viewName.optional() });
const nothing = z.strictObject({});
const OPTION = 'option.';

/** What can be asked about the house: its rules, its models, and who is in a room. */
export function lookupRoutes({ ask }: { readonly ask: Ask }): readonly Route[] {
  async function sets({ query, signal }: Call): Promise<Answer> {
    parseInput(nothing, query, 'query');
    return answer(await ask('table.rules', '-', {}, { signal }));
  }

  async function set({ params, query, signal }: Call): Promise<Answer> {
    const given = Object.entries(query);
    const options = Object.fromEntries(
      given.flatMap(([name, value]) => (name.startsWith(OPTION) ? [[name.slice(OPTION.length), value]] : [])),
    );
    const rest = Object.fromEntries(given.filter(([name]) => !name.startsWith(OPTION)));
    const { players, options: chosen } = parseInput(naming, { ...rest, options }, 'query');
    const rules = params['name']!.slice(0, 60);
    const found = await ask('table.rules', '-', { rules, ...(players === undefined ? {} : { players }), options: chosen }, { signal });
    const one = found.sets.find(({ name }) => name === rules);
    if (!one) throw new Problem('unknown-rules', `there are no rules ${rules}`);
    return answer(one);
  }

  async function who(call: Call): Promise<Answer> {
    const table = tableIn(call);
    const query = parseInput(watching, call.query, 'query');
    const room = call.params['room'] ?? '';
    const seat = await eyeFor(call.bearer, table, query.as, () => Promise.resolve('audience'));
    if (typeof seat !== 'number')
      throw new Problem('forbidden', 'only a seat can look around in a room; an administrator says which: as=seat:3');
    if (room.length > 200) throw new Problem('room-closed', 'there is no room of that name');
    return answer(await ask('room.who', table, { room, seat }, call));
  }

  async function models({ bearer, query, signal }: Call): Promise<Answer> {
    requireAdmin(bearer);
    parseInput(nothing, query, 'query');
    return answer(await ask('llm.models', '-', {}, { signal }));
  }

  return [
    { method: 'GET', path: '/rules', handle: sets },
    { method: 'GET', path: '/rules/:name', handle: set },
    { method: 'GET', path: '/tables/:table/rooms/*room/who', handle: who },
    { method: 'GET', path: '/models', handle: models },
  ];
}
