import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../fake-ollama.suite.ts';
import type { Leader } from '../leader.ts';
import { readJsonBytes } from '@maw/http/json-body.ts';
import { disconnectSignal, sendJson } from '@maw/http/response.ts';
import { forwarder, STANDBY } from './forward.ts';
import { problemOf } from './http-problem.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});

async function listening(hear: (req: IncomingMessage, res: ServerResponse) => Promise<void>): Promise<string> {
  const server = createServer({ keepAliveTimeout: 0 }, (req, res) => void hear(req, res));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push({
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An HTTP server that only forwards, to the leader that the test names. */
async function standby(locate: () => Promise<Leader>, { patienceMs = 50, deadlineMs = 60_000 } = {}) {
  let doubts = 0;
  let skew = 0;
  const leader = { locate, confirmSelf: () => undefined, resign: () => undefined, invalidate: () => void doubts++ };
  const forwarding = forwarder({ leader, instance: 'me', now: () => Date.now() + skew });
  opened.push(forwarding);
  const url = await listening(async (req, res) => {
    try {
      const body = await readJsonBytes(req, 1_000);
      const caller = { agent: 'a', tenant: 't', isAdmin: false };
      const call = {
        req,
        res,
        caller,
        body,
        disconnected: disconnectSignal(res, () => new Error('gone')),
        deadline: Date.now() + deadlineMs,
      };
      if (!(await forwarding.forward(call, patienceMs))) sendJson(res, 200, 'here');
    } catch (error) {
      const problem = problemOf(error);
      if (problem) sendJson(res, problem.status, problem.message, problem.headers);
    }
  });
  const post = (path = '/v1/x', headers: Record<string, string> = {}, signal = new AbortController().signal) =>
    fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: '{"a":1}', signal });
  return { post, doubts: () => doubts, skip: (ms: number) => void (skew += ms) };
}

interface Heard {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly body: string;
}
async function fakeLeader(): Promise<{ url: string; heard: Heard[] }> {
  const heard: Heard[] = [];
  const url = await listening(async (req, res) => {
    let body = '';
    for await (const chunk of req) body += String(chunk);
    heard.push({ req, res, body });
  });
  return { url, heard };
}

describe('a request at a standby', () => {
  it('is forwarded unchanged, except for hop-by-hop headers', async () => {
    const { url, heard } = await fakeLeader();
    const { post } = await standby(async () => ({ instance: 'other', httpUrl: url }));
    const answer = post('/v1//x?y=1', { 'authorization': 'Bearer k', 'te': 'trailers', 'x-maw-deadline-ms': '99999999' });
    const { req, res, body } = await eventually('the request', () => heard[0]);
    expect([req.method, req.url, body, req.headers.authorization]).toEqual(['POST', '/v1/x', '{"a":1}', 'Bearer k']);
    expect(req.headers).toMatchObject({ 'x-maw-forwarded': 'me', 'idempotency-key': expect.any(String), 'host': url.slice(7) });
    expect(req.headers.te).toBeUndefined();
    expect(Number(req.headers['x-maw-deadline-ms'])).toBeLessThanOrEqual(60_000);
    expect(Number(req.headers['x-maw-deadline-ms'])).toBeGreaterThan(0);
    res.writeHead(418, { 'x-own': 'yes', 'connection': 'close' }).end('{"b":2}');
    const { status, headers } = await answer;
    expect([status, headers.get('x-own'), headers.get('content-length')]).toEqual([418, 'yes', '7']);
  });

  it('is never forwarded to a host named in its path', async () => {
    const { url, heard } = await fakeLeader();
    const { post } = await standby(async () => ({ instance: 'other', httpUrl: url }));
    const answer = post('//127.0.0.1:9/v1/x');
    const { req, res } = await eventually('the request', () => heard[0]);
    expect(req.url).toBe('/127.0.0.1:9/v1/x');
    res.end('{}');
    expect((await answer).status).toBe(200);
  });

  it('is retried with the same key after a refusal, disconnect or partial answer', async () => {
    const { url, heard } = await fakeLeader();
    const { post, doubts } = await standby(async () => ({ instance: 'other', httpUrl: url }), { patienceMs: 10_000 });
    for (const key of [undefined, 'own']) {
      heard.length = 0;
      const answer = post('/v1/x', key === undefined ? {} : { 'idempotency-key': key });
      const nth = (n: number) => eventually(`try ${n}`, () => heard[n]);
      (await nth(0)).res.writeHead(503, { [STANDBY]: '1' }).end('{}');
      (await nth(1)).req.socket.destroy();
      const half = await nth(2);
      half.res.writeHead(200, { 'content-type': 'application/json', 'content-length': '9' }).write('{"a"');
      await new Promise((resolve) => setImmediate(resolve));
      half.req.socket.destroy();
      const silent = await nth(3);
      silent.res.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: ha');
      await new Promise((resolve) => setImmediate(resolve));
      silent.req.socket.destroy();
      (await nth(4)).res.writeHead(200, { 'content-type': 'text/event-stream' }).end();
      (await nth(5)).res.end('{"done":true}');
      expect(await (await answer).json()).toEqual({ done: true });
      const keys = new Set(heard.map(({ req }) => req.headers['idempotency-key']));
      expect([keys.size, key === undefined || keys.has(key)]).toEqual([1, true]);
    }
    expect(doubts()).toBe(10);
  });

  it('with part of a stream delivered ends with an error event', async () => {
    const { url, heard } = await fakeLeader();
    const { post } = await standby(async () => ({ instance: 'other', httpUrl: url }));
    const answer = post();
    const { req, res } = await eventually('the request', () => heard[0]);
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.write('data: one\n\ndata: tw');
    const body = (await answer).body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await body.read()).value).toBe('data: one\n\n');
    req.socket.destroy();
    let rest = '';
    for (let part = await body.read(); !part.done; part = await body.read()) rest += part.value;
    expect(rest).toMatch(/^data: \{"error":\{"message":"the leader was lost.*\}\}\n\n$/);
  });

  it('aborted by its caller is aborted at the leader, without doubting the leader', async () => {
    const { url, heard } = await fakeLeader();
    const { post, doubts } = await standby(async () => ({ instance: 'other', httpUrl: url }));
    const gone = new AbortController();
    const answer = post('/v1/x', {}, gone.signal).catch((error: Error) => error.name);
    const { res } = await eventually('the request', () => heard[0]);
    gone.abort();
    expect(await answer).toBe('AbortError');
    await eventually('the close', () => res.destroyed);
    expect([doubts(), heard.length]).toEqual([0, 1]);
  });

  it('is handled here once this gateway is the leader', async () => {
    let asked = 0;
    const { url } = await fakeLeader();
    const { post } = await standby(
      async () => (++asked < 3 ? { instance: 'other', httpUrl: `${url}/gone`.replace(/:\d+/, ':9') } : { instance: 'me' }),
      {
        patienceMs: 10_000,
      },
    );
    expect(await (await post()).json()).toBe('here');
    expect(asked).toBe(3);
  });

  it('looks for a new leader when one dies after long work', async () => {
    const { url, heard } = await fakeLeader();
    const found: (() => Leader)[] = [
      () => ({ instance: 'other', httpUrl: url }),
      () => {
        throw new Error('nobody yet');
      },
    ];
    const { post, skip } = await standby(async () => (found.shift() ?? (() => ({ instance: 'me' })))(), { patienceMs: 30_000 });
    const answer = post();
    const [{ req }] = await eventually('the request', () => (heard.length ? (heard as [Heard]) : undefined));
    skip(40_000);
    req.socket.destroy();
    expect(await (await answer).json()).toBe('here');
  });

  it('is answered 503 when no leader is found in time', async () => {
    const { post } = await standby(() => Promise.reject(new Error('nobody')));
    const answer = await post();
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
      503,
      '1',
      'there is no leader at the moment; ask again',
    ]);
  });

  it('is answered 504 at its deadline', async () => {
    const { url, heard } = await fakeLeader();
    // The forwarder waits a second longer than the leader.
    const { post } = await standby(async () => ({ instance: 'other', httpUrl: url }), { deadlineMs: -950 });
    expect((await post()).status).toBe(504);
    await eventually('the close', () => heard.every(({ req }) => req.socket.destroyed));
  });
});
