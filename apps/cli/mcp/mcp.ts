import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';
import { whenAborted } from '@maw/async/abort.ts';
import { type ApiClient, createClient } from '@maw/api-client/client.ts';
import { ApiProblem } from '@maw/api-client/problem.ts';
import { pause } from '@maw/api-client/retry.ts';
import type { AnswerOf, BodyOf } from '@maw/contracts/http/routes.ts';
import type { CliConfig } from '../config.ts';
import type { ConnectOptions } from '../connect.ts';
import program from '../package.json' with { type: 'json' };

type View = AnswerOf<'GET /tables/:table/view'>;
type Question = View['asked'][number];

/** A seat that the client has taken. */
interface Taken {
  readonly table: string;
  readonly seat: number;
  readonly web: ApiClient;
  /** The last event that it was told, and what it was asked with it. */
  after: number;
  asked: string;
}

/** How long requests are tried again, and how often it is looked for news, in milliseconds. */
const [RETRY_MS, LOOK_MS] = [5_000, 300];
/** The longest wait for news, in seconds: clients give a tool up after a minute. */
const MAX_WAIT_S = 50;

/**
 * `maw mcp`: a server of the Model Context Protocol on standard input and output, with which a client plays at the seats that are kept for a key.
 * @returns once the client has left
 * @throws Error when no address or key is given; ApiProblem when the key is refused
 */
export async function mcp(given: Partial<ConnectOptions>, config: CliConfig, signal: AbortSignal): Promise<number> {
  const [at, token] = [given.at ?? config.at, given.token ?? config.token];
  if (at === undefined || token === undefined)
    throw new Error(
      'maw mcp needs the address of a system and the key of a program: --at and --token, or the line of ./maw tokens make --role agent --name NAME --shell',
    );
  const web = createClient({ at: at.replace(/\/+$/, ''), token, retryMs: RETRY_MS });
  const { role, name } = await web.get('/me', {});
  if (role !== 'agent') throw new Error(`the token is one of ${role}; make a key with ./maw tokens make --role agent --name NAME`);
  const server = new McpServer({ name: 'maw', version: program.version }, { instructions: INSTRUCTIONS.replace('NAME', name) });
  addTools(server, web);
  const left = Promise.withResolvers<void>();
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a callback of the SDK, which has no events
  server.server.onclose = left.resolve;
  await server.connect(new StdioServerTransport());
  process.stdin.once('end', left.resolve);
  await Promise.race([left.promise, whenAborted(signal)]);
  await server.close();
  return 0;
}

const INSTRUCTIONS = `You play games of hidden roles as NAME. Call tables, then join, then observe again and again until the game is over. Answer what is asked
with act, as the JSON schema of the question says, or speak with say. Deadlines are short: answer before secondsLeft has passed. What is refused as not legal has one further try.`;

const tableInput = z.string().optional().describe('Its id; not needed where you sit at one table');

const answerInput = z
  .union([z.string(), z.array(z.string()), z.object({ to: z.string(), text: z.string() })])
  .describe('As its JSON schema says: an option or a text, several options, or whom a whisper is for and its text');

function addTools(server: McpServer, web: ApiClient): void {
  const taken = new Map<string, Taken>();
  const at = (table: string | undefined): Taken => {
    const found = table === undefined ? [...taken.values()].at(-1) : taken.get(table);
    if (!found) throw new Error('you sit at no such table: call tables, then join');
    return found;
  };

  server.registerTool('tables', { description: 'The tables that are not over at which a seat is kept for you.', inputSchema: {} }, () =>
    told(async () => (await web.get('/seats', {})).seats),
  );
  server.registerTool(
    'join',
    {
      description: 'Take your seat at a table, and read its rules.',
      inputSchema: { table: z.string().describe('Its id, as tables says it') },
    },
    ({ table }) => told(async () => join(web, taken, table)),
  );
  server.registerTool(
    'observe',
    {
      description: 'What has happened at your table since you asked last, what you know, and what you are asked. Waits for news.',
      inputSchema: { table: tableInput, waitSeconds: z.number().min(0).max(MAX_WAIT_S).default(20).describe('The longest wait for news') },
    },
    ({ table, waitSeconds }) => told(() => observe(at(table), waitSeconds)),
  );
  server.registerTool(
    'act',
    {
      description: 'Answer a question that you are asked.',
      inputSchema: { table: tableInput, question: z.string().describe('Its id'), answer: answerInput },
    },
    ({ table, question, answer }) => told(() => act(at(table), question, answer)),
  );
  server.registerTool(
    'say',
    { description: 'Speak at your table, while you may.', inputSchema: { table: tableInput, text: z.string() } },
    ({ table, text }) =>
      told(async () => {
        const question = (await viewOf(at(table))).asked.findLast(({ verb }) => verb === 'say');
        if (!question) throw new Error('you may not speak just now');
        return act(at(table), question.id, text);
      }),
  );
}

/** The result of a tool; what goes wrong is told to the client, who may mend it. */
async function told(work: () => Promise<unknown>) {
  const text = (value: unknown) => ({ content: [{ type: 'text' as const, text: JSON.stringify(value) }] });
  try {
    return text(await work());
  } catch (error) {
    const says = error instanceof ApiProblem ? { refused: error.reason, detail: error.detail } : (error as Error).message;
    return { ...text(says), isError: true };
  }
}

async function join(web: ApiClient, taken: Map<string, Taken>, table: string): Promise<unknown> {
  const { seat, name, token } = await web.post('/tables/:table/seats', { table }, { name: 'agent' });
  const own = createClient({ at: web.at, token, retryMs: RETRY_MS });
  taken.delete(table);
  taken.set(table, { table, seat, web: own, after: 0, asked: '' });
  const { text } = await own.get('/tables/:table/rules', { table });
  return { table, you: `seat:${seat}`, name, rules: text };
}

const viewOf = ({ web, table, after }: Taken): Promise<View> => web.get('/tables/:table/view', { table, after, schemas: 'true' });

async function observe(own: Taken, waitSeconds: number): Promise<unknown> {
  for (const until = Date.now() + waitSeconds * 1_000; ; await pause(LOOK_MS)) {
    const { seen, asked: all, brief, summary, alive, clock } = await viewOf(own);
    const asked = all.filter(({ id }) => !id.startsWith('lobby-'));
    const ids = asked.map(({ id }) => id).join();
    const isOver = summary.stage === 'over';
    if (!seen.length && ids === own.asked && !isOver && Date.now() < until) continue;
    own.after = seen.at(-1)?.n ?? own.after;
    own.asked = ids;
    const players = summary.players.map(({ seat, name }) => ({ is: `seat:${seat}`, name, isAlive: alive[seat] }));
    const secondsLeft = (end: number): number => Math.floor((end - (clock?.now ?? Date.now())) / 1_000);
    const toAnswer = ({ id, verb, options, until: end, answer, final }: Question) => ({
      question: id,
      verb,
      options,
      answer,
      mayChange: !final,
      secondsLeft: secondsLeft(end),
    });
    return {
      news: seen.flatMap(({ text }) => text ?? []),
      brief,
      players,
      asked: asked.map(toAnswer),
      isOver,
      ...(isOver ? { winners: summary.winners } : {}),
    };
  }
}

/** @throws ApiProblem with the legal answers in its detail */
async function act(own: Taken, question: string, answer: BodyOf<'POST /tables/:table/actions'>['answer']): Promise<unknown> {
  try {
    await own.web.post('/tables/:table/actions', { table: own.table }, { question, answer });
    return { counts: true };
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status !== 422) throw error;
    const open = (await viewOf(own)).asked.find(({ id }) => id === question);
    const legal = open ? `; legal is ${JSON.stringify(open.answer)}` : '';
    throw new ApiProblem(error.status, error.reason, `${error.detail}${legal}`);
  }
}
