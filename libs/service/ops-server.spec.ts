import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { metrics } from '@maw/telemetry/metrics.ts';
import { type OpsOptions, type OpsServer, startOpsServer } from './ops-server.ts';

const opened: OpsServer[] = [];
afterEach(async () => {
  for (const ops of opened.splice(0)) await ops.close();
});

async function start(ready: OpsOptions['ready'] = {}, options: Partial<OpsOptions> = {}): Promise<OpsServer> {
  const ops = await startOpsServer({ service: 'player', host: '127.0.0.1', port: 0, ready, ...options });
  opened.push(ops);
  return ops;
}
const get = async (url: string, method = 'GET', headers: Record<string, string> = {}) => {
  const response = await fetch(url, { method, headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

describe('/healthz', () => {
  it('is 200 while the process responds, even when dependencies are missing', async () => {
    const { url } = await start({ broker: () => Promise.reject(new Error('gone')) });
    const { status, text } = await get(`${url}/healthz`);
    expect([status, JSON.parse(text)]).toEqual([200, { status: 'alive', service: 'player' }]);
  });
});

describe('/readyz', () => {
  it('is 200 when every check passes', async () => {
    const { url } = await start({ broker: async () => undefined, store: () => undefined });
    const { status, text } = await get(`${url}/readyz?verbose`);
    expect([status, JSON.parse(text)]).toEqual([200, { status: 'ready', service: 'player', checks: { broker: 'ok', store: 'ok' } }]);
  });

  it('is 503 with the failed checks, and shows no credentials', async () => {
    const { url } = await start({
      broker: () => Promise.reject(new Error('no way to amqp://u:opensesame@broker')),
      store: () => {
        throw Object.assign(new Error(), { code: 'ECONNREFUSED' });
      },
      model: () => undefined,
    });
    const { status, text } = await get(`${url}/readyz`);
    expect(status).toBe(503);
    expect(JSON.parse(text)).toMatchObject({
      status: 'not ready',
      checks: { broker: 'no way to amqp://broker', store: 'ECONNREFUSED', model: 'ok' },
    });
  });

  it('is 200 with the remark that a check returns', async () => {
    const { url } = await start({
      permits: () => 'known up to 40 s ago: postgres://u:opensesame@db is away',
      store: async () => undefined,
    });
    const { status, text } = await get(`${url}/readyz`);
    expect([status, JSON.parse(text)]).toEqual([
      200,
      { status: 'ready', service: 'player', checks: { permits: 'known up to 40 s ago: postgres://db is away', store: 'ok' } },
    ]);
  });

  it('is 503 when a check times out; the others run concurrently', async () => {
    const { url } = await start({ broker: () => new Promise(() => undefined), store: () => undefined }, { checkMs: 30 });
    const { status, text } = await get(`${url}/readyz`);
    expect([status, (JSON.parse(text) as { checks: unknown }).checks]).toEqual([503, { broker: 'no answer within 30 ms', store: 'ok' }]);
  });

  it('runs the checks once for concurrent requests, again for later ones', async () => {
    let runs = 0;
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const { url, port } = await start({
      broker: () => {
        runs += 1;
        begun.resolve();
        return gate.promise;
      },
    });
    const socket = connect(port, '127.0.0.1');
    const ask = (connection: string) => `GET /readyz HTTP/1.1\r\nhost: h\r\nconnection: ${connection}\r\n\r\n`;
    socket.write(ask('keep-alive') + ask('keep-alive') + ask('close'));
    await begun.promise;
    gate.resolve();
    const answers = Buffer.concat(await socket.toArray()).toString();
    expect([answers.match(/HTTP\/1\.1 200 OK/g)?.length, runs]).toEqual([3, 1]);
    await get(`${url}/readyz`);
    expect(runs).toBe(2);
  });
});

describe('/metrics', () => {
  it('serves our metrics and those of the process in Prometheus format', async () => {
    const { url } = await start();
    const other = await start({}, { service: 'chatroom', commit: 'c0ffee' });
    metrics.deadLetters.inc({ service: 'player', queue: 'q', reason: 'odd' }, 3);
    const { status, headers, text } = await get(`${url}/metrics`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(text).toContain('maw_dead_letters_total{service="player",queue="q",reason="odd"} 3');
    expect(text).toMatch(/^process_cpu_seconds_total [\d.]+$/m);
    const theirs = (await get(`${other.url}/metrics`)).text;
    expect(theirs).toContain('nodejs_eventloop_lag_seconds');
    const node = process.versions.node;
    expect(theirs).toContain(`maw_build_info{service="chatroom",version="0.1.0",commit="c0ffee",node="${node}"} 1`);
    expect(theirs).toContain(`maw_build_info{service="player",version="0.1.0",commit="",node="${node}"} 1`);
    expect(theirs).toMatch(/^maw_memory_available_bytes\{service="\w+"\} [1-9]\d+$/m);
  });
});

describe('/metrics in OpenMetrics format', () => {
  const PROMETHEUS =
    'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1';
  it('names counter families without _total, ends with EOF, and leaves the other format unchanged', async () => {
    const { url } = await start();
    metrics.deadLetters.inc({ service: 'player', queue: 'open', reason: 'odd' }, 2);
    const plain = await get(`${url}/metrics`);
    const open = await get(`${url}/metrics`, 'GET', { accept: PROMETHEUS });
    expect(open.headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    expect(open.text).toContain('# TYPE maw_dead_letters counter\n');
    expect(open.text).toContain('maw_dead_letters_total{service="player",queue="open",reason="odd"} 2\n');
    expect(open.text).not.toContain('_total_total');
    expect(open.text.endsWith('\n# EOF\n')).toBe(true);
    const names = (text: string) => text.split('\n').flatMap((line) => (line.startsWith('maw_') ? [line.replace(/ [^ ]+$/, '')] : []));
    expect(names(open.text)).toEqual(names(plain.text));
    const after = await get(`${url}/metrics`);
    expect(after.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(after.text).toContain('# TYPE maw_dead_letters_total counter\n');
  });
});

describe('access to /metrics', () => {
  const METRICS = 'the-token-of-the-scraper';
  const asks = async (options: Partial<OpsOptions>, headers: Record<string, string> = {}) => {
    const { port } = await start({}, options);
    const [metric, health, ready] = await Promise.all(
      ['metrics', 'healthz', 'readyz'].map((path) => get(`http://127.0.0.1:${port}/${path}`, 'GET', headers)),
    );
    expect([health!.status, ready!.status]).toEqual([200, 200]);
    return metric!;
  };

  it('needs the token where one is set; health checks do not', async () => {
    expect((await asks({ metricsToken: METRICS }, { authorization: `Bearer ${METRICS}` })).status).toBe(200);
    expect((await asks({ metricsToken: METRICS }, { authorization: `bearer ${METRICS}` })).status).toBe(200);
    for (const headers of [
      {},
      { authorization: METRICS },
      { authorization: `Bearer ${METRICS}x` },
      { authorization: `Bearer ${METRICS.slice(1)}` },
      { authorization: `Basic ${METRICS}` },
    ]) {
      const denied = await asks({ metricsToken: METRICS }, headers);
      expect([denied.status, denied.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="metrics"']);
      expect(denied.text).not.toMatch(/maw_|process_|the-token/);
    }
  });

  it('without a token is for loopback listeners only', async () => {
    expect((await asks({})).status).toBe(200);
    expect((await asks({ host: '0.0.0.0' })).status).toBe(401);
    expect((await asks({ host: '0.0.0.0', metricsToken: METRICS }, { authorization: `Bearer ${METRICS}` })).status).toBe(200);
  });
});

describe('other requests', () => {
  it.each(['/', '/healthz/', '/metrics/x', '/../readyz', '//healthz'])('to %s are not found', async (path) => {
    const { port } = await start();
    const asked = request({ host: '127.0.0.1', port, path });
    asked.end();
    const [response] = (await once(asked, 'response')) as [{ statusCode: number; resume(): void }];
    response.resume();
    expect(response.statusCode).toBe(404);
  });

  it('other than GET and HEAD are 405, and HEAD has no body', async () => {
    const { url } = await start();
    const posted = await get(`${url}/healthz`, 'POST');
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const head = await get(`${url}/healthz`, 'HEAD');
    expect([head.status, head.text, Number(head.headers.get('content-length')) > 0]).toEqual([200, '', true]);
  });
});

describe('closing', () => {
  it('cuts open connections, accepts no new ones, and is idempotent', async () => {
    const ops = await start();
    const socket = connect(ops.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('GET /healthz HTTP/1.1\r\nhost: h\r\n\r\n');
    await once(socket, 'data');
    const cut = once(socket, 'close');
    await Promise.all([ops.close(), ops.close()]);
    await cut;
    await expect(fetch(`${ops.url}/healthz`)).rejects.toThrow('fetch failed');
  });

  it('does not wait for requests in flight', async () => {
    const ops = await start({ broker: () => new Promise(() => undefined) }, { checkMs: 60_000 });
    const asked = fetch(`${ops.url}/readyz`).catch(() => 'cut');
    await get(`${ops.url}/healthz`);
    await ops.close();
    expect(await asked).toBe('cut');
  });
});

describe('starting', () => {
  it('on a used port is rejected', async () => {
    const { port } = await start();
    await expect(start({}, { port })).rejects.toThrow('EADDRINUSE');
  });
});
