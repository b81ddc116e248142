import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import { metricValue } from '@maw/bus/suites/metric-value.suite.ts';
import { declare } from '@maw/contracts/http/route.ts';
import { memoryAuditLog } from '@maw/store/memory/audit-log.ts';
import { logger } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { createApp } from './app.ts';
import { auditTrail } from './audit/audit-trail.ts';
import { defaultOptions } from './defaults.ts';
import { requestLimits } from './request-limits.ts';
import { badToken } from './auth/token.ts';
import { route } from './route.ts';

it('counts a refusal by its reason although the client disconnected meanwhile', async () => {
  const log = logger('web', { level: 'silent' });
  const [came, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const app = createApp({
    routes: [
      route('GET /tables', declare({ summary: '', permits: 'anyToken', responses: [] }), () => Promise.reject(new Error('unreachable'))),
    ],
    authenticate: async () => {
      came.resolve();
      await gone.promise;
      throw badToken('forged');
    },
    trail: auditTrail({ audit: memoryAuditLog(), log, now: Date.now }),
    log,
    now: Date.now,
    limits: requestLimits(defaultOptions, Date.now),
    proxies: 0,
  });
  const server = createServer(app).on('request', (_, res) => void res.once('close', gone.resolve));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const refused = () => metricValue(metrics.refusals, { service: 'web', reason: 'bad-token' });
    const left = () => metricValue(metrics.requests, { route: 'GET /tables', status: '499' });
    const before = [await refused(), await left()];
    const leaving = new AbortController();
    const answer = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/tables`, { signal: leaving.signal });
    await came.promise;
    leaving.abort();
    await expect(answer).rejects.toThrow('aborted');
    await pollUntil('the count', async () => (await left()) > before[1]!);
    expect([await refused(), await left()]).toEqual(before.map((count) => count + 1));
  } finally {
    server.close();
    await once(server, 'close');
  }
});
