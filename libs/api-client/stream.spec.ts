import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createClient } from './client.ts';
import { type Following, followStream, type Link } from './stream.ts';

type Reply = (res: ServerResponse, after: string) => void;

/** What the server does with each connection, in turn; the last with all further ones. */
let replies: Reply[] = [];
let opened: string[] = [];
const server = createServer((req, res) => {
  const after = new URL(req.url!, 'http://x').searchParams.get('after')!;
  opened.push(after);
  (replies.length > 1 ? replies.shift()! : replies[0]!)(res, after);
});
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const seen = (n: number) => `id: ${n}\nevent: seen\ndata: {"n":${n}}\n\n`;
/** Says something, and then ends. */
const says =
  (text: string): Reply =>
  (res) =>
    void res.end(text);
/** Says something, and then breaks the connection. */
const breaks =
  (text: string): Reply =>
  (res) =>
    void res.write(text, () => res.destroy());
const hangs =
  (text: string): Reply =>
  (res) =>
    void res.write(text);
const fails =
  (status: number): Reply =>
  (res) =>
    void res.writeHead(status, { 'Content-Type': 'application/problem+json' }).end('{"reason":"no","detail":"no"}');

/** Follows a server that does this in turn, until its last event came. */
async function follow(given: readonly Reply[], until: number, more: Following = {}) {
  replies = [...given];
  opened = [];
  const numbers: number[] = [];
  const links: Link[] = [];
  const pauses: number[] = [];
  const client = createClient({ at: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: undefined, retryMs: 0 });
  const open = (signal: AbortSignal) => client.open('/tables/:table/events', { table: 't1', after: numbers.at(-1) ?? 0 }, { signal });
  const pause = async (ms: number): Promise<void> => void pauses.push(ms);
  const onLink = (link: Link): void => void (links.at(-1) !== link && links.push(link));
  for await (const { data } of followStream(open, { pause, onLink, ...more })) {
    numbers.push((data as { n: number }).n);
    if (numbers.at(-1) === until) break;
  }
  return { numbers, links, pauses };
}

it('goes on after the last event, wherever the stream ends or is cut', async () => {
  const cut = breaks(seen(1) + seen(2) + seen(3).slice(0, 12));
  expect(await follow([cut, says(`: still here\n\n${seen(3)}`), says(seen(4))], 4)).toMatchObject({
    numbers: [1, 2, 3, 4],
    links: ['live', 'lost', 'live', 'lost', 'live'],
  });
  expect(opened).toEqual(['0', '2', '3']);
});

it('gives a stream up that says nothing for two keep-alives, and opens another', async () => {
  const byPosition: Reply = (res, after) => (after === '0' ? hangs(seen(1)) : says(seen(2)))(res, after);
  const { numbers, links } = await follow([byPosition], 2, { silenceMs: 30 });
  expect(numbers).toEqual([1, 2]);
  expect(links.slice(-3)).toEqual(['live', 'lost', 'live']); // a busy machine may have lost others before
});

it('gives a connection up that is not answered for as long', async () => {
  expect((await follow([() => undefined, says(seen(1))], 1, { silenceMs: 30 })).numbers).toEqual([1]);
});

it('waits longer and longer for a server that greets and then breaks', async () => {
  const { pauses } = await follow([...Array.from({ length: 4 }, () => says('retry: 2000\n\n')), says(seen(1))], 1);
  expect(pauses.every((ms, i) => ms >= 300 * 2 ** i)).toBe(true);
  expect(pauses).toHaveLength(4);
});

it('tries again after a failure of the server, but not after a refusal', async () => {
  expect((await follow([fails(503), breaks(''), fails(429), says(seen(1))], 1)).numbers).toEqual([1]);
  await expect(follow([fails(403)], 1)).rejects.toMatchObject({ status: 403 });
});

it('gives up when no event has come for as long as its reader waits', async () => {
  const away = Array.from({ length: 9 }, () => fails(503));
  await expect(follow([says(seen(1)), ...away], 2, { forMs: 3_000 })).rejects.toMatchObject({ status: 503 });
  expect(opened.length).toBeLessThan(6);
});

it('ends when its reader leaves, also while nothing comes', async () => {
  const left = new AbortController();
  const onLink = () => left.abort();
  expect((await follow([hangs(': hello\n\n')], 1, { signal: left.signal, onLink })).numbers).toEqual([]);
});
