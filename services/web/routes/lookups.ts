import { z } from 'zod';
import { contracts } from '@maw/contracts/contracts.ts';
import { storable } from '@maw/contracts/messages/schemas.ts';
import { eyeFor, requireInsight } from '../auth/watching.ts';
import { anyToken, inRoom, insight, opener } from '../auth/permissions.ts';
import type { Ask } from '../bus-client.ts';
import { listLimit, viewName, wholeNumber } from '../parse-input.ts';
import { Problem } from '../problem.ts';
import { answer, type Answer, atTable, type AtTable, type Call, json, type PathParameters, route, type Route } from '../route.ts';

const ruleList = contracts.replyOf('table.rules');
const ruleSet = ruleList.shape.sets.element;
const OPTION = 'option.';
/** Every option is a parameter of its own: `option.seer=true`. */
const ruleQuery = z.preprocess(
  (given: object) => {
    const { true: options = [], false: others = [] } = Object.groupBy(Object.entries(given), ([name]) => `${name.startsWith(OPTION)}`);
    return { ...Object.fromEntries(others), options: Object.fromEntries(options) };
  },
  z.strictObject({
    players: wholeNumber(1, 100).optional(),
    options: z.record(
      z
        .string()
        .startsWith(OPTION)
        .max(OPTION.length + 60),
      z.string().max(200),
    ),
  }),
);
const roomQuery = z.strictObject({ as: viewName.optional() });
const thoughtQuery = z.strictObject({
  seat: wholeNumber(0, 99).optional(),
  decision: storable
    .min(1)
    .max(200)
    .transform((given) => (/^[1-9]\d{0,8}$/.test(given) ? Number(given) : given))
    .optional(),
  after: wholeNumber(0, 2_147_483_647).optional(),
  limit: listLimit.optional(),
});
const named = {
  name: { schema: z.string(), description: 'The name of the rule set.', reason: 'unknown-rules', says: 'there are no such rules' },
} as const satisfies PathParameters;
const inTable = {
  ...atTable,
  room: {
    schema: contracts.get('room.who').data.shape.room,
    description: 'The full name of the room, `round-1/day-1/Village`; its slashes encoded or not.',
    reason: 'room-closed',
    says: 'there is no room of that name',
  },
} as const satisfies PathParameters;

/** The rules and models there are, who is in a room, and what the minds of a table thought. */
export function lookupRoutes({ ask }: { readonly ask: Ask }): readonly Route[] {
  return [
    ...catalogueRoutes(ask),
    route({
      method: 'GET',
      path: '/tables/:table/rooms/*room/who',
      summary: 'Who is in a room and who may speak there.',
      permits: inRoom,
      params: inTable,
      query: roomQuery,
      responses: [json(contracts.replyOf('room.who'), 'The members of the room.')],
      refusals: ['unknown-game', 'room-closed', 'not-a-member'],
      isUntraced: true, // the room may be a secret one
      handle: (call) => membersOf(ask, call),
    }),
    route({
      method: 'GET',
      path: '/tables/:table/thoughts',
      summary: 'What the minds of a table thought: its decisions, or the steps of one decision.',
      permits: insight,
      params: atTable,
      query: thoughtQuery,
      responses: [json(contracts.replyOf('mind.thoughts'), 'The decisions, and the steps of the one that was named.')],
      refusals: ['unknown-game', 'not-an-option'],
      isUntraced: true, // by night that a seat was asked anything is secret
      handle: (call) => thoughtsOf(ask, call),
    }),
  ];
}

/** What tables can be opened with: rules, recipes and models. */
const catalogueRoutes = (ask: Ask): readonly Route[] => [
  route({
    method: 'GET',
    path: '/rules',
    summary: 'The rule sets, with their options.',
    permits: anyToken,
    responses: [json(ruleList, 'The rule sets.')],
    handle: async ({ signal }) => answer(await ask('table.rules', '-', {}, { signal })),
  }),
  route({
    method: 'GET',
    path: '/rules/:name',
    summary: 'One rule set, with its text for a number of players and options, each given as `option.NAME=VALUE`.',
    permits: anyToken,
    params: named,
    query: ruleQuery,
    responses: [json(ruleSet, 'The rule set.')],
    refusals: ['unknown-rules', 'bad-option'],
    handle: (call) => rulesNamed(ask, call),
  }),
  route({
    method: 'GET',
    path: '/recipes',
    summary: 'The recipes that seats can be given: how minds think, and what of it can be chosen.',
    permits: anyToken,
    responses: [json(contracts.replyOf('table.recipes'), 'The recipes, with their parameters.')],
    handle: async ({ signal }) => answer(await ask('table.recipes', '-', {}, { signal })),
  }),
  route({
    method: 'GET',
    path: '/models',
    summary: 'The model servers and their models.',
    permits: opener,
    responses: [json(contracts.replyOf('llm.models'), 'The model servers.')],
    handle: async ({ signal }) => answer(await ask('llm.models', '-', {}, { signal })),
  }),
];

async function rulesNamed(
  ask: Ask,
  { params, query, signal }: Call<{ readonly params: typeof named; readonly query: typeof ruleQuery }>,
): Promise<Answer> {
  const rules = params.name.slice(0, 60);
  const options = Object.fromEntries(Object.entries(query.options).map(([name, value]) => [name.slice(OPTION.length), value]));
  const { sets } = await ask('table.rules', '-', { rules, players: query.players, options }, { signal });
  const one = sets.find(({ name }) => name === rules);
  if (!one) throw new Problem('unknown-rules', `there are no rules ${rules}`);
  return answer(one);
}

async function membersOf(ask: Ask, call: Call<{ readonly params: typeof inTable; readonly query: typeof roomQuery }>): Promise<Answer> {
  const { table, room } = call.params;
  const seat = await eyeFor(call.bearer, table, call.query.as, () => summaryOf(ask, table, call.signal));
  if (typeof seat !== 'number') throw new Problem('forbidden', 'only a seat can see who is in a room; as an administrator add as=seat:3');
  return answer(await ask('room.who', table, { room, seat }, call));
}

async function thoughtsOf(ask: Ask, call: Call<AtTable & { readonly query: typeof thoughtQuery }>): Promise<Answer> {
  const { table } = call.params;
  let found: ReturnType<typeof summaryOf> | undefined;
  const summary = () => (found ??= summaryOf(ask, table, call.signal));
  await requireInsight(call.bearer, table, summary);
  await summary(); // unknown-game: the player knows no tables
  return answer(await ask('mind.thoughts', table, call.query, { signal: call.signal }));
}

const summaryOf = async (ask: Ask, table: string, signal: AbortSignal) =>
  (await ask('table.view', table, { eye: 'audience', limit: 1 }, { signal })).summary;
