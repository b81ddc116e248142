import { z } from 'zod';
import { contracts } from '../contracts.ts';
import { contestId } from '../messages/contest.ts';
import { declare, json, listLimit, type PathParameters, text, wholeNumber } from './route.ts';

/** The contest of a path `/contests/:contest/…`. */
const atContest = {
  contest: {
    schema: contestId,
    description: 'The id of the contest.',
    reason: 'unknown-contest',
    says: 'the id of a contest is 1 to 40 letters, digits, _ and -',
  },
} as const satisfies PathParameters;

const openBody = z.strictObject({
  id: contestId.optional().meta({ description: 'Absent: the name of the contest, with a dash for every other sign.' }),
  contest: z.union([
    contracts.get('contest.open').data.shape.contest,
    z.string().meta({ description: 'The text of a contest.yaml: mistakes then name its lines.' }),
  ]),
});
const { why } = contracts.get('contest.stop').data.shape;
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

/** The media types of reports. */
export const REPORT_TYPES = {
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
} as const;

const about = { permits: 'operator', params: atContest, refusals: ['unknown-contest'] } as const;

/**
 * Contests. Their results tell roles of tables that still run, so only those who look after tables may read them; their seeds tell all, so nobody may
 * while tables run.
 */
export const contestRoutes = {
  'POST /contests': declare({
    summary: 'Opens a contest, or goes on with one of the same id that was stopped or has failed.',
    permits: 'operator',
    body: openBody,
    maxBodyBytes: MAX_CONTEST_BYTES,
    responses: [json(contracts.replyOf('contest.open'), 'The contest; `Location` is its address.', 201)],
    refusals: ['bad-contest'],
  }),
  'GET /contests': declare({
    summary: 'The contests, newest first.',
    permits: 'operator',
    query: z.strictObject({ limit: listLimit.optional() }),
    responses: [json(contracts.replyOf('contest.list'), 'The summaries of the contests.')],
  }),
  'GET /contests/:contest': declare({
    ...about,
    summary: 'Where a contest stands: progress, the ranking so far, faults, cost, and the time left.',
    responses: [json(contracts.replyOf('contest.view'), 'Where it stands.')],
  }),
  'GET /contests/:contest/results': declare({
    ...about,
    summary: 'Results of pairings after a number, in their order; with `records=true` also what the measures of behaviour need.',
    query: resultsQuery,
    responses: [json(contracts.replyOf('contest.results'), 'The results, and whether there are further ones.')],
  }),
  'GET /contests/:contest/report': declare({
    ...about,
    summary: 'The report of a contest, finished or not, as a page of HTML, as numbers, or as the games behind it.',
    query: z.strictObject({ format: z.enum(['html', 'json', 'csv']).default('html') }),
    responses: [
      text(REPORT_TYPES.html, 'html: one page that needs nothing else.'),
      text(REPORT_TYPES.json, 'json: its numbers.'),
      text(REPORT_TYPES.csv, 'csv: the games, as `maw rate` reads them.'),
    ],
    refusals: ['unknown-contest', 'report-too-large'],
  }),
  'POST /contests/:contest/stop': declare({
    ...about,
    summary: 'Opens no further tables of a contest; those that run are played to their end and count.',
    body: z.strictObject({ why }).default({}),
    responses: [json(contracts.replyOf('contest.stop'), 'The state of the contest.')],
  }),
} as const;
