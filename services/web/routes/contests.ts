import { z } from 'zod';
import { semaphore } from '@maw/async/semaphore.ts';
import { ContestError, contestIdOf, parseContest } from '@maw/lab/contests/definition.ts';
import { isSeedSecret } from '@maw/lab/contests/seed.ts';
import { POLICY } from '@maw/lab/contests/report/html/page.ts';
import type { Input } from '@maw/contracts/contracts.ts';
import { type contestRoutes, REPORT_TYPES } from '@maw/contracts/http/contests.ts';
import { denied } from '../auth/authorize.ts';
import type { Ask } from '../bus-client.ts';
import { makeReport, type ResultsFrom } from '../contest-report/make-report.ts';
import { Problem } from '../problem.ts';
import { answer, type RouteResponse, type Call, type Handlers } from '../route.ts';
import { requireModels } from './require-models.ts';

/** Contests. */
export function contestHandlers({ ask }: { readonly ask: Ask }): Handlers<keyof typeof contestRoutes> {
  // Each report takes a thread and its memory, so they are made one after another.
  const oneAtATime = semaphore(1);
  return {
    'POST /contests': (call) => open(ask, call),
    'GET /contests': async ({ query, signal }) => answer(await ask('contest.list', '-', query, { signal })),
    'GET /contests/:contest': (call) => viewOf(ask, call),
    'GET /contests/:contest/results': (call) => results(ask, call),
    'GET /contests/:contest/report': async (call) => {
      await requireOver(ask, call);
      return oneAtATime(() => report(ask, call));
    },
    'POST /contests/:contest/stop': (call) => stop(ask, call),
  };
}

async function open(ask: Ask, call: Call<'POST /contests'>): Promise<RouteResponse> {
  const terms = termsOf(call.body.contest);
  const { contest } = terms;
  const { id = contestIdOf(named.safeParse(contest).data?.name ?? 'contest') } = call.body;
  call.note({ contest: id });
  await requireModels(ask, modelsOf(contest), call.signal);
  const opened = await ask('contest.open', id, terms, call);
  return answer(opened, 201, { Location: `/contests/${id}` });
}

/** @throws Problem bad-contest for a text that is not YAML */
function termsOf(given: object | string): Input<'contest.open'> {
  if (typeof given !== 'string') return { contest: { ...given } };
  try {
    return { contest: parseContest(given), text: given };
  } catch (error) {
    if (error instanceof ContestError) throw new Problem('bad-contest', error.message);
    throw error;
  }
}

const named = z.object({ name: z.string().min(1) });

const withModels = z.object({ agents: z.array(z.object({ model: z.string().optional() })) });

/** The models of the agents; nothing of a contest that is written otherwise: the contest service says what is wrong with it. */
const modelsOf = (contest: object): { readonly [path: string]: string | undefined } =>
  Object.fromEntries((withModels.safeParse(contest).data?.agents ?? []).map(({ model }, i) => [`agents.${i}.model`, model]));

async function viewOf(ask: Ask, { params, signal }: Call<'GET /contests/:contest'>): Promise<RouteResponse> {
  const { contest, ...view } = await ask('contest.view', params.contest, {}, { signal });
  const { seed, ...rest } = contest;
  const isSecret = seed === undefined || isSeedSecret(contest, view.summary.state);
  return answer({ ...view, contest: isSecret ? rest : contest });
}

/** Where the service is open, anybody may watch its tables. @throws Problem no-token while the contest goes on */
async function requireOver(
  ask: Ask,
  { bearer, params, signal }: Pick<Call<'GET /contests/:contest'>, 'bearer' | 'params' | 'signal'>,
): Promise<void> {
  if (bearer.pass.role !== 'anybody') return;
  const { summary } = await ask('contest.view', params.contest, {}, { signal });
  if (summary.state === 'running' || summary.state === 'stopping')
    throw denied(
      bearer,
      'the results of a contest tell roles of tables that still run: until it is over, this needs an administrator’s token',
    );
}

async function results(ask: Ask, call: Call<'GET /contests/:contest/results'>): Promise<RouteResponse> {
  await requireOver(ask, call);
  const { records, ...page } = call.query;
  const wanted = records === 'true' ? { records: true as const } : {};
  return answer(await ask('contest.results', call.params.contest, { ...page, ...wanted }, { signal: call.signal }));
}

/** Results that are read at once. */
const PAGE = 1000;

/** The report is made as the command line makes it; a browser that opens the page may run nothing and load nothing. */
async function report(ask: Ask, { params, query, signal }: Call<'GET /contests/:contest/report'>): Promise<RouteResponse> {
  const { format } = query;
  const { contest: id } = params;
  const { contest, summary } = await ask('contest.view', id, {}, { signal });
  const { state, why: reason } = summary;
  const terms = { format, contest, state, ...(reason === undefined ? {} : { why: reason }) };
  const read = (from: ResultsFrom) => ask('contest.results', id, { ...from, limit: PAGE }, { signal });
  const text = await makeReport({ id, terms, read, signal });
  return {
    type: REPORT_TYPES[format],
    headers: format === 'html' ? { 'Content-Security-Policy': POLICY } : {},
    isCompressible: true,
    stream: async (out) => void out.end(text),
    discard: () => {},
  };
}

async function stop(ask: Ask, call: Call<'POST /contests/:contest/stop'>): Promise<RouteResponse> {
  const { contest } = call.params;
  call.note({ contest, ...call.body });
  return answer(await ask('contest.stop', contest, call.body, call));
}
