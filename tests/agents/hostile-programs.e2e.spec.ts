import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pause } from '@maw/api-client/retry.ts';
import { type InProcessSystem, startInProcessSystem } from '@maw/cli/in-process-system.ts';
import type { NarratedEvent } from '@maw/lab/measures/game-record.ts';
import { tapeFaults } from '@maw/lab/contests/tape-faults.ts';
import { type Agent, type Observation, play, type Question } from '../../clients/typescript/agent.ts';

// A hostile program and an honest one, which uses the client in TypeScript, at a table with three minds; a table for each hostility, all at once.

const MINUTES = 600_000;
const MODELS = { servers: [], model: undefined, says: '', why: 'no model is needed' };
/** What a program that never answers costs the others, a question. */
const PHASE_MS = 15_000;

let system: InProcessSystem;
beforeAll(async () => {
  system = await startInProcessSystem({ port: 0, models: MODELS, maxWaitMs: 100, logLevel: 'error' });
}, MINUTES);
afterAll(() => system.close(), MINUTES);

/** A hostile program at its seat. */
interface Place {
  readonly table: string;
  readonly token: string;
  /** Aborted when the table is over. */
  readonly signal: AbortSignal;
  /** Sends a request with the token of the seat, or another; the status, 0 when the connection broke. */
  send(path: string, body?: string | object, token?: string): Promise<number>;
  asked(): Promise<readonly Question[]>;
}

interface Hostility {
  /** What it does again and again until the table is over; the statuses that it got. */
  readonly harm: (place: Place) => Promise<readonly number[]>;
  /** Statuses, each of which is seen. */
  readonly refused: readonly number[];
  /** Which of its faults are counted. */
  readonly faults: readonly string[];
}

/** An answer that the rules take. */
const legal = ({ verb, options, pick }: Pick<Question, 'verb' | 'options' | 'pick'>) => {
  if (verb === 'say') return 'I slept well.';
  return pick === 1 ? options[0]!.is : options.slice(0, pick).map(({ is }) => is);
};

/** Answers each question once in its own way. */
const eachQuestion =
  (answer: (place: Place, question: Question) => Promise<readonly number[]>) =>
  async (place: Place): Promise<readonly number[]> => {
    const done = new Set<string>();
    const statuses: number[] = [];
    for (const question of await place.asked()) {
      if (done.has(question.id) || question.id.startsWith('lobby-')) continue;
      done.add(question.id);
      statuses.push(...(await answer(place, question)));
    }
    return statuses;
  };

const WRONG = ['seat:99', ['seat:1', 'seat:1'], ['seat:1', 'seat:2', 'seat:3', 'seat:4'], 'x'.repeat(7_000)];

const HOSTILITIES: Readonly<Record<string, Hostility>> = {
  'never answers': { harm: async () => [], refused: [], faults: ['late'] },
  'answers illegally each time': {
    harm: eachQuestion(async ({ send, table }, { id }) =>
      Promise.all(WRONG.map((answer) => send(`/tables/${table}/actions`, { question: id, answer }))),
    ),
    refused: [422],
    faults: ['invalid', 'late'],
  },
  'sends what is no JSON, too large, or of another type': {
    harm: async ({ send, table }) => {
      const path = `/tables/${table}/actions`;
      const bodies = ['{', '[]', 'null', `"${'x'.repeat(1_000_000)}"`, '{"question":1,"answer":{}}', '['.repeat(20_000), '\u0000'];
      return Promise.all(bodies.map((body) => send(path, body)));
    },
    refused: [400, 413],
    faults: ['late'],
  },
  'answers for others': {
    harm: async ({ send, table, asked }) => {
      const [question = { id: 'round-1/vote', verb: 'choose' }] = await asked();
      const answer = { question: question.id, answer: 'seat:1', seat: 1, says: ['seat:1'] };
      const statuses = [await send(`/tables/${table}/acts`, { ...answer, question: 'round-1/night-1' })];
      for (const other of await tables()) if (other !== table) statuses.push(await send(`/tables/${other}/actions`, answer));
      return [...statuses, await send(`/tables/${table}/actions`, answer, `${'e'.repeat(20)}.${'f'.repeat(20)}`)];
    },
    refused: [403, 401],
    faults: ['late'],
  },
  // Far more than its share, so that a busy machine takes too many too.
  'sends three hundred requests at a time': {
    harm: async ({ send, table }) =>
      Promise.all(Array.from({ length: 300 }, () => send(`/tables/${table}/actions`, { question: 'round-1/vote', answer: 'seat:1' }))),
    refused: [429],
    faults: ['late'],
  },
  'opens streams and leaves them': {
    harm: async ({ table, token }) => {
      const statuses = Array.from({ length: 40 }, async () => {
        const hangUp = new AbortController();
        const headers = { Authorization: `Bearer ${token}` };
        const { status } = await fetch(`${system.web.at}/tables/${table}/events?schemas=true`, { headers, signal: hangUp.signal });
        if (Math.random() < 0.5) hangUp.abort();
        return status;
      });
      return Promise.all(statuses);
    },
    refused: [429],
    faults: ['late'],
  },
  'never ends its requests': {
    harm: async ({ table, token, signal }) => {
      const { hostname, port } = new URL(system.web.at);
      const sockets = Array.from({ length: 20 }, () => connect(Number(port), hostname).on('error', () => undefined));
      for (const socket of sockets)
        socket.write(
          `POST /tables/${table}/actions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: 9000\r\n\r\n{`,
        );
      await pause(1_000, signal);
      for (const socket of sockets) socket.destroy();
      return [];
    },
    refused: [],
    faults: ['late'],
  },
  'changes its mind without end': {
    harm: eachQuestion(async ({ send, table }, { id, verb, options, pick }) => {
      if (verb === 'say') return [await send(`/tables/${table}/actions`, { question: id, answer: 'I slept well.' })];
      const answers = pick === 1 ? options.map(({ is }) => is) : [legal({ verb, options, pick })];
      const statuses: number[] = [];
      for (let i = 0; i < 60; i++)
        statuses.push(await send(`/tables/${table}/actions`, { question: id, answer: answers[i % answers.length]! }));
      return statuses;
    }),
    refused: [409],
    faults: [],
  },
};

const tables = async (): Promise<readonly string[]> => (await system.web.tables()).map(({ table }) => table);

/** Takes the seat that is kept for it, and does harm until the table is over. */
async function playHostile(key: string, table: string, { harm }: Hostility, signal: AbortSignal): Promise<readonly number[]> {
  const { token } = (await (await post(`/tables/${table}/seats`, { name: 'x' }, key)).json()) as { token: string };
  const send: Place['send'] = (path, body, other = token) =>
    post(path, body, other).then(
      ({ status }) => status,
      () => 0,
    );
  const asked = async () => (await viewOf(table, token))?.asked ?? [];
  const statuses: number[] = [];
  for (; !signal.aborted; await pause(200, signal)) statuses.push(...(await harm({ table, token, signal, send, asked })));
  return statuses;
}

const post = (path: string, body: string | object | undefined, token: string) =>
  fetch(`${system.web.at}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Authorization': `Bearer ${token}` },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

async function viewOf(table: string, token: string): Promise<{ readonly asked: readonly Question[] } | undefined> {
  const response = await fetch(`${system.web.at}/tables/${table}/view?schemas=true`, { headers: { Authorization: `Bearer ${token}` } });
  return response.ok ? ((await response.json()) as { asked: Question[] }) : undefined;
}

/** Plays a table with a hostile program at seat 0 and an honest one at seat 1. */
async function playTable(name: string, hostility: Hostility) {
  const word = name
    .split(' ')
    .map((each) => each[0])
    .join('')
    .slice(0, 8);
  const [fox, crow] = await Promise.all(
    ['fox', 'crow'].map(async (each) => (await system.web.makeToken({ role: 'agent', name: `${each}-${word}` })).token),
  );
  const { table } = await system.web.open({
    rules: 'onuw',
    seats: [{ kind: 'agent', agent: `fox-${word}` }, { kind: 'agent', agent: `crow-${word}` }, ...Array.from({ length: 3 }, () => RULES)],
    options: { hurry: true, stepMs: PHASE_MS, turnMs: PHASE_MS, talkMs: PHASE_MS, voteMs: PHASE_MS, talkRounds: 1 },
    rounds: 2,
  });
  const seen: Observation[] = [];
  const problems: unknown[] = [];
  const honest: Agent = (each) => {
    seen.push(each);
    return legal(each.question);
  };
  const end = new AbortController();
  const harm = playHostile(fox!, table, hostility, end.signal);
  const results = await play(honest, { at: system.web.at, key: crow!, games: 1, onProblem: (error) => problems.push(error) });
  end.abort();
  const tape: NarratedEvent[] = [];
  for await (const { event } of system.web.tape(table, 'narrator')) tape.push(event as NarratedEvent);
  return { table, seen, problems, results, statuses: await harm, faults: tapeFaults('onuw', tape) };
}
const RULES = { kind: 'mind' as const, recipe: 'rules' };

describe('a program that', () => {
  let played: ReadonlyMap<string, Awaited<ReturnType<typeof playTable>>>;
  beforeAll(async () => {
    const all = Object.entries(HOSTILITIES).map(async ([name, hostility]) => [name, await playTable(name, hostility)] as const);
    played = new Map(await Promise.all(all));
  }, MINUTES);

  it.each(Object.keys(HOSTILITIES))('%s harms nobody but itself', async (name) => {
    const { refused, faults: expected } = HOSTILITIES[name]!;
    const { table, seen, problems, results, statuses, faults } = played.get(name)!;
    expect(results).toEqual([{ table, seat: 1, winners: (await system.web.table(table)).winners }]);
    expect(problems).toEqual([]);
    expect(faults.filter(({ seat }) => seat !== 0)).toEqual([]);
    const kinds = new Set<string>(faults.map(({ kind }) => kind));
    if (!expected.includes('late')) kinds.delete('late'); // a busy machine is late with sixty answers to each question
    expect(kinds).toEqual(new Set(expected));
    for (const status of refused) expect(statuses).toContain(status);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    expect(new Set(seen.map(({ question }) => question.verb))).toEqual(new Set(['say', 'choose']));
  });
});
