import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { logger } from '@maw/telemetry/log.ts';
import { registry } from '@maw/telemetry/metrics.ts';
import { serverAt, eventually, fakeOllama, type FakeOllama } from '../fake-ollama.suite.ts';
import { ADMIN, BOT, type Given, OTHER, httpGateway, type HttpGateway, keeper } from './http-server.suite.ts';

const keep = keeper();

let server: FakeOllama;
beforeEach(async () => {
  server = keep(await fakeOllama());
});
const open = async (given: Partial<Given> = {}): Promise<HttpGateway> =>
  keep(await httpGateway({ servers: [serverAt(server.url)], ...given }));
const piece = (content: string) => ({ model: 'm:latest', message: { role: 'assistant', content }, done: false });

describe('the HTTP API', () => {
  it('answers 401 without a valid key', async () => {
    const { ask } = await open();
    for (const [key, code] of [
      [null, 'no-key'],
      ['another-key-0123456789', 'bad-key'],
    ] as const)
      for (const path of ['/v1/models', '/admin/status']) {
        const { status, headers, body } = await ask(path, undefined, { key });
        expect([status, headers.get('www-authenticate'), body.error.code]).toEqual([401, 'Bearer', code]);
      }
    expect((await ask('/v1/models', undefined, { key: null, headers: { authorization: `bearer  ${BOT} ` } })).status).toBe(200);
    expect((await ask('/v1/models', undefined, { key: null, headers: { authorization: `Basic ${BOT}` } })).status).toBe(401);
  });

  it('limits requests without a valid key by address; valid keys still pass', async () => {
    let time = Date.now();
    const { ask } = await open({ now: () => time });
    const guess = async (key: string | null = 'another-key-0123456789') => {
      const { status, headers } = await ask('/v1/models', undefined, { key });
      return [status, headers.get('retry-after-ms')];
    };
    for (let i = 0; i < 200; i++) expect(await guess(i % 2 ? undefined : null)).toEqual([401, null]);
    expect(await guess()).toEqual([429, '50']);
    expect(await guess(BOT)).toEqual([200, null]);
    time += 50; // twenty a second
    expect([await guess(), await guess()]).toEqual([
      [401, null],
      [429, '50'],
    ]);
  });

  it('refuses admin routes to keys that are not admin', async () => {
    const { ask } = await open();
    for (const [path, body, method] of [
      ['/admin/status', undefined, 'GET'],
      ['/admin/servers', undefined, 'GET'],
      ['/admin/limits', undefined, 'GET'],
      ['/admin/servers', { act: 'remove', server: 'x' }, 'POST'],
      ['/admin/limits', { agentRpm: 0 }, 'PUT'],
    ] as const)
      expect(await ask(path, body, { method })).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
    expect((await ask('/admin/status', undefined, { key: ADMIN })).status).toBe(200);
  });

  it('with MAW_OPEN accepts anybody on this machine, but no foreign web page', async () => {
    const { ask, url } = await open({ http: { isOpen: true, keys: [] } });
    for (const key of [null, 'whatever']) expect((await ask('/admin/status', undefined, { key })).status).toBe(200);
    const port = new URL(url).port;
    const asked = async (host: string) => {
      const undici = await import('undici');
      const { statusCode, body } = await undici.request(`${url}/v1/models`, { headers: { host } });
      await body.dump();
      return statusCode;
    };
    for (const [host, status] of [
      [`localhost:${port}`, 200],
      [`[::1]:${port}`, 200],
      ['rebound.example', 401],
      ['127.0.0.1.example', 401],
    ] as const)
      expect([host, await asked(host)]).toEqual([host, status]);
    // What a foreign web page can send without a CORS preflight.
    const { status, body } = await ask('/admin/limits', '{"agentRpm":1}', {
      key: null,
      method: 'PUT',
      headers: { 'content-type': 'text/plain' },
    });
    expect([status, body.error.code]).toEqual([415, 'not-json']);
  });

  it('refuses to start open on a public address, without keys, or on a used port', async () => {
    await expect(open({ http: { isOpen: true, host: '0.0.0.0' } })).rejects.toThrow(/open to everybody at 0\.0\.0\.0: listen on 127/);
    await expect(open({ http: { keys: [] } })).rejects.toThrow(/nobody has a key/);
    const { url } = await open();
    await expect(open({ http: { port: Number(new URL(url).port) } })).rejects.toThrow(/cannot listen at 127\.0\.0\.1:\d+: it is in use/);
  });

  it('never logs or shows a key', async () => {
    const lines: string[] = [];
    const log = logger('llm-gateway', { level: 'debug', destination: { write: (line) => void lines.push(line) } });
    const { chat, ask, status } = await open({ log });
    const answer = chat('hello');
    (await server.call('hello')).answer('x');
    await answer;
    await chat('x', { n: 2 });
    await ask('/v1/models', undefined, { key: 'a-key-nobody-knows-0123' });
    await ask('/admin/limits', { agentRpm: 0 }, { key: ADMIN, method: 'PUT' });
    const shown = [...lines, await registry.metrics(), JSON.stringify(await status())].join('\n');
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.filter((line) => line.includes('an HTTP request failed'))).toEqual([]); // refusals are no failures
    for (const key of [BOT, ADMIN, 'a-key-nobody-knows-0123']) expect(shown).not.toContain(key);
    for (const { headers } of server.calls) expect(JSON.stringify(headers)).not.toContain(BOT);
  });

  it('answers a malformed request with status and reason', async () => {
    const { ask } = await open();
    const chat = '/v1/chat/completions';
    const json = { 'content-type': 'application/json' };
    for (const [path, body, how, status, code] of [
      [chat, '{', {}, 400, 'unreadable'],
      [chat, '"\ud800"', {}, 400, 'unreadable'],
      [chat, 'a=b', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 415, 'not-json'],
      [chat, '{}', { headers: { ...json, 'content-encoding': 'gzip' } }, 415, 'not-json'],
      [chat, JSON.stringify('x'.repeat(2_097_152)), {}, 413, 'too-large'],
      [chat, JSON.stringify('x'.repeat(2_097_150)), {}, 400, 'unreadable'],
      [chat, '{}', { headers: { 'x-maw-deadline-ms': 'soon' } }, 400, 'unreadable'],
      [chat, '{}', { headers: { 'x-maw-deadline-ms': '0' } }, 400, 'unreadable'],
      [chat, '{"messages":[{"role":"user","content":"x"}]}', { headers: { 'idempotency-key': 'a b' } }, 400, 'unreadable'],
      ['/v1/nothing', undefined, {}, 404, 'unknown-route'],
      ['/', undefined, {}, 404, 'unknown-route'],
    ] as const)
      expect([path, await ask(path, body, how)]).toMatchObject([path, { status, body: { error: { code } } }]);
    const wrong = await ask('/v1/models', {});
    expect([wrong.status, wrong.headers.get('allow'), wrong.body.error.code]).toEqual([405, 'GET', 'wrong-method']);
    expect((await ask('/admin/servers', undefined, { method: 'DELETE' })).headers.get('allow')).toBe('GET, POST');
  });

  it('limits a body of unknown length as one of known length', async () => {
    const { url } = await open();
    const headers = { 'authorization': `Bearer ${BOT}`, 'content-type': 'application/json' };
    const sending = request(`${url}/v1/chat/completions`, { method: 'POST', headers });
    sending.on('error', () => undefined); // it may be cut off while it goes on
    const block = Buffer.alloc(65_536, 32);
    let sent = 0;
    let isAnswered = false;
    const answered = once(sending, 'response').finally(() => (isAnswered = true)) as Promise<[IncomingMessage]>;
    while (!isAnswered && sent < 100 * 2 ** 20) {
      sent += block.length;
      if (!sending.write(block)) await Promise.race([once(sending, 'drain'), answered]);
    }
    const [response] = await answered;
    sending.destroy();
    expect([response.statusCode, response.headers.connection]).toEqual([413, 'close']);
    expect(sent).toBeLessThan(50 * 2 ** 20);
  });
});

describe('limits over HTTP', () => {
  it('give the exact Retry-After and admit at that time', async () => {
    let skew = 0;
    const began = Date.now();
    const { chat } = await open({ now: () => began + skew, options: { agentRpm: 7, agentBurst: 1 } });
    const first = chat('a');
    (await server.call('a')).answer('x');
    expect((await first).status).toBe(200);
    const refused = async (key = 'the-same') => {
      const { status, headers, body } = await chat('b', {}, { headers: { 'idempotency-key': key } });
      return [status, body.error.code, body.error.type, headers.get('retry-after'), headers.get('retry-after-ms')];
    };
    expect(await refused()).toEqual([429, 'limited', 'rate_limit_error', '9', '8572']); // 60 000 / 7
    skew = 8_571;
    expect(await refused()).toEqual([429, 'limited', 'rate_limit_error', '1', '1']);
    skew = 8_572;
    const later = chat('b', {}, { headers: { 'idempotency-key': 'the-same' } });
    (await server.call('b')).answer('y');
    expect((await later).status).toBe(200);
    const other = chat('c', {}, { key: OTHER });
    (await server.call('c')).answer('z');
    expect((await other).status).toBe(200);
  });

  it('on concurrency count HTTP requests', async () => {
    const { chat } = await open({ options: { agentConcurrency: 1 } });
    const first = chat('a');
    await server.call('a');
    const { status, headers } = await chat('b');
    expect([status, headers.get('retry-after')]).toEqual([429, '1']);
    (await server.call('a')).answer('x');
    expect((await first).status).toBe(200);
    const next = chat('b');
    (await server.call('b')).answer('x');
    expect((await next).status).toBe(200);
  });

  it('on daily tokens allow a retry tomorrow; game budgets never do', async () => {
    const noon = Date.UTC(2026, 0, 1, 12);
    const { chat } = await open({ now: () => noon, options: { tenantTokensPerDay: 200 } });
    const first = chat('first');
    (await server.call('first')).answer('x', { prompt_eval_count: 100, eval_count: 100 });
    expect((await first).status).toBe(200);
    const { status, headers } = await chat('a');
    expect([status, headers.get('retry-after'), headers.get('x-should-retry')]).toEqual([429, String(12 * 3600), null]);
    const poor = await open({ options: { tenantTokensPerDay: 1 } }); // less than anything takes
    expect((await poor.chat('a')).headers.get('x-should-retry')).toBe('false');
    const other = await open({ options: { gameTokens: 1 } });
    const used = await other.chat('a');
    expect([used.status, used.headers.get('retry-after'), used.headers.get('x-should-retry')]).toEqual([429, null, 'false']);
  });
});

describe('an HTTP request', () => {
  it('runs once per idempotency key, caller and body', async () => {
    const { chat } = await open({ servers: [serverAt(server.url, 8)] });
    const how = { headers: { 'idempotency-key': 'once' } };
    const same = [chat('a', {}, how), chat('a', {}, how)];
    const others = [chat('a', { seed: 1 }, how), chat('a', {}, { ...how, key: OTHER }), chat('a'), chat('a')];
    await eventually('five calls', () => server.calls.length === 5);
    for (const [n, call] of server.calls.entries()) call.answer(`answer ${n}`);
    const [one, two] = await Promise.all(same);
    expect(one!.body).toEqual({ ...two!.body, created: one!.body.created });
    await Promise.all(others);
    expect((await chat('a', {}, how)).body.choices).toEqual(one!.body.choices);
    expect(server.calls).toHaveLength(5);
  });

  it('that repeats a stream receives the whole answer', async () => {
    const { stream } = await open();
    const how = { headers: { 'idempotency-key': 'once' } };
    const first = stream('a', {}, how);
    const call = await server.call('a');
    call.write(piece('one '));
    const heard = await first;
    const second = stream('a', {}, how);
    call.answer('two');
    await heard.ended();
    const also = await second;
    expect([await also.ended(), also.said(), heard.said()]).toEqual(['done', 'one two', 'one two']);
    expect(server.calls).toHaveLength(1);
  });

  it('that failed runs again when it is repeated', async () => {
    const { chat } = await open();
    const how = { headers: { 'idempotency-key': 'once' } };
    const first = chat('a', {}, how);
    (await server.call('a')).fail(500, 'no');
    expect(await first).toMatchObject({ status: 502, body: { error: { code: 'failed', type: 'server_error' } } });
    const again = chat('a', {}, how);
    (await server.call('a')).answer('x');
    expect((await again).status).toBe(200);
  });

  it('is answered 504 at its deadline, queued or running, aborting the model call', async () => {
    let now = Date.now();
    const { chat, waits } = await open({ now: () => now });
    const running = chat('a', {}, { headers: { 'x-maw-deadline-ms': '50' } });
    const call = await server.call('a');
    const waiting = chat('b', {}, { headers: { 'x-maw-deadline-ms': '50' } });
    await waits(1);
    now += 50;
    for (const answer of [waiting, running]) {
      const { status, body, headers } = await answer;
      expect([status, body.error.code, headers.get('x-should-retry')]).toEqual([504, 'late', 'false']);
    }
    await eventually('the close', () => call.isAborted);
    expect(server.calls).toHaveLength(1);
  });

  it('cannot extend its deadline beyond maxRequestMs', async () => {
    const { chat } = await open({ options: { maxRequestMs: 50 } });
    expect((await chat('a', {}, { headers: { 'x-maw-deadline-ms': '999999' } })).status).toBe(504);
  });

  it.each(['before it starts', 'in prefill', 'in the middle of a stream', 'in the middle of an answer'])(
    'aborted %s ends the model call and frees its slot',
    async (when) => {
      const { chat, stream, status, waits } = await open();
      const gone = new AbortController();
      const how = { signal: gone.signal };
      if (when === 'before it starts') {
        const first = chat('first');
        const call = await server.call('first');
        const given = chat('never', {}, how).catch((error: Error) => error.name);
        await waits(1);
        gone.abort();
        expect(await given).toBe('AbortError');
        await waits(0);
        call.answer('x');
        expect((await first).status).toBe(200);
      } else {
        const isStream = when.endsWith('stream');
        const given = (isStream ? stream('given up', {}, how) : chat('given up', {}, how)).catch((error: Error) => error.name);
        const call = await server.call('given up');
        if (when !== 'in prefill') call.write(piece('one'));
        if (isStream) await ((await given) as Awaited<ReturnType<HttpGateway['stream']>>).hears('one');
        gone.abort();
        await eventually('the close', () => call.isAborted);
      }
      const next = chat('next');
      (await server.call('next')).answer('x');
      expect((await next).status).toBe(200);
      expect(server.calls.map(({ last }) => last)).not.toContain('never');
      expect((await status()).servers).toMatchObject([{ busy: 0 }]);
    },
  );
});

describe('a stream that fails', () => {
  const two = async () => {
    const other = keep(await fakeOllama());
    return { other, ...(await open({ servers: [serverAt(server.url), serverAt(other.url)] })) };
  };
  const atWork = (...all: FakeOllama[]) => eventually('a call', () => all.find((one) => one.open().length === 1));

  it('ends with an error after the first piece, and is not retried', async () => {
    const { stream, other } = await two();
    const asked = stream('tell');
    const first = await atWork(server, other);
    first.open()[0]!.write(piece('Once'));
    const heard = await asked;
    await heard.hears('Once');
    first.open()[0]!.cut();
    expect(await heard.ended()).toBe('ended');
    expect(heard.events.at(-1)).toEqual({
      error: { message: expect.stringMatching(/connection/), type: 'server_error', param: null, code: 'failed' },
    });
    expect(server.calls.length + other.calls.length).toBe(1);
  });

  it('is retried on another server before the first piece', async () => {
    const { stream, other } = await two();
    const asked = stream('tell');
    const first = await atWork(server, other);
    first.open()[0]!.cut();
    const second = first === server ? other : server;
    (await second.call('tell')).answer('there');
    const heard = await asked;
    expect([await heard.ended(), heard.said()]).toEqual(['done', 'there']);
  });

  it('ends with an error instead of [DONE] when the answer breaks its format', async () => {
    const { stream } = await open();
    const asked = stream('vote', { response_format: { type: 'json_object' } });
    (await server.call('vote')).answer('not json');
    const heard = await asked;
    expect([heard.status, await heard.ended()]).toEqual([200, 'ended']);
    const error = { code: 'invalid-answer', message: expect.stringContaining('not JSON'), content: 'not json' };
    expect(heard.events.at(-1)).toMatchObject({ error });
    expect(server.calls).toHaveLength(1);
  });

  it('without pieces sent is repaired', async () => {
    const { chat } = await open();
    const answer = chat('vote', { response_format: { type: 'json_object' } });
    (await server.call('vote')).answer('not json');
    (await eventually('the repair', () => server.open()[0])).answer('{}');
    expect((await answer).body.choices[0].message.content).toBe('{}');
  });

  it('before its first piece is answered with an error status', async () => {
    const { stream } = await open();
    const asked = stream('tell');
    (await server.call('tell')).fail(400, 'no such thing');
    expect((await asked).status).toBe(502);
  });
});

describe('a gateway that shuts down', () => {
  it('completes running requests within the grace time and refuses the rest', async () => {
    const one = await httpGateway({ servers: [serverAt(server.url)], http: { graceMs: 8_000 } });
    const finished = one.chat('in time');
    const call = await server.call('in time');
    const closed = one.close();
    await eventually('the listener to close', () =>
      fetch(one.url).then(
        () => false,
        () => true,
      ),
    );
    call.answer('done');
    expect((await finished).body.choices[0].message.content).toBe('done');
    await closed;

    const two = await httpGateway({ servers: [serverAt(server.url)], http: { graceMs: 20 } });
    const given = two.chat('not in time');
    const hung = await server.call('not in time');
    await two.close();
    const { status, headers, body } = await given;
    expect([status, body.error.code, headers.get('x-maw-standby'), headers.get('retry-after')]).toEqual([503, 'standby', '1', '1']);
    await eventually('the close', () => hung.isAborted);
  });
});
