import { type ReplyData, contracts, type Data } from '@maw/contracts/contracts.ts';
import { Refusal } from '@maw/contracts/refusal.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { z } from 'zod';
import { type LimitOptions, limitRanges } from '../options.ts';
import type { Status } from '../status.ts';
import { jsonIn } from './request-body.ts';
import { type Call, type Route, sendJson, sendText } from './call.ts';
import { HttpProblem } from './http-problem.ts';
import { readAs } from './validate-body.ts';
import { statusText } from './status-text.ts';

/** What those who run the gateway may see and change. */
export interface Admin {
  status(): Promise<Status>;
  /** @throws Refusal */
  servers(change: Data<'llm.servers'>): Promise<ReplyData<'llm.servers'>>;
  limits(): LimitOptions;
  setLimits(limits: Partial<LimitOptions>): Promise<void>;
}

const limits = z
  .strictObject(
    Object.fromEntries(Object.entries(limitRanges).map(([name, [least, most]]) => [name, z.int().min(least).max(most).optional()])),
  )
  .refine((given) => Object.keys(given).length > 0, `names no limit; there are ${Object.keys(limitRanges).join(', ')}`);

/** A change of the servers that cannot be made is the fault of what was asked, not of the gateway. */
const STATUS: { readonly [reason: string]: number } = { 'no-server': 404, 'failed': 409 };

/** The addresses of those who run the gateway. */
export function adminRoutes(admin: Admin, log: Log): readonly Route[] {
  const change = contracts.get('llm.servers').data.strict();

  async function servers(given: Data<'llm.servers'>): Promise<ReplyData<'llm.servers'>> {
    try {
      return await admin.servers(given);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const status = STATUS[error.reason];
      throw new HttpProblem(error.reason, error.detail, status === undefined ? {} : { status });
    }
  }

  /** A line of the log for what an administrator does: who, from where, what, and what came of it. There is no database here. */
  async function noted<T>({ req, caller }: Call, about: object, does: () => Promise<T>): Promise<T> {
    const audit = (outcome: string): void =>
      log.info({ audit: { who: caller.agent, from: req.socket.remoteAddress, ...about, outcome } }, 'an administrator acted');
    try {
      const done = await does();
      audit('done');
      return done;
    } catch (error) {
      audit(error instanceof HttpProblem ? error.code : 'failed');
      throw error;
    }
  }

  const routes: readonly Omit<Route, 'isAdmin'>[] = [
    {
      method: 'GET',
      path: '/admin/status',
      async does({ req, res }) {
        const status = await admin.status();
        if (/text\/plain/.test(req.headers.accept ?? '')) sendText(res, 200, statusText(status));
        else sendJson(res, 200, status);
      },
    },
    {
      method: 'GET',
      path: '/admin/servers',
      does: async ({ res }) => sendJson(res, 200, await servers({ act: 'list', kind: 'ollama' })),
    },
    {
      method: 'POST',
      path: '/admin/servers',
      async does(call) {
        const given = readAs(change, jsonIn(call.body!));
        const about = { act: given.act, ...('server' in given ? { server: given.server } : {}) };
        const there = await (given.act === 'list' ? servers(given) : noted(call, about, () => servers(given)));
        sendJson(call.res, 200, there);
      },
    },
    { method: 'GET', path: '/admin/limits', does: ({ res }) => sendJson(res, 200, admin.limits()) },
    {
      method: 'PUT',
      path: '/admin/limits',
      async does(call) {
        const given = readAs(limits, jsonIn(call.body!)) as Partial<LimitOptions>;
        await noted(call, { act: 'limits', limits: given }, () => admin.setLimits(given));
        sendJson(call.res, 200, admin.limits());
      },
    },
  ];
  return routes.map((route) => ({ ...route, isAdmin: true }));
}
