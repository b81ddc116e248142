import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { pollUntil } from '@maw/async/poll-until.ts';
import { REASONS } from '@maw/contracts/refusal.ts';
import { memoryAuditLog } from '@maw/store/memory/audit-log.ts';
import { memoryTokens } from '@maw/store/memory/tokens.ts';
import { logger } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { metricValue } from '@maw/bus/suites/metric-value.suite.ts';
import { ADMIN, startTestWeb, type TestWeb, SECRET } from './web.suite.ts';
import { defaultOptions } from './defaults.ts';
import { kinds } from './problem.ts';
import { web } from './service.ts';

let here: TestWeb;
beforeEach(async () => {
  here = await startTestWeb({ busRequestMs: 60_000 });
  here.addTable('t1', { rules: 'maw', seats: [{ kind: 'person' }, { kind: 'person' }] });
});
afterEach(() => here.close());

const isProblem = (status: number, reason: string) => ({
  status,
  body: { type: `urn:maw:reason:${reason}`, title: expect.stringMatching(/./), status, detail: expect.stringMatching(/./), reason },
});

describe('web', () => {
  it('sends security headers with every response', async () => {
    for (const { headers } of [await here.get('/tables', ADMIN), await here.get('/nowhere'), await here.get('/tables/t1/view', ADMIN)]) {
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('etag')).toBeNull();
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('answers 404 for unknown paths and 405 with Allow for wrong methods', async () => {
    expect(await here.get('/nowhere')).toMatchObject(isProblem(404, 'unknown-route'));
    for (const [method, path, allow] of [
      ['PUT', '/tables', 'POST, GET, HEAD'],
      ['DELETE', '/tables/t1', 'GET, HEAD'],
      ['GET', '/tables/t1/acts', 'POST'],
      ['POST', '/tables/t1/events', 'GET, HEAD'],
    ] as const) {
      const wrong = await here.raw(method, path);
      expect(wrong).toMatchObject(isProblem(405, 'wrong-method'));
      expect(wrong.headers.get('allow')).toBe(allow);
      expect(wrong.headers.get('content-type')).toContain('application/problem+json');
    }
  });

  it('accepts uncompressed JSON only', async () => {
    const authorization = { Authorization: `Bearer ${ADMIN}` };
    for (const headers of [
      { 'Content-Type': 'text/plain' },
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
      { 'Content-Type': 'application/json; charset=latin1' },
    ])
      expect(await here.raw('POST', '/tables', '{}', { ...authorization, ...headers })).toMatchObject(isProblem(415, 'not-json'));
    for (const body of ['{"rules":', '[1', '"x"'])
      expect(await here.raw('POST', '/tables', body, { ...authorization, 'Content-Type': 'application/json' })).toMatchObject(
        isProblem(400, 'unreadable'),
      );
    expect(here.heard('table.open')).toEqual([]);
  });

  it('accepts a body of 64 KiB, not more', async () => {
    const seat = await here.mint({ role: 'seat', table: 't1', seat: 0 });
    const sized = (bytes: number) => {
      const [head, tail] = ['{"question":"q","says":["x"],"pad":"', '"}'];
      return `${head}${'y'.repeat(bytes - head.length - tail.length)}${tail}`;
    };
    const send = (bytes: number) =>
      here.raw('POST', '/tables/t1/acts', sized(bytes), { 'Content-Type': 'application/json', 'Authorization': `Bearer ${seat}` });
    expect(sized(65_536)).toHaveLength(65_536);
    expect(await send(65_536)).toMatchObject({ status: 400, body: { errors: [{ field: 'pad' }] } }); // read, and found to have a field too many
    expect(await send(65_537)).toMatchObject(isProblem(413, 'too-large'));
  });

  it('reports every mistake in a body or query', async () => {
    const wrong = await here.post('/tables', { rules: 1, rounds: 0, colour: 'red', seats: [{ kind: 'dog' }] }, ADMIN);
    expect(wrong).toMatchObject(isProblem(400, 'unreadable'));
    expect(wrong.body.errors.map(({ field }: { field: string }) => field).toSorted()).toEqual([
      'colour',
      'rounds',
      'rules',
      'seats.0.kind',
    ]);
    expect(
      (await here.get('/tables/t1/view?as=king&after=-1&x=1', ADMIN)).body.errors.map(({ field }: { field: string }) => field).toSorted(),
    ).toEqual(['after', 'as', 'x']);
    expect(
      (
        await here.raw('POST', '/tables/t1/acts', undefined, {
          Authorization: `Bearer ${await here.mint({ role: 'seat', table: 't1', seat: 0 })}`,
        })
      ).body.errors,
    ).toEqual([{ field: 'body', says: 'missing' }]);
  });

  it('refuses undecodable paths and invalid table names', async () => {
    expect(await here.get('/tables/%E0%A4%A', ADMIN)).toMatchObject(isProblem(400, 'unreadable'));
    for (const name of ['..%2F..', 'a.b', 'x'.repeat(61), '%00', '%3Cscript%3E'])
      expect(await here.get(`/tables/${name}`, ADMIN)).toMatchObject(isProblem(404, 'unknown-game'));
  });

  it.each(REASONS)('maps the refusal %s to its status and keeps its detail', async (reason) => {
    here.refuse(reason, 'what, where and what to do');
    const { status } = kinds[reason];
    const refused = await here.get('/tables/t1', ADMIN);
    expect(refused).toMatchObject({
      ...isProblem(status, reason),
      body: { detail: 'what, where and what to do', title: kinds[reason].title },
    });
    expect(refused.headers.get('content-type')).toContain('application/problem+json');
  });

  it('maps reasons to the documented statuses', () => {
    const agreed = {
      'forbidden': 403,
      'unknown-game': 404,
      'name-taken': 409,
      'table-full': 409,
      'phase-over': 409,
      'not-an-option': 422,
      'bad-option': 422,
      'bad-name': 422,
      'too-long': 422,
      'late': 504,
      'limited': 429,
      'unreadable': 400,
    };
    expect(Object.fromEntries(Object.keys(agreed).map((reason) => [reason, kinds[reason as keyof typeof agreed].status]))).toEqual(agreed);
  });

  it.each([
    [undefined, null],
    [0, '1'],
    [1_000, '1'],
    [1_001, '2'],
    [60_000, '60'],
  ])('turns a wait of %s ms into Retry-After %s', async (waitMs, header) => {
    here.refuse('limited', 'there is no room', waitMs);
    const refused = await here.post('/tables', { rules: 'maw', players: 3, people: 3 }, ADMIN);
    expect(refused).toMatchObject(isProblem(429, 'limited'));
    expect(refused.headers.get('retry-after')).toBe(header);
  });

  it('answers 504 when no service replies in time', async () => {
    const quick = await startTestWeb({ busRequestMs: 50 });
    try {
      quick.hold();
      expect(await quick.get('/tables/t1', ADMIN)).toMatchObject(isProblem(504, 'late'));
    } finally {
      await quick.close();
    }
  });

  it('answers 500 with an instance and hides the error', async () => {
    const lines: string[] = [];
    const broken = { ...here.bus, request: () => Promise.reject(new Error('password=hunter2 at db-7')) };
    const site = await web({
      bus: broken,
      now: Date.now,
      log: logger('web', { destination: { write: (line: string) => void lines.push(line) } }),
      options: { isOpen: true },
    });
    try {
      const body = (await (await fetch(`${site.url}/tables`)).json()) as { instance: string; status: number; reason: string };
      expect(body).toMatchObject({ status: 500, reason: 'failed', instance: expect.stringMatching(/^urn:uuid:/) });
      expect(JSON.stringify(body)).not.toContain('hunter2');
      expect(lines.join('')).toContain(body.instance);
    } finally {
      await site.close();
    }
  });

  it('counts disconnected clients under 499', async () => {
    metrics.requests.reset();
    here.hold();
    const leaving = new AbortController();
    const answer = fetch(`${here.url}/tables/t1`, { headers: { Authorization: `Bearer ${ADMIN}` }, signal: leaving.signal });
    await pollUntil('the question', () => here.heard('table.view').length === 1);
    leaving.abort();
    await expect(answer).rejects.toThrow('abort');
    await pollUntil('the count', async () => (await counted('GET /tables/:table')).length > 0);
    expect(await counted('GET /tables/:table')).toEqual([['499', 1]]);
  });

  it('counts requests by the pattern of their route', async () => {
    metrics.requests.reset();
    await here.get('/tables/t1', ADMIN);
    await here.get('/tables/t2', ADMIN);
    await here.get('/anything/else');
    const { values } = await metrics.requests.get();
    expect(values.map(({ labels, value }) => [labels.route, labels.status, value])).toEqual([
      ['GET /tables/:table', '200', 1],
      ['GET /tables/:table', '404', 1],
      ['GET (none)', '404', 1],
    ]);
  });
});

describe('connections', () => {
  const refusalsOf = (reason: string) => metricValue(metrics.refusals, { service: 'web', reason });
  const openConnections = () => metricValue(metrics.connections, { service: 'web' });
  /** A raw connection, and everything that came back until it closed. */
  async function connection(to: TestWeb, sent = '') {
    const socket = connect(to.site.port, '127.0.0.1').setEncoding('utf8');
    let text = '';
    socket.on('data', (chunk: string) => (text += chunk)).on('error', () => undefined);
    const received = new Promise<string>((resolve) => void socket.once('close', () => resolve(text)));
    await once(socket, 'connect');
    socket.write(sent);
    return { socket, received };
  }

  it('are answered 503 with a problem document above the limit, and counted', async () => {
    const site = await startTestWeb({ maxConnections: 1 });
    try {
      const before = await refusalsOf('unavailable');
      const { socket } = await connection(site);
      const text = await (await connection(site)).received;
      expect(text).toMatch(/^HTTP\/1\.1 503 [^]*\r\nContent-Type: application\/problem\+json\r\n/);
      expect(JSON.parse(text.split('\r\n\r\n')[1]!)).toMatchObject({ status: 503, reason: 'unavailable' });
      expect(await refusalsOf('unavailable')).toBe(before + 1);
      socket.destroy();
    } finally {
      await site.close();
    }
  });

  it('are limited per client, except behind a proxy', async () => {
    for (const proxies of [0, 1]) {
      const site = await startTestWeb({ maxConnectionsPerClient: 1, proxies });
      const { socket } = await connection(site);
      const { received } = await connection(site, 'GET /tables HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      expect(await received).toMatch(proxies ? /^HTTP\/1\.1 401 / : /^HTTP\/1\.1 503 /);
      socket.destroy();
      await site.close();
    }
  });

  it('that send too slowly are counted as too-slow', async () => {
    const site = await startTestWeb({ headersMs: 100, requestBodyMs: 100 });
    try {
      const before = await refusalsOf('too-slow');
      const { received } = await connection(site, 'POST /tables HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
      expect(await received).toMatch(/^HTTP\/1\.1 40[18] /);
      const slow = await connection(site, 'GET /tables HTTP/1.1\r\n');
      expect(await slow.received).toMatch(/^HTTP\/1\.1 408 /);
      expect(await refusalsOf('too-slow')).toBeGreaterThan(before);
    } finally {
      await site.close();
    }
  });

  it('with headers above the limit are answered 431 and counted as too-large', async () => {
    const site = await startTestWeb({ maxHeaderBytes: 4_096 });
    try {
      const before = await refusalsOf('too-large');
      const statusWith = async (bytes: number) =>
        (await site.raw('GET', '/tables', undefined, { 'Authorization': `Bearer ${ADMIN}`, 'X-Pad': 'y'.repeat(bytes) })).status;
      expect([await statusWith(3_000), await statusWith(6_000)]).toEqual([200, 431]);
      expect(await refusalsOf('too-large')).toBe(before + 1);
    } finally {
      await site.close();
    }
  });

  it("are kept alive for Node's default time, independent of streams", async () => {
    expect((await here.get('/tables', ADMIN)).headers.get('keep-alive')).toBe('timeout=5');
  });

  it('that break during a stream free their slot', async () => {
    const site = await startTestWeb({ maxConnections: 2 });
    site.addTable('t1', { rules: 'maw', seats: [{ kind: 'person' }] });
    try {
      for (let i = 0; i < 3; i++) {
        const { socket, received } = await connection(
          site,
          `GET /tables/t1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ADMIN}\r\n\r\n`,
        );
        expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 200 /);
        socket.destroy();
        await received;
        await pollUntil('the connection is gone', async () => (await openConnections()) === 0);
      }
    } finally {
      await site.close();
    }
  });
});

describe('an open service', () => {
  it('starts on loopback addresses only', async () => {
    const ports = { bus: here.bus, now: Date.now, log: logger('web', { level: 'silent' }) };
    for (const host of ['0.0.0.0', '::', '10.1.2.3'])
      await expect(web({ ...ports, options: { isOpen: true, host } })).rejects.toThrow(host);
    await expect(web({ ...ports, options: { secret: 'x'.repeat(31) } })).rejects.toThrow('31 bytes');
  });

  it('refuses requests without a token when not open', async () => {
    for (const path of [
      '/tables',
      '/tables/t1',
      '/tables/t1/view',
      '/tables/t1/events',
      '/tables/t1/tape',
      '/rules',
      '/rules/maw',
      '/models',
      '/tokens',
      '/audit',
    ])
      expect([path, await here.get(path)]).toMatchObject([path, isProblem(401, 'no-token')]);
    for (const path of [
      '/tables',
      '/tables/t1/seats',
      '/tables/t1/acts',
      '/tables/t1/speech',
      '/tokens',
      '/tokens/renew',
      '/tables/t1/revoke',
    ])
      expect([path, await here.post(path, {})]).toMatchObject([path, isProblem(401, 'no-token')]);
    expect(here.heard('table.list').length + here.heard('table.rules').length + here.heard('table.view').length).toBe(0);
  });

  it('permits opening, joining and watching, and protects seats', async () => {
    const open = await startTestWeb({ isOpen: true });
    try {
      const { body: made, status } = await open.post('/tables', { rules: 'maw', players: 3, people: 3 });
      expect(status).toBe(201);
      const ann = await open.post(`${made.links.seats}`, { name: 'Ann' });
      expect(ann).toMatchObject({ status: 201, body: { seat: 0, name: 'Ann', token: expect.any(String) } });
      expect((await open.get(`${made.links.view}`)).body.eye).toBe('audience');
      for (const as of ['seat', 'seat:0', 'narrator']) expect(await open.get(`${made.links.view}?as=${as}`)).toMatchObject({ status: 401 });
      expect(await open.post(`${made.links.table}/acts`, { question: 'q', says: ['x'] })).toMatchObject({ status: 401 });
      expect(await open.post('/tokens', { role: 'seat', table: made.table, seat: 0 })).toMatchObject({ status: 401 });
      expect(await open.get('/models')).toMatchObject({ status: 200 });
      expect((await open.get(`${made.links.view}`, ann.body.token)).body.eye).toBe(0);
    } finally {
      await open.close();
    }
  });

  it('changes nothing for a page of another address, with or without a body and a token', async () => {
    const open = await startTestWeb({ isOpen: true });
    try {
      const { body: made } = await open.post('/tables', { rules: 'maw', players: 3, people: 3 });
      const own = `http://127.0.0.1:${open.site.port}`;
      const asked = async (act: string, headers: Record<string, string>) =>
        (await fetch(`${open.url}/tables/${made.table}/${act}`, { method: 'POST', headers })).status;
      for (const act of ['pause', 'resume', 'abort']) {
        for (const origin of ['https://evil.example', 'http://localhost:3000', `https://127.0.0.1:1`, 'null'])
          for (const more of [{}, { 'sec-fetch-site': 'same-site' }, { authorization: `Bearer ${ADMIN}` }])
            expect([act, origin, await asked(act, { origin, ...more })]).toEqual([act, origin, 403]);
      }
      expect(open.heard('table.pause').length + open.heard('table.abort').length).toBe(0);
      expect(await asked('pause', { origin: own })).toBe(200);
      expect(await asked('resume', {})).toBe(200);
      // A proxy has changed the Host, and the browser says that its page is from here.
      expect(await asked('pause', { 'origin': 'https://maw.example', 'sec-fetch-site': 'same-origin' })).toBe(200);
      const read = await fetch(`${open.url}/tables/${made.table}`, { headers: { origin: 'https://evil.example' } });
      expect(read.status).toBe(200);
    } finally {
      await open.close();
    }
  });

  it('refuses requests with a foreign Host', async () => {
    const open = await startTestWeb({ isOpen: true });
    try {
      const answer = await new Promise<string>((resolve, reject) => {
        const socket = connect(open.site.port, '127.0.0.1', () =>
          socket.end('GET /tables/t1/view HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n'),
        );
        let text = '';
        socket
          .setEncoding('utf8')
          .on('data', (chunk: string) => (text += chunk))
          .on('close', () => resolve(text))
          .on('error', reject);
      });
      expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    } finally {
      await open.close();
    }
  });
});

describe('close', () => {
  it('stops listening and is idempotent', async () => {
    const { url } = here;
    await Promise.all([here.site.close(), here.site.close()]);
    await expect(fetch(`${url}/tables`)).rejects.toThrow('fetch failed');
  });

  it('rejects at the start when the port is taken', async () => {
    const ports = { bus: here.bus, now: Date.now, log: logger('web', { level: 'silent' }) };
    await expect(web({ ...ports, options: { ...defaultOptions, secret: SECRET, port: here.site.port } })).rejects.toThrow(/EADDRINUSE/);
  });
});

describe('a request in flight on close', () => {
  it('is answered', async () => {
    const release = here.hold();
    const asked = here.get('/tables/t1', ADMIN);
    await pollUntil('the question', () => here.heard('table.view').length > 0);
    const closed = here.site.close();
    release();
    expect((await asked).status).toBe(200);
    await closed;
  });

  it('is cut after the grace time', async () => {
    const quick = await startTestWeb({ graceMs: 20, busRequestMs: 60_000 });
    try {
      quick.hold();
      const asked = quick.get('/tables/t1', ADMIN).catch(() => 'cut off');
      await pollUntil('the question', () => quick.heard('table.view').length > 0);
      await quick.site.close();
      expect(await asked).toBe('cut off');
    } finally {
      await quick.close();
    }
  });

  it('is awaited, unlike idle connections', async () => {
    const patient = await startTestWeb({ graceMs: 3_600_000 });
    try {
      const silent = connect(patient.site.port, '127.0.0.1');
      const gone = new Promise((resolve) => silent.once('close', resolve).resume());
      await once(silent, 'connect');
      await patient.get('/tables', ADMIN); // so that the silent one has been taken too
      await patient.site.close();
      await gone;
    } finally {
      await patient.close();
    }
  });
});

describe('an unreadable act of an administrator', () => {
  it.each([
    ['half a body', '{"seat":', {}, 400, 'unreadable'],
    ['another type', '{"seat":0}', { 'Content-Type': 'text/plain' }, 415, 'not-json'],
    ['a key that is too short', '{"seat":0}', { 'Idempotency-Key': 'short' }, 400, 'unreadable'],
    ['too much', `"${'y'.repeat(65_536)}"`, {}, 413, 'too-large'],
  ])('is audited with its refusal and not carried out: %s', async (_, body, headers, status, outcome) => {
    const [tokens, audit] = [memoryTokens(), memoryAuditLog()];
    const site = await startTestWeb({}, { tokens, audit });
    try {
      site.addTable('t1', { rules: 'maw', seats: [{ kind: 'person' }, { kind: 'person' }] });
      const sent = { 'Authorization': `Bearer ${ADMIN}`, 'Content-Type': 'application/json', ...headers };
      expect(await site.raw('POST', '/tables/t1/revoke', body, sent)).toMatchObject({ status });
      expect(await audit.list({ limit: 9 })).toMatchObject([{ what: 'POST /tables/:table/revoke', about: { table: 't1' }, outcome }]);
      expect(await tokens.revocations(0)).toEqual([]);
    } finally {
      await site.close();
    }
  });
});

describe('an administrator who disconnects before the act', () => {
  const opened: TestWeb[] = [];
  afterEach(async () => {
    for (const site of opened.splice(0)) await site.close();
  });
  const acting = async (body: string, length = body.length) => {
    const [tokens, audit] = [memoryTokens(), memoryAuditLog()];
    const held = Promise.withResolvers<void>();
    let writes = 0;
    const slow = {
      ...audit,
      write: async (act: Parameters<typeof audit.write>[0]) => {
        writes += 1;
        await held.promise;
        return audit.write(act);
      },
    };
    const site = await startTestWeb({ busRequestMs: 600_000 }, { tokens, audit: slow });
    opened.push(site);
    site.addTable('t1', { rules: 'maw', seats: [{ kind: 'person' }, { kind: 'person' }] });
    const socket = connect({ port: Number(new URL(site.url).port), host: '127.0.0.1' });
    await once(socket, 'connect');
    const head = `POST /tables/t1/revoke HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ADMIN}\r\nContent-Type: application/json`;
    socket.write(`${head}\r\nContent-Length: ${length}\r\n\r\n${body}`);
    return { socket, tokens, audit, begun: () => writes > 0, release: () => held.resolve() };
  };

  it('does nothing, as the audit log shows', async () => {
    const { socket, tokens, audit, begun, release } = await acting('{"seat":0}');
    await pollUntil('the entry', begun);
    socket.destroy();
    await pollUntil('the end of the connection', async () => (await metrics.connections.get()).values.every(({ value }) => value === 0));
    release();
    await pollUntil('what came of it', async () => (await audit.list({ limit: 1 }))[0]?.outcome === 'failed');
    expect(await tokens.revocations(0)).toEqual([]);
    expect(await audit.list({ limit: 9 })).toMatchObject([{ what: 'POST /tables/:table/revoke', outcome: 'failed' }]);
  });

  it('with half a body leaves no audit entry', async () => {
    const { socket, tokens, audit, begun, release } = await acting('{"se', 10);
    release();
    metrics.requests.reset();
    await pollUntil('the connection', async () => (await metrics.connections.get()).values.some(({ value }) => value === 1));
    socket.end();
    await pollUntil('the count', async () => (await counted('POST /tables/:table/revoke')).length === 1);
    expect([begun(), await tokens.revocations(0), await audit.list({ limit: 9 })]).toEqual([false, [], []]);
  });
});

const counted = async (route: string) => {
  const { values } = await metrics.requests.get();
  return values.flatMap(({ labels, value }) => (labels.route === route ? [[labels.status, value]] : []));
};
