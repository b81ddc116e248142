import { Refusal } from '@maw/contracts/refusal.ts';
import { parseJson } from '@maw/http/json-body.ts';
import { sendJson, sendText } from '@maw/http/response.ts';
import { USAGE_OF_DAYS, USAGE_OF_TABLE, type UsageQuery, type UsageSum } from '@maw/store/ports/budget-usage.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { z } from 'zod';
import { LIMIT_NAMES, type LimitOptions } from '../agent-limits.ts';
import { limitFields } from '../server-config/config-file.ts';
import { type ServerChange, serverChange, type ServerListing } from '../server-config/server-admin.ts';
import type { Status } from '../status.ts';
import type { HttpCall, Route } from './call.ts';
import { HttpProblem } from './http-problem.ts';
import { statusText } from './status-text.ts';
import { validateBody } from './validate-body.ts';

/** What administrators can see and change. */
export interface AdminApi {
  status(): Promise<Status>;
  /** @throws Refusal */
  servers(change: ServerChange): Promise<ServerListing>;
  limits(): LimitOptions;
  setLimits(limits: Partial<LimitOptions>): Promise<void>;
  /** Sums of what models were used for, at most `limit`. */
  usage(query: UsageQuery, limit: number): Promise<readonly UsageSum[]>;
  now(): number;
}

const someLimits = limitFields.refine((given) => Object.keys(given).length > 0, `names no limit; there are ${LIMIT_NAMES.join(', ')}`);

const HOUR_MS = 3_600_000;
const MAX_SUMS = 10_000;

const columns = <const C extends string>(all: readonly C[]) =>
  z
    .string()
    .prefault(all.join())
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(all, { error: `must be some of ${all.join()}` })));
/** A day (UTC), as the hour since the epoch with which it begins. */
const day = z.iso.date({ error: 'must be a day such as 2026-11-27' }).transform((text) => Date.parse(text) / HOUR_MS);
const usageOfDays = z.strictObject({ from: day.optional(), to: day.optional(), by: columns(USAGE_OF_DAYS) });
const usageOfTable = z.strictObject({ table: z.string().min(1, 'must be the id of a table'), by: columns(USAGE_OF_TABLE) });

/** @param url with `from` and `to`, both inclusive, or `table`; and `by` @throws HttpProblem unreadable */
function readUsageQuery(url: string, at: number): UsageQuery {
  const given = Object.fromEntries(new URL(url, 'http://gateway').searchParams);
  if ('table' in given) return validateBody(usageOfTable, given);
  const { by, to = 24 * Math.floor(at / (24 * HOUR_MS)), from = to - 6 * 24 } = validateBody(usageOfDays, given);
  if (from > to) throw new HttpProblem('unreadable', 'from: is a day after to');
  return { from, to: to + 24, by };
}

/** A change that is impossible is the caller's mistake, not the gateway's. */
const REFUSED_CHANGE_STATUS: { readonly [reason: string]: number } = { 'no-server': 404, 'failed': 409 };

/** The paths for administrators. */
export function adminRoutes(admin: AdminApi, log: Log): readonly Route[] {
  const routes: readonly Omit<Route, 'isAdmin'>[] = [
    {
      method: 'GET',
      path: '/admin/status',
      async handle({ req, res }) {
        const status = await admin.status();
        if (/text\/plain/.test(req.headers.accept ?? '')) sendText(res, 200, statusText(status));
        else sendJson(res, 200, status);
      },
    },
    {
      method: 'GET',
      path: '/admin/servers',
      handle: async ({ res }) => sendJson(res, 200, await changeServers(admin, { act: 'list', kind: 'ollama' })),
    },
    {
      method: 'POST',
      path: '/admin/servers',
      async handle(call) {
        const change = validateBody(serverChange, parseJson(call.body!));
        const { act, server } = change;
        const apply = () => changeServers(admin, change);
        const about = { act, ...(server === undefined ? {} : { server }) };
        sendJson(call.res, 200, await (act === 'list' ? apply() : audited(log, call, about, apply)));
      },
    },
    {
      method: 'GET',
      path: '/admin/use',
      async handle({ req, res }) {
        const query = readUsageQuery(req.url ?? '', admin.now());
        const use = await admin.usage(query, MAX_SUMS + 1);
        if (use.length > MAX_SUMS)
          throw new HttpProblem('unreadable', `these are more than ${MAX_SUMS} rows: ask for fewer days or columns`);
        sendJson(res, 200, { by: query.by, use });
      },
    },
    { method: 'GET', path: '/admin/limits', handle: ({ res }) => sendJson(res, 200, admin.limits()) },
    {
      method: 'PUT',
      path: '/admin/limits',
      async handle(call) {
        const limits = validateBody(someLimits, parseJson(call.body!)) as Partial<LimitOptions>;
        await audited(log, call, { act: 'limits', limits }, () => admin.setLimits(limits));
        sendJson(call.res, 200, admin.limits());
      },
    },
  ];
  return routes.map((route) => ({ ...route, isAdmin: true }));
}

/** @throws HttpProblem */
async function changeServers(admin: AdminApi, change: ServerChange): Promise<ServerListing> {
  try {
    return await admin.servers(change);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const status = REFUSED_CHANGE_STATUS[error.reason];
    throw new HttpProblem(error.reason, error.detail, status === undefined ? {} : { status });
  }
}

/** Logs an administrator's action: who, from where, what, and its outcome. The gateway has no audit database. */
async function audited<T>(log: Log, { req, caller }: HttpCall, about: object, act: () => Promise<T>): Promise<T> {
  const audit = (outcome: string): void =>
    log.info({ audit: { who: caller.agent, from: req.socket.remoteAddress, ...about, outcome } }, 'administrator action');
  try {
    const result = await act();
    audit('done');
    return result;
  } catch (error) {
    audit(error instanceof HttpProblem ? error.code : 'failed');
    throw error;
  }
}
