import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { pollUntil } from '@maw/async/poll-until.ts';
import { requestClient } from '@maw/bus/request-client.ts';
import { defaultOptions } from '@maw/aiwolf-service/defaults.ts';
import { openTable } from '@maw/aiwolf-service/sets/open-table.ts';
import { newSetId } from '@maw/aiwolf-service/sets/set-plan.ts';
import { readServerTerms, type ServerTerms } from '@maw/aiwolf/server/server-terms.ts';
import { logger } from '@maw/telemetry/log.ts';
import { type BenchmarkContext, benchmark } from '../benchmark.ts';
import { flag, integer, integers, names, UsageError } from '../options.ts';
import type { Exchanges } from './exchanges.ts';
import type { AgentsTask } from './instant-agents.ts';
import { PUBLISHED, type Rates, ratesOf, type Run, type Use } from './rates.ts';
import { type Stage, withBrokerStage, withMemoryStage } from './stage.ts';

const DIVISIONS = { protocol: [5, 15], natural: [5, 13] } as const;
type Division = keyof typeof DIVISIONS;

/** One line of the result. */
interface Row {
  readonly division: Division;
  readonly players: number;
}

/** How many games one set has, and how many sets play at once. */
interface Scope {
  readonly games: number;
  readonly sets: number;
}

/** Agents that answer at once must never be late, however busy the machine is. */
const ANSWER_MS = 600_000;

export const agents = benchmark({
  name: 'aiwolf',
  description: 'sets of outside agents that answer at once, over real connections, and the same tables with minds',
  options: {
    divisions: names('divisions', Object.keys(DIVISIONS)),
    players: integers('players of a game, where the division plays with so many', [5, 13, 15]),
    games: integer('games of a set', { fallback: 10 }),
    sets: integer('sets at once, in the second measurement of each size', { fallback: 8 }),
    runs: integer('how often each size is measured', { fallback: 3 }),
    broker: flag('RabbitMQ, PostgreSQL and a process of each service, instead of everything in one process and in memory'),
  },
  async measure({ divisions = Object.keys(DIVISIONS), players, games, sets, runs, broker }, context) {
    const rows = (Object.keys(DIVISIONS) as Division[])
      .filter((division) => divisions.includes(division))
      .flatMap((division) =>
        DIVISIONS[division].filter((size) => players.includes(size)).map((size): Row => ({ division, players: size })),
      );
    if (!rows.length) throw new UsageError(`--players: ${divisionsText(divisions)}`);
    // A server closes after its sets, so that each measurement has one of its own; the first of a row is its warm-up.
    const scopes: readonly Scope[] = [
      { games: 1, sets: 1 },
      ...Array.from({ length: runs }, () => [
        { games, sets: 1 },
        { games, sets },
      ]).flat(),
    ];
    const servers = rows.flatMap((row) => scopes.map((scope) => termsOf(row, scope)));
    const use = (stage: Stage) =>
      withAgents(context.signal, (play) => measureRows({ rows, servers, stage, play, perRow: scopes.length }, context));
    const measured = await (broker ? withBrokerStage(servers, context.signal, use) : withMemoryStage(servers, use));
    return measured.length ? { text: tableOf(measured), json: measured } : undefined;
  },
});

const divisionsText = (divisions: readonly string[]): string =>
  divisions.map((division) => `the ${division} division plays with ${DIVISIONS[division as Division].join(' or ')} players`).join(', ');

function termsOf({ division, players }: Row, scope: Scope): ServerTerms {
  const limits = division === 'protocol' ? { answerMs: ANSWER_MS } : { answerMs: ANSWER_MS, extraMs: 0, signMs: 0 };
  return readServerTerms(JSON.stringify([{ division, players, port: 0, ...scope, ...limits }]))[0]!;
}

type Play = (task: AgentsTask) => Promise<Exchanges>;

/** Runs `use` with a process of agents. */
async function withAgents<T>(signal: AbortSignal, use: (play: Play) => Promise<T>): Promise<T> {
  const child: ChildProcess = fork(new URL('agents-process.ts', import.meta.url), { execArgv: ['--no-warnings'], signal });
  child.on('error', () => undefined); // the signal; awaited below
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the process of the agents ended with ${String(code)}`);
  });
  ended.catch(() => undefined);
  try {
    return await use(async (task) => {
      const answer = once(child, 'message');
      child.send(task);
      const [exchanges] = (await Promise.race([answer, ended])) as [Exchanges];
      return exchanges;
    });
  } finally {
    if (child.connected) child.disconnect();
  }
}

interface Plan {
  readonly rows: readonly Row[];
  readonly servers: readonly ServerTerms[];
  readonly stage: Stage;
  readonly play: Play;
  /** Servers of a row. */
  readonly perRow: number;
}

type Measured = Row & Rates;

async function measureRows({ rows, servers, stage, play, perRow }: Plan, { signal, say }: BenchmarkContext): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const [i, row] of rows.entries()) {
    const at = (n: number) => i * perRow + n;
    const playAt = (n: number) => playAgents(stage, play, servers[n]!, stage.urls[n]!);
    await playAt(at(0));
    await playMinds(stage, servers[at(0)]!, signal);
    const runs: Run[] = [];
    for (let n = 1; n < perRow && !signal.aborted; n += 2) {
      const one = await playAt(at(n));
      const minds = await playMinds(stage, servers[at(n)]!, signal);
      const many = await playAt(at(n + 1));
      runs.push({ one: one.exchanges, agents: one.use, many: many.exchanges, minds });
      say(`${row.division}, ${row.players} players: run ${runs.length}`);
    }
    if (runs.length) measured.push({ ...row, ...ratesOf(runs, row.division === 'protocol' ? PUBLISHED[row.players] : undefined) });
  }
  return measured;
}

async function playAgents({ cpuSeconds }: Stage, play: Play, { players, sets = 1, games, division }: ServerTerms, url: string) {
  const before = await cpuSeconds();
  const exchanges = await play({ url, agents: players * sets });
  if (exchanges.games !== sets * games)
    throw new Error(`${exchanges.games} of ${sets * games} games were played in the ${division} division`);
  const use: Use = { cpu: (await cpuSeconds()) - before, games: exchanges.games, acts: exchanges.acts };
  return { exchanges, use };
}

/** Plays the games of one set with minds at all seats. */
async function playMinds({ bus, tapes, cpuSeconds }: Stage, terms: ServerTerms, signal: AbortSignal): Promise<Use> {
  const [log, now] = [logger('bench', { level: 'error', destination: process.stderr }), Date.now];
  const deps = {
    ...defaultOptions,
    log,
    closing: signal,
    ask: requestClient({ ...defaultOptions, service: 'aiwolf', bus, log, now, closing: signal }),
  };
  const tables = terms.division === 'protocol' ? [newSetId()] : Array.from({ length: terms.games }, newSetId);
  const before = await cpuSeconds();
  for (const table of tables) {
    await openTable(deps, table, terms, []);
    await pollUntil(`table ${table} is over`, async () => signal.aborted || (await tapes.result(table)) !== undefined, {
      everyMs: 50,
      timeoutMs: 3_600_000,
    });
  }
  const cpu = (await cpuSeconds()) - before;
  const events = (await Promise.all(tables.map((table) => tapes.read(table)))).flat();
  return { cpu, games: terms.games, acts: events.filter(({ event }) => event.type === 'answered').length };
}

const number = (n: number): string => (n >= 100 ? n.toFixed(0) : n >= 10 ? n.toFixed(1) : n.toFixed(2));

const HEADINGS = [
  'division',
  'players',
  'games/s, one set',
  'games/s, several',
  'of the published',
  'turn p50, ms',
  'turn p99, ms',
  'kB a game',
  'acts a game',
  'of minds',
  'processor s a game',
  'of minds, a game',
  'of minds, an act',
];

const NOTES = `
Games a second are those between the first packet and the last, with one set and with several at once; the published server of the protocol
division plays 13.2 games of five and 2.7 of fifteen players on two cores. A turn lasts from sending the answer to TALK or WHISPER to the next
packet of the game at any agent. Bytes are those of packets and answers without NAME and the frames of WebSocket. Processor time is that of all
services with one set, not of the agents; it is compared with the same table with \`rules\` minds at all seats, per game and per answer.`;

const tableOf = (rows: readonly Measured[]): string => {
  const lines = rows.map(({ division, players, ...row }) => {
    const figures = [row.one, row.many, row.relative, row.turnP50, row.turnP99, row.bytes / 1000, row.acts, row.mindActs];
    const costs = [row.cpu, row.cpuRatio, row.cpuRatioPerAct];
    return [division, players, ...[...figures, ...costs].map((n) => (n === undefined ? '' : number(n)))];
  });
  return [HEADINGS, HEADINGS.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n') + `\n${NOTES}`;
};
