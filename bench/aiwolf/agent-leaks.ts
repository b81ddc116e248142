import { randomUUID } from 'node:crypto';
import { readServerTerms, type ServerTerms } from '@maw/aiwolf/server/server-terms.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { leaksIn, playOn, whispering } from '@maw/tests/aiwolf/agent-secrets.suite.ts';
import { type BenchmarkContext, benchmark } from '../benchmark.ts';
import { integer, names } from '../options.ts';
import { QUESTIONS, type SeatTrace, tracesOf } from './first-packets.ts';
import { chanceOf } from './permutation.ts';
import { withMemoryStage } from './stage.ts';

const DIVISIONS = ['protocol', 'natural'] as const;
type Division = (typeof DIVISIONS)[number];

/** Players of a game in which all roles play, and of one with the fewest. */
const MAX_PLAYERS = { protocol: 15, natural: 13 } as const;
const FEWEST = 5;
/** Games of a set in the protocol division: what agents were sent is searched after each set. */
const GAMES_OF_SET = 10;
const PERMUTATIONS = 1_999;
/** A chance below this is a leak. */
const LEAST_CHANCE = 0.001;
const MAX_SHOWN = 10;
const ANSWER_MS = 600_000;

interface Row {
  readonly division: Division;
  readonly what: string;
  readonly of: string;
  readonly games: number;
  /** Secrets that were told to a wrong agent; the chance that a measure depends as much on roles. */
  readonly leaks?: number;
  readonly chance?: number;
}

export const agentLeaks = benchmark({
  name: 'agent-leaks',
  description: 'searches what connections of outside agents tell of roles: in their packets, and by their sizes, order and times',
  options: {
    divisions: names('divisions', DIVISIONS),
    games: integer('games of each division whose packets are searched, with all roles', { fallback: 200 }),
    measured: integer('games of each division whose packets are measured, with five players', { fallback: 1000 }),
  },
  async measure({ divisions = DIVISIONS, games, measured }, context) {
    const rows: Row[] = [];
    for (const division of DIVISIONS.filter((each) => divisions.includes(each))) {
      if (!context.signal.aborted) rows.push(await search(division, games, context));
      if (!context.signal.aborted) rows.push(...(await compare(division, measured, context)));
    }
    const hasFailed = rows.some(({ leaks = 0, chance = 1 }) => leaks > 0 || chance < LEAST_CHANCE);
    return rows.length ? { text: tableOf(rows), json: rows, hasFailed } : undefined;
  },
});

/** Plays games with a secret in every whisper, and searches all packets for what their agents may not know. */
async function search(division: Division, games: number, { signal, say }: BenchmarkContext): Promise<Row> {
  let leaks = 0;
  let played = 0;
  const agents = Array.from({ length: MAX_PLAYERS[division] }, (_, i) => `own name ${String.fromCharCode(97 + i)}`);
  await withSets(division, agents.length, games, async (url, perSet) => {
    for (; played < games && !signal.aborted; played += perSet) {
      const found = leaksIn(await playOn(url, agents, whispering), agents).leaks;
      for (const one of found.slice(0, MAX_SHOWN)) process.stderr.write(`${division}, games ${played + 1} to ${played + perSet}: ${one}\n`);
      leaks += found.length;
      say(`${division}, ${agents.length} players: ${played + perSet} of ${games} games searched, ${leaks} leaks`);
    }
  });
  return { division, what: 'packets', of: "others' roles, whispers, results, names", games: played, leaks };
}

/** Plays games and tests what their packets show against the roles. */
async function compare(division: Division, games: number, { signal, say }: BenchmarkContext): Promise<Row[]> {
  const agents = Array.from({ length: FEWEST }, (_, i) => `agent${i + 1}`);
  const seen: (readonly SeatTrace[])[] = [];
  await withSets(division, agents.length, games, async (url, perSet) => {
    while (seen.length < games && !signal.aborted) {
      const traces = (await playOn(url, agents)).map((agent) => tracesOf(agent));
      for (const [i] of traces[0]!.entries()) seen.push(traces.map((each) => each[i]!));
      if (seen.length % (perSet * 50) === 0) say(`${division}, ${agents.length} players: ${seen.length} of ${games} games measured`);
    }
  });
  const dice = diceOf(randomUUID(), 'permutations');
  return QUESTIONS.map(({ what, of, samples }): Row => ({
    division,
    what,
    of,
    games: seen.length,
    chance: chanceOf(samples(seen), PERMUTATIONS, dice),
  }));
}

/** Runs `use` with a server for as many sets as the games need, and the number of games of each. */
async function withSets(
  division: Division,
  players: number,
  games: number,
  use: (url: string, perSet: number) => Promise<void>,
): Promise<void> {
  const perSet = division === 'protocol' ? Math.min(games, GAMES_OF_SET) : 1;
  const terms = { division, players, port: 0, games: perSet, sets: Math.ceil(games / perSet), answerMs: ANSWER_MS, signMs: 0 };
  const servers: readonly ServerTerms[] = readServerTerms(JSON.stringify([{ ...terms, options: { language: 'free' } }]));
  await withMemoryStage(servers, ({ urls }) => use(urls[0]!, perSet));
}

const resultOf = ({ leaks, chance }: Row): string => (leaks === undefined ? chance!.toFixed(4) : `${leaks} leaks`);

const tableOf = (rows: readonly Row[]): string =>
  [
    '| division | what | against | games | leaks, or chance |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row.division} | ${row.what} | ${row.of} | ${row.games} | ${resultOf(row)} |`),
    '',
    `The chance is that of a dependence at least as strong where there is none (permutation test, ${PERMUTATIONS} permutations); below`,
    `${LEAST_CHANCE} it is a leak. Times are those at agents that answer at once, in the process of the services.`,
  ].join('\n');
