import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ClientOptions, createClient } from './client.ts';
import { ApiProblem } from './problem.ts';
import { asText, request } from './request.ts';
import { retryPause } from './retry.ts';

type Reply = (req: IncomingMessage, res: ServerResponse) => void;

/** What the server does with each request, in turn; the last one stays. */
let replies: Reply[] = [];
let requests: { readonly line: string; readonly key: string | undefined; readonly body: string }[] = [];
const server = createServer((req, res) => {
  let body = '';
  req.on('data', (piece: Buffer) => void (body += piece.toString()));
  req.on('end', () => {
    requests.push({ line: `${req.method} ${req.url}`, key: req.headers['idempotency-key'] as string | undefined, body });
    (replies.length > 1 ? replies.shift()! : replies[0]!)(req, res);
  });
});
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
afterAll(() => void server.close());
beforeEach(() => {
  replies = [json({})];
  requests = [];
});

const json =
  (body: object, status = 200, headers: Record<string, string> = {}): Reply =>
  (_, res) =>
    void res.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
const hangUp: Reply = (req) => void req.socket.destroy();
/** Breaks the connection within the answer. */
const breakOff: Reply = (_, res) => {
  res.writeHead(200, { 'Content-Length': '100' });
  res.write('{"tab', () => res.destroy());
};
const refuse = (status: number, headers: Record<string, string> = {}): Reply =>
  json({ reason: 'unavailable', title: 'That cannot be done just now', detail: 'the database does not answer' }, status, headers);

const address = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const clientOf = (more: Partial<ClientOptions> = {}) => createClient({ at: address(), token: undefined, retryMs: 60_000, ...more });
/** Waits for nothing, and keeps how long it should have waited. */
function patience() {
  const pauses: number[] = [];
  return { pauses, pause: async (ms: number) => void pauses.push(ms) };
}

describe('createClient', () => {
  it('fills the path and the query of a GET, encoded, and leaves out what is not given', async () => {
    await clientOf().get('/tables/:table/rooms/*room/who', { table: 't 1', room: 'round-1/Village', as: 'seat:3' });
    await clientOf().get('/tables', { limit: 5, search: '', stage: undefined });
    expect(requests.map(({ line }) => line)).toEqual(['GET /tables/t%201/rooms/round-1%2FVillage/who?as=seat%3A3', 'GET /tables?limit=5']);
  });

  it('sends the body of a POST, and what stands in the path nowhere else', async () => {
    await clientOf().post('/tables/:table/revoke', { table: 't1' }, { seat: 3 });
    expect(requests).toMatchObject([{ line: 'POST /tables/t1/revoke', body: '{"seat":3}' }]);
  });

  it.each([408, 429, 500, 502, 503, 504])('sends a GET again after the status %i', async (status) => {
    replies = [refuse(status), json({ tables: [] })];
    await expect(clientOf().get('/tables', {}, patience())).resolves.toEqual({ tables: [] });
    expect(requests).toHaveLength(2);
  });

  it('sends a GET again when no answer came, or only a part of it', async () => {
    replies = [hangUp, breakOff, json({ tables: [] })];
    const heard: number[] = [];
    const onFailure = ({ status }: ApiProblem) => void heard.push(status);
    await expect(clientOf().get('/tables', {}, { ...patience(), onFailure })).resolves.toEqual({ tables: [] });
    expect([requests.length, heard]).toEqual([3, [0, 0]]);
  });

  it('sends a POST again with the key that it had, and gives the next one another', async () => {
    replies = [hangUp, refuse(503), json({})];
    for (let n = 0; n < 2; n++) await clientOf().post('/tables/:table/pause', { table: 't1' }, {}, patience());
    const keys = requests.map(({ key }) => key);
    expect(keys).toEqual([keys[0], keys[0], keys[0], expect.not.stringMatching(keys[0]!)]);
    await clientOf().post('/tables/:table/pause', { table: 't1' }, {}, { key: 'of-an-earlier-try' });
    expect(requests.at(-1)!.key).toBe('of-an-earlier-try');
  });

  it('does not repeat a refusal, nor a request that is neither safe nor has a key', async () => {
    replies = [refuse(409)];
    await expect(clientOf().get('/tables', {}, patience())).rejects.toMatchObject({ status: 409, isTemporary: false });
    replies = [hangUp];
    const sent = request({ at: address(), token: undefined }, 'POST', '/admin/servers', asText, { body: {}, forMs: 60_000, ...patience() });
    await expect(sent).rejects.toMatchObject({ status: 0 });
    expect(requests).toHaveLength(2);
  });

  it('waits as long as the server asks for, and does not keep anybody waiting for minutes', async () => {
    const { pauses, pause } = patience();
    replies = [refuse(503, { 'Retry-After': '7' }), json({}), refuse(503, { 'Retry-After': '120' })];
    await clientOf().get('/tables', {}, { pause });
    expect(pauses).toEqual([expect.any(Number)]);
    expect(pauses[0]).toBeGreaterThanOrEqual(7_000);
    await expect(clientOf().get('/tables', {}, { pause })).rejects.toMatchObject({ status: 503, retryAfterMs: 120_000 });
    expect(requests).toHaveLength(3);
  });

  it('lets a POST that is on its way be answered although nobody waits any more', async () => {
    const left = new AbortController();
    replies = [(_, res) => (left.abort(), res.end('{"table":"t1"}'))];
    const answer = clientOf().post('/tables/:table/resume', { table: 't1' }, {}, { signal: left.signal });
    await expect(answer).resolves.toEqual({ table: 't1' });
  });

  it('ends when nobody waits any more', async () => {
    replies = [refuse(503, { 'Retry-After': '60' })];
    const left = new AbortController();
    const answer = clientOf({ retryMs: Infinity }).get('/tables', {}, { signal: left.signal, onFailure: () => left.abort('left') });
    await expect(answer).rejects.toBe('left');
  });
});

describe('the problems', () => {
  const problemOf = (hints: Record<string, string> = {}, at = address()) =>
    clientOf({ retryMs: 0, hints, at })
      .get('/tables', {})
      .then(
        () => undefined,
        (error: unknown) => error as ApiProblem,
      );

  it('say what the server says of it, every wrong field first, and what a person can do', async () => {
    replies = [json({ reason: 'unreadable', detail: 'query', errors: [{ field: 'limit', says: 'a whole number' }] }, 400)];
    expect(await problemOf()).toMatchObject({ status: 400, reason: 'unreadable', detail: 'limit: a whole number' });
    replies = [json({ reason: 'no-token', title: 'A token is needed' }, 401)];
    const hints = { 'no-token': 'give one with --token' };
    expect(await problemOf(hints)).toMatchObject({ status: 401, detail: 'A token is needed; give one with --token' });
    replies = [json({ error: { code: 'bad-key', message: 'the key is not known' } }, 401)];
    expect(await problemOf()).toMatchObject({ reason: 'bad-key', detail: 'the key is not known' });
  });

  it('say where nothing answers, and where something else does', async () => {
    const hints = { 'no-door': 'start one', 'http': 'name another' };
    expect((await problemOf(hints, 'http://127.0.0.1:1'))?.detail).toMatch(
      /^nothing answers at http:\/\/127\.0\.0\.1:1 \(.+\); start one$/,
    );
    const strange = { detail: expect.stringMatching(/ answers GET \/tables with \d+, and not as a service of MAW does; name another$/) };
    replies = [(_, res) => void res.writeHead(502).end('<html>'), (_, res) => void res.end('<html>')];
    expect(await problemOf(hints)).toMatchObject({ status: 502, reason: 'http-502', ...strange });
    expect(await problemOf(hints)).toMatchObject({ status: 200, reason: 'http-200', isTemporary: false, ...strange });
    expect((await problemOf({}, 'localhost'))?.detail).toContain('write http://host:port');
  });
});

it('retryPause doubles up to five seconds, follows the server, and differs among clients', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 99].map((failures) => retryPause(failures, undefined, 0));
  expect(pauses).toEqual([300, 600, 1_200, 2_400, 4_800, 5_000, 5_000]);
  const starting = new ApiProblem(503, 'starting', '', 7_000);
  expect([0, 0.5, 1].map((random) => retryPause(1, starting, random))).toEqual([7_000, 8_750, 10_500]);
});
