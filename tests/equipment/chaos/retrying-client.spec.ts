import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { type Event, retryingClient } from './retrying-client.ts';

type Does = (req: IncomingMessage, res: ServerResponse) => void;

let server: Server;
let answers: Does[];
let asked: { readonly method: string | undefined; readonly key: unknown; readonly last: unknown; readonly token: unknown }[];
let door: string;
beforeEach(async () => {
  [answers, asked] = [[], []];
  server = createServer((req, res) => {
    const { 'idempotency-key': key, 'last-event-id': last, 'authorization': token } = req.headers;
    asked.push({ method: req.method, key, last, token });
    answers.shift()!(req, res);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  door = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const json =
  (status: number, body: unknown): Does =>
  (_, res) =>
    res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const broken: Does = (_, res) => void res.destroy();
const at = () => retryingClient([door], diceOf('seed', 'client'), new AbortController().signal);

describe('a client', () => {
  it('retries with the same key until it gets a response', async () => {
    answers.push(broken, json(504, { reason: 'late' }), json(200, { at: 1 }));
    expect(await at().post('/x', {}, 'token', 60_000)).toEqual({ status: 200, body: { at: 1 } });
    expect(asked).toHaveLength(3);
    expect(new Set(asked.map(({ key }) => key)).size).toBe(1);
    expect(asked[0]).toMatchObject({ method: 'POST', key: expect.stringMatching(/^[\x21-\x7e]{16,}$/), token: 'Bearer token' });
  });

  it('accepts a refusal, and uses another key for another request', async () => {
    answers.push(json(409, { reason: 'room-closed' }), json(409, { reason: 'room-closed' }));
    const here = at();
    for (let n = 0; n < 2; n++) expect(await here.post('/x', {}, 't', 60_000)).toEqual({ status: 409, body: { reason: 'room-closed' } });
    expect(asked[0]!.key).not.toBe(asked[1]!.key);
  });

  it('fails at its deadline without a response', async () => {
    answers.push(json(500, { reason: 'failed' }));
    expect((await at().post('/x', {}, 't', 0)).status).toBe(0);
    expect(asked).toHaveLength(1);
  });

  it('resumes a table after broken streams', async () => {
    const stream =
      (...frames: readonly (readonly [event: string, data: unknown])[]): Does =>
      (_, res) => {
        res.writeHead(200, { 'content-type': 'text/event-stream' });
        res.write(frames.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join(''), () => res.destroy());
      };
    answers.push(
      broken,
      stream(['seen', { n: 1 }], ['asked', { asked: [{ id: 'q' }] }], ['seen', { n: 2 }]),
      json(503, {}),
      stream(['seen', { n: 3 }], ['over', {}]),
    );
    const news: Event[] = [];
    for await (const event of at().follow('t1', 'token')) news.push(event);
    expect(news.map((one) => (one.event === 'seen' ? one.n : one.event))).toEqual([1, 'asked', 2, 3, 'over']);
    expect(asked.map(({ last }) => last)).toEqual(['0', '0', '2', '2']);
  });
});
