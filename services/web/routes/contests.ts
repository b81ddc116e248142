import { z } from 'zod';
import { semaphore } from '@maw/async/semaphore.ts';
import { ContestError, parseContest } from '@maw/contests/definition.ts';
import { POLICY } from '@maw/contests/report/html/page.ts';
import { contracts } from '@maw/contracts/contracts.ts';
import { contestId } from '@maw/contracts/messages/contest.ts';
import { operator } from '../auth/permissions.ts';
import type { Ask } from '../bus-client.ts';
import { makeReport, type ResultsFrom } from '../contest-report/make-report.ts';
import type { ReportFormat } from '../contest-report/report-text.ts';
import { listLimit, wholeNumber } from '../parse-input.ts';
import { Problem } from '../problem.ts';
import { answer, type Answer, type Call, json, type PathParameters, route, type Route } from '../route.ts';
import { requireModels } from './require-models.ts';

/** The contest of a path `/contests/:contest/…`. */
const atContest = {
  contest: {
    schema: contestId,
    description: 'The id of the contest.',
    reason: 'unknown-contest',
    says: 'the id of a contest is 1 to 40 letters, digits, _ and -',
  },
} as const satisfies PathParameters;
type AtContest = { readonly params: typeof atContest };

const opening = contracts.get('contest.open').data;
const openBody = z.strictObject({
  id: contestId.optional().meta({ description: 'Absent: the name of the contest, with a dash for every other sign.' }),
  contest: z.union([opening.shape.contest, z.string().meta({ description: 'The text of a contest.yaml: mistakes then name its lines.' })]),
});
const { why } = contracts.get('contest.stop').data.shape;
const stopBody = z.strictObject({ why }).default({});
const listQuery = z.strictObject({ limit: listLimit.optional() });
const resultsQuery = z.strictObject({
  after: z
    .string()
    .regex(/^(-1|\d{1,9})$/, 'the number of the last pairing that was read, or -1')
    .transform(Number)
    .optional(),
  limit: listLimit.optional(),
  records: z.enum(['true', 'false']).optional(),
  skip: wholeNumber().optional(),
});

/** Room for a thousand agents with parameters. What is opened and answered stays within a message. */
const MAX_CONTEST_BYTES = 256 * 1024;

/** Contests. Their results and seeds tell the roles of tables that still run, so only those who look after tables may read them. */
export function contestRoutes({ ask }: { readonly ask: Ask }): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/contests',
      summary: 'Opens a contest, or goes on with one of the same id that was stopped or has failed.',
      permits: operator,
      body: openBody,
      maxBodyBytes: MAX_CONTEST_BYTES,
      responses: [json(contracts.replyOf('contest.open'), 'The contest; `Location` is its address.', 201)],
      refusals: ['bad-contest'],
      handle: (call) => open(ask, call),
    }),
    route({
      method: 'GET',
      path: '/contests',
      summary: 'The contests, newest first.',
      permits: operator,
      query: listQuery,
      responses: [json(contracts.replyOf('contest.list'), 'The summaries of the contests.')],
      handle: async ({ query, signal }) => answer(await ask('contest.list', '-', query, { signal })),
    }),
    route({
      method: 'GET',
      path: '/contests/:contest',
      summary: 'Where a contest stands: progress, the ranking so far, faults, cost, and the time left.',
      permits: operator,
      params: atContest,
      responses: [json(contracts.replyOf('contest.view'), 'Where it stands.')],
      refusals: ['unknown-contest'],
      handle: async ({ params, signal }) => answer(await ask('contest.view', params.contest, {}, { signal })),
    }),
    route({
      method: 'GET',
      path: '/contests/:contest/results',
      summary: 'Results of pairings after a number, in their order; with `records=true` also what the measures of behaviour need.',
      permits: operator,
      params: atContest,
      query: resultsQuery,
      responses: [json(contracts.replyOf('contest.results'), 'The results, and whether there are further ones.')],
      refusals: ['unknown-contest'],
      handle: (call) => results(ask, call),
    }),
    reportRoute(ask),
    route({
      method: 'POST',
      path: '/contests/:contest/stop',
      summary: 'Opens no further tables of a contest; those that run are played to their end and count.',
      permits: operator,
      params: atContest,
      body: stopBody,
      responses: [json(contracts.replyOf('contest.stop'), 'The state of the contest.')],
      refusals: ['unknown-contest'],
      handle: (call) => stop(ask, call),
    }),
  ];
}

async function open(ask: Ask, call: Call<{ readonly body: typeof openBody }>): Promise<Answer> {
  const terms = termsOf(call.body.contest);
  const { contest } = terms;
  const { id = idOf(contest) } = call.body;
  call.note({ contest: id });
  await requireModels(ask, modelsOf(contest), call.signal);
  const opened = await ask('contest.open', id, terms, call);
  return answer(opened, 201, { Location: `/contests/${id}` });
}

/** @throws Problem bad-contest for a text that is not YAML */
function termsOf(given: object | string): z.input<typeof opening> {
  if (typeof given !== 'string') return { contest: { ...given } };
  try {
    return { contest: parseContest(given), text: given };
  } catch (error) {
    if (error instanceof ContestError) throw new Problem('bad-contest', error.message);
    throw error;
  }
}

const named = z.object({ name: z.string().min(1) });

/** The id of a contest without one: the same for the same file. */
const idOf = (contest: object): string =>
  (named.safeParse(contest).data?.name ?? 'contest').replaceAll(/[^A-Za-z0-9_-]/g, '-').slice(0, 40);

const withModels = z.object({ agents: z.array(z.object({ model: z.string().optional() })) });

/** The models of the agents; nothing of a contest that is written otherwise: the contest service says what is wrong with it. */
const modelsOf = (contest: object): { readonly [path: string]: string | undefined } =>
  Object.fromEntries((withModels.safeParse(contest).data?.agents ?? []).map(({ model }, i) => [`agents.${i}.model`, model]));

async function results(ask: Ask, call: Call<AtContest & { readonly query: typeof resultsQuery }>): Promise<Answer> {
  const { records, ...page } = call.query;
  const wanted = records === 'true' ? { records: true as const } : {};
  return answer(await ask('contest.results', call.params.contest, { ...page, ...wanted }, { signal: call.signal }));
}

const FORMATS = {
  html: { type: 'text/html; charset=utf-8', description: 'html: one page that needs nothing else.' },
  json: { type: 'application/json; charset=utf-8', description: 'json: its numbers.' },
  csv: { type: 'text/csv; charset=utf-8', description: 'csv: the games, as `maw rate` reads them.' },
} satisfies { readonly [F in ReportFormat]: object };
const reportQuery = z.strictObject({ format: z.enum(['html', 'json', 'csv']).default('html') });
/** Results that are read at once. */
const PAGE = 1000;

/** Each takes a thread and its memory, so they are made one after another. */
function reportRoute(ask: Ask): Route {
  const oneAtATime = semaphore(1);
  return route({
    method: 'GET',
    path: '/contests/:contest/report',
    summary: 'The report of a contest, finished or not, as a page of HTML, as numbers, or as the games behind it.',
    permits: operator,
    params: atContest,
    query: reportQuery,
    responses: Object.values(FORMATS).map((format) => ({ status: 200, ...format })),
    refusals: ['unknown-contest', 'report-too-large'],
    handle: (call) => oneAtATime(() => report(ask, call)),
  });
}

/** The report is made as the command line makes it; a browser that opens the page may run nothing and load nothing. */
async function report(ask: Ask, { params, query, signal }: Call<AtContest & { readonly query: typeof reportQuery }>): Promise<Answer> {
  const { format } = query;
  const { contest: id } = params;
  const { contest, summary } = await ask('contest.view', id, {}, { signal });
  const { state, why: reason } = summary;
  const terms = { format, contest, state, ...(reason === undefined ? {} : { why: reason }) };
  const read = (from: ResultsFrom) => ask('contest.results', id, { ...from, limit: PAGE }, { signal });
  const text = await makeReport({ id, terms, read, signal });
  return {
    type: FORMATS[format].type,
    headers: format === 'html' ? { 'Content-Security-Policy': POLICY } : {},
    isCompressible: true,
    stream: async (out) => void out.end(text),
    discard: () => {},
  };
}

async function stop(ask: Ask, call: Call<AtContest & { readonly body: typeof stopBody }>): Promise<Answer> {
  const { contest } = call.params;
  call.note({ contest, ...call.body });
  return answer(await ask('contest.stop', contest, call.body, call));
}
