import { z } from 'zod';
import { eyeFor, requireAdmin } from '../auth/authorize.ts';
import type { Ask } from '../bus-client.ts';
import { parseInput, viewName, wholeNumber } from '../parse-input.ts';
import { Problem } from '../problem.ts';
import { answer, type Answer, type Call, type Route, tableIn } from '../route.ts';

const ruleQuery = z.strictObject({
  players: wholeNumber.pipe(z.int().min(1).max(100)).optional(),
  options: z.record(z.string().max(60), z.string().max(200)),
});
const roomQuery = z.strictObject({ as: viewName.optional() });
const thoughtQuery = z.strictObject({
  seat: wholeNumber.pipe(z.int().max(99)).optional(),
  decision: z
    .string()
    .min(1)
    .max(200)
    .transform((given) => (/^[1-9]\d{0,8}$/.test(given) ? Number(given) : given))
    .optional(),
  after: wholeNumber.optional(),
  limit: wholeNumber.pipe(z.int().min(1).max(1000)).optional(),
});
const nothing = z.strictObject({});
const OPTION = 'option.';

/** The rules and models there are, who is in a room, and what the minds of a table thought. */
export function lookupRoutes({ ask }: { readonly ask: Ask }): readonly Route[] {
  return [
    { method: 'GET', path: '/rules', handle: (call) => allRules(ask, call) },
    { method: 'GET', path: '/rules/:name', handle: (call) => rulesNamed(ask, call) },
    // Not traced: the room may be a secret one.
    { method: 'GET', path: '/tables/:table/rooms/*room/who', isUntraced: true, handle: (call) => membersOf(ask, call) },
    // Not traced: by night that a seat was asked anything is secret.
    { method: 'GET', path: '/tables/:table/thoughts', isUntraced: true, handle: (call) => thoughtsOf(ask, call) },
    { method: 'GET', path: '/models', handle: (call) => models(ask, call) },
  ];
}

async function allRules(ask: Ask, { query, signal }: Call): Promise<Answer> {
  parseInput(nothing, query, 'query');
  return answer(await ask('table.rules', '-', {}, { signal }));
}

async function rulesNamed(ask: Ask, { params, query, signal }: Call): Promise<Answer> {
  const { true: options = [], false: rest = [] } = Object.groupBy(Object.entries(query), ([name]) => `${name.startsWith(OPTION)}`);
  const given = {
    ...Object.fromEntries(rest),
    options: Object.fromEntries(options.map(([name, value]) => [name.slice(OPTION.length), value])),
  };
  const { players, options: chosen } = parseInput(ruleQuery, given, 'query');
  const rules = params['name']!.slice(0, 60);
  const found = await ask('table.rules', '-', { rules, players, options: chosen }, { signal });
  const one = found.sets.find(({ name }) => name === rules);
  if (!one) throw new Problem('unknown-rules', `there are no rules ${rules}`);
  return answer(one);
}

async function membersOf(ask: Ask, call: Call): Promise<Answer> {
  const table = tableIn(call);
  const query = parseInput(roomQuery, call.query, 'query');
  const room = call.params['room'] ?? '';
  const seat = await eyeFor(call.bearer, table, query.as, () => Promise.resolve('audience'));
  if (typeof seat !== 'number') throw new Problem('forbidden', 'only a seat can see who is in a room; as an administrator add as=seat:3');
  if (room.length > 200) throw new Problem('room-closed', 'there is no room of that name');
  return answer(await ask('room.who', table, { room, seat }, call));
}

async function thoughtsOf(ask: Ask, call: Call): Promise<Answer> {
  requireAdmin(call.bearer);
  const table = tableIn(call);
  const query = parseInput(thoughtQuery, call.query, 'query');
  await ask('table.view', table, { eye: 'audience', limit: 1 }, { signal: call.signal }); // unknown-game: the player knows no tables
  return answer(await ask('mind.thoughts', table, query, { signal: call.signal }));
}

async function models(ask: Ask, { bearer, query, signal }: Call): Promise<Answer> {
  requireAdmin(bearer);
  parseInput(nothing, query, 'query');
  return answer(await ask('llm.models', '-', {}, { signal }));
}
