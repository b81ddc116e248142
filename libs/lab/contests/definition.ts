import { schemaOf } from '@maw/minds/prompts/json-schema.ts';
import { playerName, recipeParameters, text, word } from '@maw/contracts/messages/schemas.ts';
import { firstOf, openYaml, RecipeError, type YamlFile } from '@maw/recipes/yaml-file.ts';
import { z } from 'zod';

/** The name of an agent, a cell or a contest: it stands in files, tables and addresses. */
const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/, 'a name has up to 60 letters, digits, dots, dashes and underscores');
/** So many deals, or sets, a contest can have. */
export const MAX_DEALS = 1_000_000;
const count = z.int().min(1).max(MAX_DEALS);

/** Who competes. Neither the seats nor the dice of its games depend on its name. */
export const agentShape = z.strictObject({
  name,
  recipe: word.optional().describe('The recipe of its mind, by name; on one machine also a file'),
  outside: playerName
    .optional()
    .describe(
      'In place of a recipe: the name that it tells when it connects to a server for outside agents of AIWolf, or that without its number',
    ),
  over: z
    .literal('http')
    .optional()
    .describe('Of an outside agent: a program of any game, whose key has the name outside (docs/agents.md); absent: AIWolf'),
  parameters: recipeParameters,
  model: word.optional().describe('The model of its mind; absent: the default of the gateway'),
  learns: z
    .boolean()
    .optional()
    .describe('With the schedules cells and sides: it takes what it learns in a game along to the next game of the same cell'),
  fingerprint: z.string().max(64).optional().describe('Of the files of its recipe: not written, but filled in when the contest is read'),
});
export type Agent = z.output<typeof agentShape>;

/** A rule set with its options. Several games of one contest are rated together, each with its own advantage of sides. */
export const gameShape = z.strictObject({
  rules: z.string().min(1).max(60),
  players: z.int().min(1).max(100).optional().describe('Absent: as many as usual'),
  options: z.record(z.string().max(60), z.union([z.string().max(200), z.number(), z.boolean()])).default({}),
});
export type ContestGame = z.output<typeof gameShape>;

/** One cell of a table of results: who plays which side or seat. */
const cellShape = z.strictObject({
  name,
  sides: z.record(z.string(), name).default({}).describe('The agent that plays all seats of a side, as dealt'),
  seats: z
    .record(z.string().regex(/^[1-9]\d?$/, 'a seat is a number from 1 to 99'), name)
    .default({})
    .describe('The agent of a seat, counted from 1; it goes before its side'),
  others: name.optional().describe('The agent of all other seats'),
});
export type Cell = z.output<typeof cellShape>;

/** Absent in contests that were begun before sets were drawn so: they go on as they began. */
const even = z
  .literal(true)
  .optional()
  .describe('Every agent has as many sets as any other, or one more: not written, but filled in when the contest is read');

const scheduleShape = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('set').describe('Groups drawn by chance; a group plays its games at one table, keeps its seats and its memory'),
    sets: count,
    games: z.int().min(1).max(1000).default(100).describe('Games of a set'),
    even,
  }),
  z.strictObject({
    kind: z.literal('balanced').describe('Each deal is played again with the agents rotated, until each of them has had every seat'),
    deals: count,
  }),
  z.strictObject({
    kind: z.literal('sides').describe('Two agents: one plays the first side, the other all others, then the same deal the other way round'),
    deals: count,
  }),
  z.strictObject({
    kind: z.literal('cross').describe('Every pair of agents, each with itself too: one plays the first side, the other all others'),
    deals: count,
  }),
  z.strictObject({
    kind: z.literal('cells').describe('A table of results: each cell plays the same deals'),
    deals: count,
    cells: z.array(cellShape).min(1).max(1000),
  }),
  z.strictObject({
    kind: z.literal('aiwolf-2021').describe('Sets of a preliminary contest, then sets of its best 15 (AIWolf regulation 2021, section 2)'),
    preliminary: count.describe('Sets'),
    final: count.describe('Sets'),
    finalists: z.int().min(2).max(100).default(15),
    games: z.int().min(1).max(1000).default(100).describe('Games of a set'),
    even,
  }),
]);
export type Schedule = z.output<typeof scheduleShape>;

const stoppingShape = z.strictObject({
  sprt: z
    .strictObject({
      agents: z.tuple([name, name]),
      bounds: z.tuple([z.number(), z.number()]).default([0, 5]).describe('Normalised Elo of the first over the second: no better, better'),
      alpha: z.number().gt(0).lt(0.5).default(0.05),
      beta: z.number().gt(0).lt(0.5).default(0.05),
    })
    .optional()
    .describe('Ends when one of two agents is shown to be better, or not (sequential test over whole deals)'),
  maxCost: z.number().positive().optional().describe('Ends in order before more than this has been spent, in the currency of the prices'),
});

/** What models cost. */
export const pricesShape = z.record(word, z.strictObject({ prompt: z.number().min(0), completion: z.number().min(0) }));
export type Prices = z.output<typeof pricesShape>;

/** What a contest is, as written in `contest.yaml`. */
export const contestShape = z.strictObject({
  name,
  about: text.max(2000).default(''),
  agents: z.array(agentShape).min(1).max(1000),
  games: z.array(gameShape).min(1).max(20),
  schedule: scheduleShape,
  stopping: stoppingShape.prefault({}),
  seed: word.max(100).optional().describe('Absent: drawn when the contest begins, and told by its report once it is over'),
  play: z
    .enum(['auto', 'arena', 'tables'])
    .default('auto')
    .describe('arena: in one process, for minds without a model; tables: at tables of the services; auto: arena where it is possible'),
  atOnce: z.int().min(1).max(10_000).optional().describe('Tables at once; absent: as many as the model slots bear'),
  prices: pricesShape.default({}).describe('By model: the price of a million tokens'),
  measures: z.boolean().default(false).describe('Keeps what the measures of behaviour need of games in the arena; tables keep it always'),
});
/** What is wrong at one place of a contest, and what to do. */
export interface Mistake {
  readonly path: readonly PropertyKey[];
  readonly says: string;
}

/** A contest as it is written. */
export type ContestInput = z.input<typeof contestShape>;
/** A contest with all defaults filled in. */
export type Contest = z.output<typeof contestShape>;

/** The JSON schema of contest files, for editors. */
export const contestSchema = (): { readonly [keyword: string]: unknown } => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'A contest of agents of Multi-Agent Werewolf',
  ...schemaOf(contestShape, 'input'),
});

/** The id of a contest that is given none: the same for the same name, so that the same file goes on with it. */
export const contestIdOf = (named: string): string => named.replaceAll(/[^A-Za-z0-9_-]/g, '-').slice(0, 40);

/** What is wrong with a contest: `contest.yaml:12: agents.1.recipe: what, and what to do`. */
export class ContestError extends Error {
  override readonly name = 'ContestError';
  readonly mistakes: readonly string[];
  constructor(mistakes: readonly string[]) {
    super(firstOf(mistakes).join('\n'));
    this.mistakes = mistakes;
  }
}

/** What a text has, before it is checked. @throws ContestError when it is not YAML, or has no fields */
export function parseContest(content: string): { readonly [field: string]: unknown } {
  const { value, at } = openContest('contest.yaml', content);
  const { data } = anyFields.safeParse(value);
  if (!data) throw new ContestError([`${at([])}: a contest has fields: name, agents, games and schedule`]);
  return data;
}

const anyFields = z.looseObject({});

/** Opens the text of a contest. @throws ContestError with the lines that are no YAML */
export function openContest(file: string, content: string): YamlFile<unknown> {
  try {
    return openYaml(file, content);
  } catch (error) {
    throw error instanceof RecipeError ? new ContestError(error.mistakes) : error;
  }
}
