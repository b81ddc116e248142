import { readFileSync } from 'node:fs';
import { hash } from 'node:crypto';
import { Refusal } from '@maw/contracts/refusal.ts';
import { omitUndefined } from '@maw/contracts/omit-undefined.ts';
import { parseJson } from '@maw/http/json-body.ts';
import { sendJson, sendText } from '@maw/http/response.ts';
import { USAGE_OF_DAYS, USAGE_OF_TABLE, type UsageQuery, type UsageSum } from '@maw/store/ports/budget-usage.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { z } from 'zod';
import { LIMIT_NAMES, type LimitOptions } from '../agent-limits.ts';
import { logText } from '@maw/text/sanitize-text.ts';
import type { RequestKey } from '../request.ts';
import { limitFields } from '../server-config/config-file.ts';
import { type ServerChange, serverChange, type ServerListing } from '../server-config/server-admin.ts';
import type { Status } from '../status.ts';
import { type ApiKeys, type Holder, keyFields } from './api-keys.ts';
import { type HttpCall, pathOf, type Route } from './call.ts';
import { type CreatedKeys, newKey } from './created-keys.ts';
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
  /** What is left today of the budgets of keys, in tokens; Infinity: it has none. */
  tokensLeft(keys: readonly RequestKey[]): Promise<readonly number[]>;
}

interface Parts {
  readonly admin: AdminApi;
  readonly keys: ApiKeys;
  readonly created: CreatedKeys;
  readonly log: Log;
  now(): number;
}

const KEYS_PATH = '/admin/keys';

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
export function adminRoutes(parts: Parts): readonly Route[] {
  const { admin, log } = parts;
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
        const query = readUsageQuery(req.url ?? '', parts.now());
        const use = await admin.usage(query, MAX_SUMS + 1);
        if (use.length > MAX_SUMS)
          throw new HttpProblem('unreadable', `these are more than ${MAX_SUMS} rows: ask for fewer days or columns`);
        sendJson(res, 200, { by: query.by, use });
      },
    },
    ...keyRoutes(parts),
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

function keyRoutes({ admin, keys, created, log, now }: Parts): readonly Omit<Route, 'isAdmin'>[] {
  const shown = ({ id, agent, isAdmin: isOfAdmin, models, expires, urgency, limits }: Holder, left: number) => {
    const row = created.about(id);
    return {
      id,
      agent,
      admin: isOfAdmin,
      ...omitUndefined({ models, urgency, expires: expires && new Date(expires).toISOString() }),
      limits,
      ...(limits.tokensPerDay ? { tokensLeft: left } : {}),
      ...(row && { created: new Date(row.at).toISOString(), by: row.by }),
    };
  };
  return [
    {
      method: 'GET',
      path: KEYS_PATH,
      async handle({ res }) {
        const all = keys.all();
        const left = await admin.tokensLeft(all);
        sendJson(res, 200, { keys: all.map((key, n) => shown(key, left[n]!)) });
      },
    },
    {
      method: 'POST',
      path: KEYS_PATH,
      async handle(call) {
        const fields = validateBody(keyFields, parseJson(call.body!));
        if (fields.expires !== undefined && Date.parse(fields.expires) <= now())
          throw new HttpProblem('unreadable', 'expires: is in the past');
        const made = newKey();
        const about = { act: 'create key', id: made.id, holder: `${fields.tenant}/${fields.agent}`, admin: fields.admin };
        await audited(log, call, about, () => created.add(made, fields, call.caller.agent));
        sendJson(call.res, 200, { id: made.id, key: made.secret }, { 'cache-control': 'no-store' });
      },
    },
    {
      method: 'DELETE',
      path: `${KEYS_PATH}/*`,
      async handle(call) {
        const id = pathOf(call.req).slice(KEYS_PATH.length + 1);
        await audited(log, call, { act: 'revoke key', id: logText(id, 40) }, () => created.revoke(id));
        sendJson(call.res, 200, { id });
      },
    },
  ];
}

/** The page for keys. It asks for a key itself; its script and its style are the only ones that a browser runs on it. */
export function adminPage(): Route {
  const page = readFileSync(new URL('admin.html', import.meta.url), 'utf8');
  const allowed = (tag: string) => `'sha256-${hash('sha256', new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(page)![1]!, 'base64')}'`;
  const policy = `default-src 'none'; script-src ${allowed('script')}; style-src ${allowed('style')}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  const headers = { 'content-security-policy': policy, 'referrer-policy': 'no-referrer', 'cache-control': 'no-cache' };
  return {
    method: 'GET',
    path: '/admin',
    isPublic: true,
    handle: ({ res }) => sendText(res, 200, page, 'text/html; charset=utf-8', headers),
  };
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
