import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { pollUntil } from '@maw/async/poll-until.ts';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { WebSocketServer } from 'ws';
import { runMaw } from '../command.suite.ts';
import { readCliConfig } from '../config.ts';
import { type Capture, captures, withCaptures } from '@maw/aiwolf/client/captures.suite.ts';
import { askedIn, fakeServer } from '@maw/aiwolf/client/fake-server.suite.ts';
import { joinServer } from './join.ts';
import { naturalGame, protocolGame } from '@maw/aiwolf/client/packets.suite.ts';

const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

async function serve(division: Capture['division'], ...conversations: readonly (readonly string[])[]) {
  const server = await fakeServer({ division }, conversations);
  closing.push(server.close);
  return server;
}
const join = (args: readonly string[]) => runMaw(['aiwolf', 'join', ...args], { cwd: import.meta.dirname });

/** The form of an answer, by the request. */
const FORMS = {
  protocol: { NAME: /^maw$/, ROLE: /^none$/, target: /^\{"agentIdx":\d+\}$/ },
  natural: { NAME: /^maw1$/, ROLE: /^$/, target: /^[^,"\s]+$/ },
} as const;
function formOf({ division, packets }: Pick<Capture, 'division' | 'packets'>, request: string): RegExp {
  if (request === 'NAME' || request === 'ROLE') return FORMS[division][request];
  if (request !== 'TALK' && request !== 'WHISPER') return FORMS[division].target;
  const isProtocol = packets.some((packet) => packet.includes('gameSetting'));
  return isProtocol ? /^[^\n]+$/ : /^[^\n,]+$/;
}
function expectAnswers(conversation: Pick<Capture, 'division' | 'packets'>, received: readonly string[]): void {
  const asked = askedIn(conversation.packets);
  expect(received.length).toBe(asked.length);
  for (const [i, request] of asked.entries()) expect(received[i]).toMatch(formOf(conversation, request));
}

describe('maw aiwolf join', () => {
  it('plays a set of the protocol division on one connection, until the server closes it', async () => {
    const set = [...protocolGame.packets, ...protocolGame.packets.slice(1)];
    const server = await serve('protocol', set);
    const { code, out, err } = await join([server.address]);
    expect({ code, out }).toEqual({
      code: 0,
      out: `${'maw: the village wins; won as seer, alive on day 2\n'.repeat(2)}\nseat  role  games  won\nmaw   seer  2      2\n`,
    });
    expect(err).toContain('maw: a game of 3 begins; Agent[02] is seer, with 1000 ms for an answer');
    expect(server.received.length).toBe(1);
    expectAnswers({ division: 'protocol', packets: set }, server.received[0]!);
  });

  it('says that the foxes win', async () => {
    const server = await serve(
      'protocol',
      protocolGame.packets.toSpliced(-1, 1, protocolGame.packets.at(-1)!.replace('"1":"VILLAGER"', '"1":"FOX"')),
    );
    expect((await join([server.address])).out).toContain('maw: the foxes win; lost as seer, alive on day 2\n');
  });

  it('connects anew after each game of the natural-language division', async () => {
    const server = await serve('natural', naturalGame.packets);
    const { code, out } = await join([server.address, '--games', '2', '--json']);
    expect(code).toBe(0);
    expect(out.split('\n').filter((line) => line.includes('"ended"'))).toEqual(
      Array(2).fill('{"name":"maw1","type":"ended","role":"werewolf","winner":"werewolves","hasWon":true,"isAlive":true,"day":2}'),
    );
    expect(server.received.length).toBe(2);
    for (const received of server.received) expectAnswers(naturalGame, received);
  });

  it('takes several seats, each with a connection and a number', async () => {
    const server = await serve('protocol', protocolGame.packets);
    const { code } = await join([server.address, '--seats', '3', '--team', 'pack']);
    expect(code).toBe(0);
    expect(new Set(server.received.map(([name]) => name))).toEqual(new Set(['pack1', 'pack2', 'pack3']));
  });

  withCaptures('answers in every capture each request that wants an answer, and nothing else', async () => {
    const natural = captures.filter(({ division }) => division === 'natural');
    const messages = await serve('natural', ...natural.map(({ packets }) => packets));
    const { code } = await join([messages.address, '--games', String(natural.length)]);
    expect(code).toBe(0);
    for (const [i, capture] of natural.entries()) expectAnswers(capture, messages.received[i]!);
    for (const capture of captures.filter(({ division }) => division === 'protocol')) {
      const lines = await serve('protocol', capture.packets);
      expect((await join([lines.address])).code).toBe(0);
      expectAnswers(capture, lines.received[0]!);
    }
  });

  it('waits for a server that is not there, says so once, and plays when it is', async () => {
    const { address, close } = await serve('protocol', []);
    close();
    const { promise: told, resolve: tell } = Promise.withResolvers<string>();
    const write = jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
      tell(String(text));
      return true;
    });
    const printed = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    closing.push(() => [write, printed].forEach((each) => each.mockRestore()));
    const options = { mind: 'rules', seats: 1, team: 'maw', json: false };
    const joined = joinServer(address, options, readCliConfig({}), new AbortController().signal);
    expect(await told).toBe(`maw: ${new URL(address).host} cannot be reached (ECONNREFUSED); trying again until it is, Ctrl-C stops\n`);
    const server = await fakeServer({ division: 'protocol' }, [protocolGame.packets], Number(new URL(address).port));
    closing.push(server.close);
    expect(await joined).toBe(0);
    expectAnswers(protocolGame, server.received[0]!);
    expect(write.mock.calls.filter(([text]) => String(text).includes('cannot be reached')).length).toBe(1);
  });

  it('stops when it is interrupted, also while it tries to connect again', async () => {
    const server = await serve('natural', naturalGame.packets.slice(0, 1));
    const stop = new AbortController();
    const joined = runMaw(['aiwolf', 'join', server.address], { cwd: import.meta.dirname, signal: stop.signal });
    await pollUntil('a second connection', () => server.received.length > 1, { timeoutMs: 120_000, everyMs: 5 });
    stop.abort();
    expect((await joined).code).toBe(130);
  });

  it.each([
    ['it is not JSON: {"request":', ['{"request":']],
    [
      'at gameInfo.day: Invalid input: expected number, received string',
      [JSON.stringify({ request: 'FINISH', gameInfo: { agent: 1, day: 'x' } })],
    ],
    ['TALK came before INITIALIZE', [JSON.stringify({ request: 'TALK' })]],
  ])('ends at a packet that cannot be played, and says which and why: %s', async (why, packets) => {
    const name = JSON.stringify({ request: 'NAME' });
    const raw = createServer((socket) => void socket.on('error', () => undefined).write(`${name}\n${packets.join('\n')}\n`));
    await new Promise<void>((resolve) => void raw.listen(0, '127.0.0.1', resolve));
    closing.push(() => void raw.close());
    const { code, err } = await join([`tcp://127.0.0.1:${(raw.address() as { port: number }).port}`]);
    expect(code).toBe(1);
    expect(err).toContain(`maw: seat maw: packet 2 cannot be played: ${why}`);
  });

  it('says that the server hung up in the middle of a game', async () => {
    const server = await serve('protocol', protocolGame.packets.slice(0, 6));
    const { code, err } = await join([server.address]);
    expect(code).toBe(1);
    expect(err).toContain('maw: seat maw: the server hung up in the middle of game 1');
  });

  it('plays on with a server that hangs up before a game, in the middle of one, and restarts between two', async () => {
    const { packets } = naturalGame;
    const server = await serve('natural', packets.slice(0, 1), packets.slice(0, 6), packets, []); // and hangs up on who comes later
    const joined = join([server.address, '--games', '2', '--json']);
    await pollUntil('a connection after a whole game', () => server.received.length > 3, { timeoutMs: 120_000, everyMs: 5 });
    server.close();
    const restarted = await fakeServer({ division: 'natural' }, [packets], Number(new URL(server.address).port));
    closing.push(restarted.close);
    const { code, out, err } = await joined;
    expect([code, out.match(/"ended"/g)?.length]).toEqual([0, 2]);
    expect(err).toContain('maw1: the server hung up before a game began; it may be full or restarting, or not take the name or the token');
    expect(err).toContain('maw1: the server hung up in the middle of a game; connecting again');
    expectAnswers(naturalGame, restarted.received.at(-1)!);
  });

  it('says why a server sends it away, and does not come back', async () => {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    let connections = 0;
    server.on('connection', (socket) => {
      connections++;
      socket.close(1008, 'the token is of team fox');
    });
    closing.push(() => server.close());
    await once(server, 'listening');
    const { code, err } = await join([`ws://127.0.0.1:${(server.address() as { port: number }).port}/ws`]);
    expect([code, err, connections]).toEqual([1, 'maw: seat maw1: the server sent it away: the token is of team fox\n', 1]);
  });

  it('says that a server of the protocol division hung up before a game', async () => {
    const server = await serve('protocol', protocolGame.packets.slice(0, 1));
    const { code, err } = await join([server.address]);
    expect([code, err]).toEqual([1, expect.stringMatching(/^maw: seat maw: the server hung up before a game began; it may be full/)]);
  });

  it('hands the token of the address on, and never shows it', async () => {
    const server = await serve('natural', naturalGame.packets);
    const { out, err } = await join([`${server.address}?token=hush`, '--games', '1', '--json']);
    expect(server.paths).toEqual(['/ws?token=hush']);
    expect(out + err).not.toContain('hush');
  });

  it.each([
    [401, '/ws', /^maw: 127\.0\.0\.1:\d+ wants a token: add \?token=TOKEN to the address \(HTTP 401: not today\)\n$/, 1_000],
    [401, '/ws', /^maw: 127\.0\.0\.1:\d+ wants a token: add \?token=TOKEN to the address \(HTTP 401: not today\)\n$/],
    [401, '/ws?token=hush', /^maw: 127\.0\.0\.1:\d+ does not take this token \(HTTP 401: not today\)\n$/],
    [404, '/', /has no WebSocket at \/: servers of the natural-language division have it at \/ws, such as ws:\/\/127\.0\.0\.1:\d+\/ws/],
  ])('ends with a sentence where a server answers %i to %s', async (status, path, sentence, length = 9) => {
    const server = createHttpServer(); // where it promises more than it sends, its answer breaks off
    server.on('upgrade', (_, socket) => void socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: ${length}\r\n\r\nnot today`));
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    closing.push(() => void server.close());
    const { code, err } = await join([`ws://127.0.0.1:${(server.address() as { port: number }).port}${path}`]);
    expect([code, err]).toEqual([1, expect.stringMatching(sentence)]);
  });

  it.each([
    [['http://127.0.0.1:1'], /is no address of an AIWolf server, such as tcp:/],
    [['tcp://127.0.0.1'], /is no address/],
    [['tcp://127.0.0.1:1', '--mind', 'nobody'], /nobody/],
    [['ws://127.0.0.1:1/ws', '--team', 'team7'], /ends in no digit/],
    [['tcp://127.0.0.1:1', '--games', '2'], /--games is for the natural-language division/],
    [['tcp://127.0.0.1:1', '--team', ' '], /--team is a name in one line, and not empty/],
    [
      ['tcp://127.0.0.1:1', '--model', 'owl'],
      /--model is for minds with a model, and rules has none; name one with --mind, such as algorithm-1/,
    ],
    [['tcp://127.0.0.1:1', '--stand-in', 'rules'], /--stand-in is for minds with a model/],
    [['tcp://127.0.0.1:1', '--mind', 'xu', '--stand-in', 'lan'], /--stand-in lan needs a model itself/],
    [['tcp://127.0.0.1:1', '--mind', 'xu', '--ollama', 'http://:x'], /--ollama: "http:\/\/:x" is no address/],
    [
      ['tcp://127.0.0.1:1', '--mind', 'xu', '--ollama', '127.0.0.1:1'],
      /--mind xu needs a model, and no Ollama server answers at .*--model sim/,
    ],
    [['tcp://127.0.0.1:1', '--mind', 'xu', '--ollama', '127.0.0.1:1', '--model', 'owl'], /so owl cannot play/],
  ])('refuses %j', async (args, why) => {
    const { code, err } = await join(args);
    expect(code).toBe(1);
    expect(err).toMatch(why);
  });
});
