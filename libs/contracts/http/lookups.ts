import { z } from 'zod';
import { contracts } from '../contracts.ts';
import { storable } from '../messages/schemas.ts';
import { atTable, declare, json, listLimit, type PathParameters, viewName, wholeNumber } from './route.ts';

const ruleList = contracts.replyOf('table.rules');
/** Every option of rules is a parameter of its own: `option.seer=true`. */
export const OPTION = 'option.';
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
const thoughtQuery = z.strictObject({
  seat: wholeNumber(0, 99).optional(),
  decision: storable
    .min(1)
    .max(200)
    .transform((given) => (/^[1-9]\d{0,8}$/.test(given) ? Number(given) : given))
    .optional(),
  after: wholeNumber(0, 2_147_483_647).optional(),
  limit: listLimit.optional(),
  sums: z
    .literal('true')
    .transform(() => true as const)
    .optional(),
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

/** How often each recipe and model has won. */
export const leaderboardRoutes = {
  'GET /leaderboard': declare({
    summary: 'How often people, and minds by recipe and model, have won in finished games, in all and by side; of all rules, or of some.',
    permits: 'anyToken',
    query: z.strictObject({ rules: contracts.get('table.leaderboard').data.shape.rules }),
    responses: [json(contracts.replyOf('table.leaderboard'), 'The rows, the largest share of wins first.')],
    refusals: ['unknown-rules'],
  }),
} as const;

/** The rules and models there are, who is in a room, and what the minds of a table thought. */
export const lookupRoutes = {
  'GET /rules': declare({
    summary: 'The rule sets, with their options.',
    permits: 'anyToken',
    responses: [json(ruleList, 'The rule sets.')],
  }),
  'GET /rules/:name': declare({
    summary: 'One rule set, with its text for a number of players and options, each given as `option.NAME=VALUE`.',
    permits: 'anyToken',
    params: named,
    query: ruleQuery,
    responses: [json(ruleList.shape.sets.element, 'The rule set.')],
    refusals: ['unknown-rules', 'bad-option'],
  }),
  'GET /recipes': declare({
    summary: 'The recipes that seats can be given: how minds think, and what of it can be chosen.',
    permits: 'anyToken',
    responses: [json(contracts.replyOf('table.recipes'), 'The recipes, with their parameters.')],
  }),
  'GET /models': declare({
    summary: 'The model servers and their models.',
    permits: 'opener',
    responses: [json(contracts.replyOf('llm.models'), 'The model servers.')],
  }),
  'GET /tables/:table/rooms/*room/who': declare({
    summary: 'Who is in a room and who may speak there.',
    permits: 'inRoom',
    params: inTable,
    query: z.strictObject({ as: viewName.optional() }),
    responses: [json(contracts.replyOf('room.who'), 'The members of the room.')],
    refusals: ['unknown-game', 'room-closed', 'not-a-member'],
    isUntraced: true, // the room may be a secret one
  }),
  'GET /tables/:table/thoughts': declare({
    summary:
      'What the minds of a table thought: its decisions, or the steps of one decision; with `sums=true` also how its decisions came about, by model.',
    permits: 'insight',
    params: atTable,
    query: thoughtQuery,
    responses: [json(contracts.replyOf('mind.thoughts'), 'The decisions, and the steps of the one that was named.')],
    refusals: ['unknown-game', 'not-an-option'],
    isUntraced: true, // by night that a seat was asked anything is secret
  }),
} as const;
