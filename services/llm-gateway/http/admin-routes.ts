import { Refusal } from '@maw/contracts/refusal.ts';
import { parseJson } from '@maw/http/json-body.ts';
import { sendJson, sendText } from '@maw/http/response.ts';
import type { Log } from '@maw/telemetry/log.ts';
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
}

const someLimits = limitFields.refine((given) => Object.keys(given).length > 0, `names no limit; there are ${LIMIT_NAMES.join(', ')}`);

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
