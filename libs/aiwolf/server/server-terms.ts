import type { Terms } from './terms.ts';
import type { Data } from '@maw/contracts/contracts.ts';
import { recipeParameters, word } from '@maw/contracts/messages/schemas.ts';
import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import { type AiwolfOptions, aiwolfOptions } from '@maw/games/aiwolf/options.ts';
import { PRESETS } from '@maw/games/aiwolf/presets.ts';
import { readOptions } from '@maw/games/kernel/options.ts';
import { Refusal } from '@maw/games/kernel/refusal.ts';
import { z } from 'zod';
import { gameIds } from './game-ids.ts';
import { isMissingAt, mistakeOf } from './term-mistakes.ts';

/** A mind: the name of its recipe, or with parameters. */
const mind = z.union([word.transform((recipe) => ({ recipe })), z.strictObject({ recipe: word, parameters: recipeParameters })]);
const milliseconds = (least: number) => z.int().min(least).max(3_600_000);

const shared = {
  host: z.string().min(1).default('127.0.0.1'),
  /** 0: any free one. */
  port: z.int().min(0).max(65_535),
  players: z.int().min(aiwolf.players.least).max(aiwolf.players.most).default(5),
  /** How many outside agents a table waits for; minds take the other seats. Absent: as many as there are seats for them. */
  agents: z.int().min(1).optional(),
  /** How many seats are kept for people, who join with an invitation; minds take those that nobody has joined in time. */
  people: z.int().min(0).max(aiwolf.players.most).default(0),
  /** The longest time that people have for an answer, where agents do not have longer. */
  peopleMs: milliseconds(10).default(120_000),
  /** Games of a set. In the natural-language division each has a table of its own. */
  games: z.int().min(1).max(1000).default(100),
  /** Sets until the server takes no more agents. Absent: without end. */
  sets: z.int().min(1).optional(),
  /** Who takes the seats that no agent takes. */
  fill: mind.prefault('rules'),
  /** Who plays the seat of an agent that fails too often. */
  standIn: mind.prefault('rules'),
  /** So many faults in one game, and the stand-in plays the seat. */
  faults: z.int().min(1).default(10),
  /** Connections of agents at once from one address. Absent: see `connections/defaults.ts`. */
  perAddress: z.int().min(1).optional(),
  /** Its agents wait for the tables of contests, which say how these are played. */
  contests: z.boolean().default(false),
  /** How long the table of a contest waits for an agent that is away; then it is ended. */
  awayMs: milliseconds(1).default(60_000),
  /** Packets have the known faults of the published servers. */
  strict: z.boolean().default(false),
  /** Of the rule set, besides the preset. */
  options: z.record(z.string().max(60), z.union([z.string().max(200), z.number(), z.boolean()])).default({}),
};

const serverTermsShape = z.discriminatedUnion('division', [
  z.strictObject({
    division: z.literal('protocol'),
    ...shared,
    answerMs: milliseconds(1).default(1000),
    extraMs: milliseconds(0).default(0),
    /** Without it, nothing tells a late answer from the next one: an agent that leaves out one answer would lose all that follow. */
    signMs: milliseconds(0).default(10_000),
    preset: z.enum(PRESETS).default('protocol-2021'),
    match: z.literal('any').default('any'),
  }),
  z.strictObject({
    division: z.literal('natural'),
    ...shared,
    answerMs: milliseconds(1).default(60_000),
    extraMs: milliseconds(0).default(5_000),
    signMs: milliseconds(0).default(120_000),
    preset: z.enum(PRESETS).default('nlp-2026'),
    /** Who sits at one table: whoever comes first, agents of different teams, or agents of one team. */
    match: z.enum(['any', 'teams', 'self']).default('any'),
    /** Agents must show a token that is signed with it (HMAC). */
    secret: z.string().min(1).optional(),
  }),
]);

/** The terms of one server for agents, as organisers write them in JSON. */
export const serverTerms = serverTermsShape
  .transform((terms) => ({ ...terms, agents: terms.agents ?? Math.max(1, terms.players - terms.people) }))
  .superRefine((terms, { addIssue }) => {
    if (terms.agents > terms.players)
      addIssue({ code: 'custom', path: ['agents'], message: `${terms.agents} agents do not fit at a table for ${terms.players} players` });
    else if (terms.agents + terms.people > terms.players) addIssue({ code: 'custom', path: ['people'], message: tooMany(terms) });
    if (terms.contests && (terms.people > 0 || terms.sets !== undefined))
      addIssue({ code: 'custom', path: ['contests'], message: 'contests say who plays and how often; leave people and sets out' });
    for (const message of optionMistakes(terms)) addIssue({ code: 'custom', path: ['options'], message });
  });
export type ServerTerms = z.output<typeof serverTerms>;
export type Division = ServerTerms['division'];

function tooMany({ agents, people, players }: { readonly agents: number; readonly people: number; readonly players: number }): string {
  const all = `${agents === 1 ? '1 agent' : `${agents} agents`} and ${people === 1 ? '1 person' : `${people} people`}`;
  return `${all} do not fit at a table for ${players} players; at least one seat is for an agent`;
}

/**
 * A question stays open at its table for so much longer than any answer may take. Answers and faults end it long before: only after a restart
 * does it matter, while the servers are started and agents that have not returned are waited for.
 */
const BACKSTOP_MS = 90_000;
/** The longest time for which agents may be waited for after a restart. The rest of `BACKSTOP_MS` is for the restart itself. */
export const MAX_GRACE_MS = 60_000;
/** How long a table waits in the Lobby for people. */
export const PEOPLE_LOBBY_MS = 600_000;
/** The options that follow from the terms. */
const OWN = ['preset', 'hurry', 'pace', 'turnMs', 'voteMs', 'nightMs'];

type OptionTerms = Pick<
  ServerTerms,
  'preset' | 'options' | 'answerMs' | 'extraMs' | 'signMs' | 'people' | 'peopleMs' | 'contests' | 'awayMs'
>;

/**
 * The options of a table. To agents the times only stop it from waiting for ever: when they are late is decided by the terms. People have all of
 * them; `hurry` takes nothing from them, since a step that ends early has all its answers.
 */
export function tableOptions({ preset, options, answerMs, extraMs, signMs, people, peopleMs, contests, awayMs }: OptionTerms) {
  const longestMs = Math.max(answerMs + extraMs + signMs + (contests ? awayMs : 0) + BACKSTOP_MS, people ? peopleMs : 0);
  const pace = people ? 'people' : 'machines';
  return { ...options, preset, hurry: true, pace, turnMs: longestMs, voteMs: longestMs, nightMs: longestMs };
}

/** The options of a table in full. */
export function gameOptions(terms: OptionTerms): AiwolfOptions {
  const { pace: _, ...options } = tableOptions(terms);
  return readOptions(aiwolfOptions, options);
}

/** Faults that no game has: nobody plays for an agent of a contest. */
const NO_STAND_IN = 1_000_000_000;

/**
 * The terms of a table of a contest at a server.
 * @throws Refusal bad-option
 */
export function contestTerms(terms: ServerTerms, { rules, seats, rounds, options: given }: Data<'agents.open'>['opening']): ServerTerms {
  if (rules !== aiwolf.name) throw new Refusal('bad-option', `outside agents play ${aiwolf.name}, not ${rules}`);
  const { preset = 'protocol-2021', ...options } = given;
  const kept = Object.fromEntries(Object.entries(options).filter(([name]) => !OWN.includes(name)));
  const agents = seats.filter(({ isOutside }) => isOutside).length;
  const read = serverTerms.safeParse({
    ...terms,
    players: seats.length,
    agents,
    games: rounds,
    preset,
    options: kept,
    faults: NO_STAND_IN,
  });
  if (read.success) return read.data;
  throw new Refusal('bad-option', read.error.issues.map(({ message }) => message).join('; '));
}

/** What the packets of a seat of a set depend on. */
export const seatTerms = (terms: ServerTerms, seat: number, set: string): Terms => ({
  seat,
  players: terms.players,
  options: gameOptions(terms),
  division: terms.division,
  isStrict: terms.strict,
  answerMs: terms.answerMs,
  signMs: terms.signMs,
  ids: gameIds(set),
});

/** The name without its number, which agents of one team share. A name of digits alone is a team of its own. */
export const teamOf = (name: string): string => name.replace(/\d+$/, '') || name;

function optionMistakes(terms: z.output<typeof serverTermsShape>): string[] {
  const own = Object.keys(terms.options).filter((name) => OWN.includes(name));
  if (own.length) return own.map((name) => `${name} is set by the terms of the server: ${name === 'preset' ? 'preset' : 'answerMs'}`);
  try {
    aiwolf.rules(terms.players, tableOptions(terms));
    return [];
  } catch (error) {
    if (error instanceof Refusal) return [error.detail];
    throw error;
  }
}

/** Mistakes in the terms of servers, one per line, each with its path. */
export class TermsError extends Error {
  override readonly name = 'TermsError';
}

/**
 * Reads a JSON array of terms.
 * @throws TermsError naming every mistake
 */
export function readServerTerms(json: string): readonly ServerTerms[] {
  const given = parseJson(json);
  const read = z.array(serverTerms).safeParse(given);
  if (!read.success)
    throw new TermsError(
      read.error.issues.map((issue) => `${pathOf(issue.path)}: ${mistakeOf(issue, isMissingAt(given, issue.path))}`).join('\n'),
    );
  if (!read.data.length) throw new TermsError('servers: names no server; leave AIWOLF_SERVERS out if there is to be none');
  return withDistinctPorts(read.data);
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    const [says] = (error as Error).message.split(', '); // what follows quotes the text, which may hold a secret
    throw new TermsError(`the terms of the servers are no JSON: ${says}; write an array: [{"division": "protocol", "port": 10000}]`);
  }
}

function withDistinctPorts(servers: readonly ServerTerms[]): readonly ServerTerms[] {
  const ports = servers.map(({ host, port }) => (port === 0 ? undefined : `${host}:${port}`));
  const i = ports.findIndex((port, n) => port !== undefined && ports.indexOf(port) < n);
  if (i >= 0) throw new TermsError(`${pathOf([i, 'port'])}: another server listens on ${ports[i]} already`);
  return servers;
}

/** `servers[0].options` */
const pathOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, part) => (typeof part === 'number' ? `${text}[${part}]` : `${text}.${String(part)}`), 'servers');
