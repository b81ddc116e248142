import { readResultPages } from '@maw/lab/contests/report/result-pages.ts';
import type { PairingResult } from '@maw/lab/contests/result.ts';
import type { BodyOf } from '@maw/contracts/http/routes.ts';
import { createClient } from '@maw/api-client/client.ts';
import type { Patience } from '@maw/api-client/retry.ts';
import { thoughtPage } from '@maw/lab/thoughts/recorded-thoughts.ts';
import { followTable, type FollowOptions, readTape } from './table-stream.ts';

/** How long the pauses between the attempts of a request may be together: whoever waits at a terminal learns soon that nothing answers. */
const RETRY_MS = 1_500;

const GIVE_TOKEN = 'give one with --token or MAW_TOKEN';
const HINTS = {
  'no-door': 'start one with ./maw up, or name another with --at URL',
  'http': 'name another with --at URL',
  'no-token': GIVE_TOKEN,
  'bad-token': GIVE_TOKEN,
};

export type WebClient = ReturnType<typeof createWebClient>;

/** How long the pauses may be together where a request belongs to hours of play: processes are started again within seconds. */
export const AWAY_MS = 60_000;

/**
 * What the command line asks of the web service at `url`. Every method throws ApiProblem.
 * @param isOwn the service is in this process: what is slow then is this machine, and no answer is given up
 */
export function createWebClient(url: string, token?: string, isOwn = false) {
  const web = createClient({
    at: url.replace(/\/+$/, ''),
    token,
    retryMs: RETRY_MS,
    hints: HINTS,
    ...(isOwn ? { answerMs: Infinity } : {}),
  });
  return {
    at: web.at,
    /** Every route of the service; those that several places ask have a method below. */
    api: web,
    /** The same system with another token. */
    as: (other: string) => createWebClient(web.at, other, isOwn),
    rules: (name: string) => web.get('/rules/:name', { name }),

    /** With a key the request can be repeated: the same key opens one table. */
    open: ({ players, ...terms }: BodyOf<'POST /tables'>, key?: string) =>
      web.post('/tables', {}, terms.seats ? terms : { ...terms, players }, { key }),
    tables: async () => (await web.get('/tables', { limit: 1000 })).tables,
    table: (table: string) => web.get('/tables/:table', { table }),
    /** The rules as this table was opened. */
    rulesOf: (table: string) => web.get('/tables/:table/rules', { table }),
    /** The tape as an eye sees it, event by event. */
    tape: async function* (table: string, as?: string) {
      yield* readTape(await web.open('/tables/:table/tape', { table, as }, {}));
    },
    /** The decisions of minds, or the steps of one of them. */
    thoughts: async (table: string, wanted: { readonly seat?: number | undefined; readonly decision?: string; readonly after?: number }) =>
      thoughtPage.parse(await web.get('/tables/:table/thoughts', { table, ...wanted, limit: 1000 })),
    /** How the decisions of its minds came about, in words. */
    decisionSums: async (table: string) => (await web.get('/tables/:table/thoughts', { table, limit: 1, sums: 'true' })).sums ?? [],
    /** Follows a table until it is over; see `followTable`. */
    follow: (table: string, options: FollowOptions = {}) => followTable(web, table, isOwn ? { ...options, forMs: Infinity } : options),

    join: (table: string, name: string) => web.post('/tables/:table/seats', { table }, { name }),
    act: (table: string, question: string, says: readonly string[]) => web.post('/tables/:table/acts', { table }, { question, says }),
    speak: (table: string, room: string, text: string) => web.post('/tables/:table/speech', { table }, { room, text }),
    whisper: (table: string, to: string, text: string) => web.post('/tables/:table/whispers', { table }, { to, text }),
    leave: (table: string) => web.post('/tables/:table/leave', { table }, {}),
    comeBack: (table: string) => web.post('/tables/:table/return', { table }, {}),

    /** With a key the request can be repeated: the same key makes one token. */
    makeToken: (wanted: BodyOf<'POST /tokens'>, key?: string) => web.post('/tokens', {}, wanted, { key }),
    abort: (table: string, why?: string) => web.post('/tables/:table/abort', { table }, { why }),

    contest: (contest: string, patience?: Patience) => web.get('/contests/:contest', { contest }, patience),
    /** The results so far with what measures need, in the order of their numbers, as the contest service wrote them. */
    contestResults: (contest: string) =>
      readResultPages<PairingResult>(async (from) => {
        const { results, more } = await web.get('/contests/:contest/results', { contest, ...from, limit: 100, records: 'true' });
        return { results: results as unknown as readonly PairingResult[], more };
      }),
  };
}
