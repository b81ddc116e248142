import type { AnswerOf, BodyOf } from '@maw/contracts/http/routes.ts';
import { createClient } from '@maw/api-client/client.ts';
import { ApiProblem } from '@maw/api-client/problem.ts';
import { pause } from '@maw/api-client/retry.ts';
import { followStream } from '@maw/api-client/stream.ts';

type View = AnswerOf<'GET /tables/:table/view'>;
/** What is asked; `answer` is the JSON schema of the legal answers, `until` a time of the server. */
export type Question = View['asked'][number];
/** An event of a view; `text` is the sentence that people read. */
export type News = View['seen'][number];
/** An option or a text; several options; or whom a whisper is for, and its text. */
export type Answer = BodyOf<'POST /tables/:table/actions'>['answer'];

/** What a seat knows when it is asked: its view, and nothing else. */
export interface Observation extends Pick<View, 'brief' | 'alive'> {
  readonly table: string;
  readonly seat: number;
  /** The rules of the table, in words. */
  readonly rules: string;
  readonly question: Question;
  /** What has happened since the agent was called last. */
  readonly news: readonly News[];
  /** The names of the players by seat. */
  readonly players: readonly (string | undefined)[];
  /** How far the clock of the server is ahead of the one here, in milliseconds. */
  readonly aheadMs: number;
  /** Why the last answer to this question was not legal. */
  readonly refused?: string | undefined;
}

/** What plays; undefined is no answer. */
export type Agent = (seen: Observation) => Answer | undefined | Promise<Answer | undefined>;

/** A table that is over. */
export interface TableResult {
  readonly table: string;
  readonly seat: number;
  /** By seat; none where it was broken off. */
  readonly winners: readonly number[];
}

export interface AgentOptions {
  /** The address of the web service. */
  readonly at: string;
  /** A token of the role `agent`. */
  readonly key: string;
  /** After so many tables it ends; without end when not given. */
  readonly games?: number;
  readonly signal?: AbortSignal;
  /** Hears what an agent throws, and what goes wrong with a table. Absent: nobody does. */
  onProblem?(error: unknown, table: string): void;
}

/** How long requests are tried again, and how often it is looked for new tables, in milliseconds. */
const [RETRY_MS, LOOK_MS] = [60_000, 1_000];
/** What comes together is told together: the frames of a page follow one another at once. */
const TOGETHER_MS = 20;

/**
 * Plays at the tables where a seat is kept for the key, at several at once. The agent is called with each new question, and for those that can be
 * answered again when others have done something since.
 * @returns the tables that ended; once the signal is aborted, those until then
 * @throws ApiProblem when the key is refused
 */
export async function play(agent: Agent, options: AgentOptions): Promise<readonly TableResult[]> {
  const { at, key, games = Infinity, signal, onProblem } = options;
  const { get } = createClient({ at, token: key, retryMs: RETRY_MS });
  const results: TableResult[] = [];
  const begun = new Set<string>();
  for (; results.length < games && !signal?.aborted; await pause(LOOK_MS, signal)) {
    if (begun.size >= games) continue;
    const { seats } = await get('/seats', {}, { signal }).catch((error: unknown) =>
      signal?.aborted ? { seats: [] } : Promise.reject(error),
    );
    for (const { table, seat } of seats) {
      const place = `${table}/${seat}`;
      if (begun.has(place) || begun.size >= games) continue;
      begun.add(place);
      void playSeat(agent, options, table, seat)
        .then((result) => result && results.push(result))
        .catch((error: unknown) => {
          begun.delete(place);
          onProblem?.(error, table);
        });
    }
  }
  return results;
}

/** Plays a seat to the end of its table. Undefined when it was broken off. */
async function playSeat(agent: Agent, options: AgentOptions, table: string, seat: number): Promise<TableResult | undefined> {
  const { at, key, signal, onProblem } = options;
  const { token } = await createClient({ at, token: key, retryMs: RETRY_MS }).post(
    '/tables/:table/seats',
    { table },
    { name: 'agent', seat },
  );
  const own = createClient({ at, token, retryMs: RETRY_MS });
  const { text: rules = '' } = await own.get('/tables/:table/rules', { table });
  const players: (string | undefined)[] = [];
  const called = new Map<string, number>();
  const chosen = new Map<string, string>();
  let now: Pick<View, 'asked' | 'brief' | 'alive'> = { asked: [], brief: '', alive: [] };
  let news: News[] = [];
  let [last, heard, aheadMs] = [0, 0, 0];

  const due = (): Question | undefined =>
    now.asked.find(({ id, final }) => !id.startsWith('lobby-') && (final ? !called.has(id) : called.get(id) !== heard));
  const act = async (question: Question, refused?: string): Promise<void> => {
    const told = news;
    news = [];
    const answer = await agent({ ...now, table, seat, rules, question, news: told, players, aheadMs, refused });
    if (answer === undefined || (question.verb === 'choose' && chosen.get(question.id) === JSON.stringify(answer))) return;
    chosen.set(question.id, JSON.stringify(answer));
    const forMs = Math.max(0, question.until - aheadMs - Date.now());
    await own.post('/tables/:table/actions', { table }, { question: question.id, answer }, { forMs }).catch((error: unknown) => {
      if (!(error instanceof ApiProblem)) throw error;
      if (error.status === 422 && refused === undefined) return act(question, error.detail);
      if (error.status !== 409) onProblem?.(error, table);
      return undefined;
    });
  };
  const think = async (): Promise<void> => {
    await pause(TOGETHER_MS, signal);
    for (let question = due(); question && !signal?.aborted; question = due()) {
      called.set(question.id, heard);
      await act(question).catch((error: unknown) => onProblem?.(error, table));
    }
  };
  const take = (one: News): void => {
    const { type, seat: who, name, answer } = one.event as { type: string; seat?: number; name?: string; answer?: { by: number } };
    last = one.n;
    news.push(one);
    if (type === 'joined') players[who!] = name;
    if (answer?.by !== seat && type !== 'asked' && type !== 'refused') heard++;
  };
  let thinking: Promise<void> | undefined;
  const open = (until: AbortSignal) => own.open('/tables/:table/events', { table, after: last, schemas: 'true' }, { signal: until });
  for await (const { event, data } of followStream(open, { signal })) {
    if (event === 'over') return { table, seat, winners: (data as { winners: number[] }).winners };
    if (event === 'clock') aheadMs = (data as { now: number }).now - Date.now();
    if (event === 'asked') now = data as typeof now;
    if (event === 'seen') take(data as News);
    thinking ??= think().finally(() => (thinking = undefined));
  }
  return undefined;
}
