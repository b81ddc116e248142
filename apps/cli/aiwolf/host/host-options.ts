import { readTextFile } from '@maw/text/text-file.ts';
import { playerToken } from '@maw/aiwolf/server/player-token.ts';
import { mistakeOf } from '@maw/aiwolf/server/term-mistakes.ts';
import { serverTerms } from '@maw/aiwolf/server/server-terms.ts';
import { findRecipe } from '@maw/minds/recipes.ts';
import { readMinds } from '@maw/minds/own-recipes.ts';
import type { SeatRecipe } from '@maw/recipes/seat-recipe.ts';
import { say } from '../../output.ts';

export interface HostOptions {
  readonly division: 'protocol' | 'nlp';
  readonly players: number;
  readonly games: number;
  readonly agents?: number;
  /** How many seats are kept for people. */
  readonly people?: number;
  /** Whether people play and watch in a browser. */
  readonly web?: boolean;
  readonly fill: string;
  readonly standIn: string;
  readonly model?: string;
  /** In milliseconds. */
  readonly timeLimit?: number;
  /** How much longer an answer may take, in milliseconds, without being late. */
  readonly tolerance?: number;
  readonly port?: number;
  readonly host: string;
  readonly strict: boolean;
  readonly faults?: number;
  readonly match: 'any' | 'teams' | 'self';
  readonly secretFile?: string;
  readonly preset?: string;
  readonly option: { readonly [name: string]: string };
  readonly logs?: string;
  readonly json: boolean;
  readonly data: string;
  /** Whether a set that was not played to its end is given up. */
  readonly new: boolean;
}

/** The ports of the published servers. */
export const PORTS = { protocol: 10_000, natural: 8080 } as const;

/** The options that the terms come from. */
const OPTION_OF: { readonly [term: string]: string } = {
  agents: '--agents',
  people: '--people',
  answerMs: '--time-limit',
  extraMs: '--tolerance',
  options: '--option',
  fill: '--fill',
  standIn: '--stand-in',
  secret: '--secret-file',
};

/** What is hosted, and the recipes that seats can be given. @throws Error naming the option that is wrong; RecipeError for a recipe file */
export function readHosting(options: HostOptions) {
  const { division, players, games, match, secretFile } = options;
  const isNatural = division === 'nlp';
  if (!isNatural && match !== 'any')
    throw new Error(
      `--match ${match} is for the natural-language division; the protocol division knows no teams, and takes agents as they come`,
    );
  if (!isNatural && secretFile !== undefined)
    throw new Error('--secret-file is for the natural-language division; agents of the protocol division have no way to show a token');
  const { recipes, seats } = readMinds([options.fill, options.standIn]);
  const [fill, standIn] = seats as [SeatRecipe, SeatRecipe];
  const used = [fill, standIn].map(({ recipe, parameters }) => findRecipe(recipe, recipes, parameters));
  const { agents, people, host, timeLimit, tolerance, port, strict, faults, preset, option } = options;
  const terms = isNatural ? 'natural' : 'protocol';
  const read = serverTerms.safeParse({
    division: terms,
    players,
    games,
    fill,
    standIn,
    host,
    port: port ?? PORTS[terms],
    strict,
    options: option,
    sets: 1,
    people,
    agents,
    answerMs: timeLimit,
    extraMs: tolerance,
    faults,
    preset,
    match,
    ...(secretFile === undefined ? {} : { secret: readSecret(secretFile) }),
  });
  if (!read.success)
    throw new Error(
      read.error.issues
        .map((issue) => `${OPTION_OF[String(issue.path[0])] ?? `--${String(issue.path[0])}`}: ${mistakeOf(issue, false)}`)
        .join('\n'),
    );
  return { terms: read.data, recipes, usesModel: used.some(({ usesModel }) => usesModel) };
}

/** `maw aiwolf token`: prints the token that an agent of a team shows to a host with this secret. */
export async function printToken(
  team: string,
  { secretFile, days }: { readonly secretFile: string; readonly days?: number },
): Promise<void> {
  if (/\d$/.test(team)) throw new Error(`${team}: a team ends in no digit, since each of its agents adds its number`);
  const expires = days === undefined ? undefined : Date.now() + days * 86_400_000;
  say(await playerToken(team, readSecret(secretFile), expires));
}

/** A longer text is no key, but another file. */
const MAX_SECRET = 4096;

/** The text of the file without the blanks around it. */
function readSecret(file: string): string {
  const secret = readTextFile(file).trim();
  if (!secret || secret.length > MAX_SECRET)
    throw new Error(
      `--secret-file ${file} is ${secret ? 'too long' : 'empty'}; put the key in it that signs the tokens of agents, such as 32 random letters`,
    );
  return secret;
}
