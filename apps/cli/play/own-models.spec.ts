import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sampleOf } from '@maw/tests/equipment/fakes/scripted-model.ts';
import { NOTHING_NAMED, runMaw } from '../command.suite.ts';

// Seats with models of their own, on a server that wants a key: whole games, and what they have used.

interface Chat {
  readonly model: string;
  readonly messages: readonly { readonly content: string }[];
  readonly response_format?: { readonly json_schema?: { readonly schema: object } };
}

const KEY = 'sk-the-key-of-the-house';
const MODELS = ['big-1', 'small-1'];
const chats: Chat[] = [];
let server: Server;
let folder: string;
let args: readonly string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'maw-own-models-'));
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (piece) => (text += String(piece)));
    request.on('end', () => {
      const send = (status: number, body: object): void =>
        void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      if (request.headers.authorization !== `Bearer ${KEY}`) return send(401, { error: { message: 'Incorrect API key' } });
      if (request.url === '/v1/models') return send(200, { data: MODELS.map((id) => ({ id })) });
      if (request.url !== '/v1/chat/completions') return send(404, { error: { message: 'no such path' } });
      const chat = JSON.parse(text) as Chat;
      chats.push(chat);
      const schema = chat.response_format?.json_schema?.schema;
      const content = schema ? JSON.stringify(sampleOf({ ...schema }, chats.length)) : 'I have my reasons.';
      const usage = { prompt_tokens: 1_000, completion_tokens: 10 };
      send(200, { model: chat.model, choices: [{ message: { content }, finish_reason: 'stop' }], usage });
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  await writeFile(join(folder, 'key'), `${KEY}\n`);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  args = ['play', '--server', url, '--option', 'maxDays=1', '--seconds', '3', '--seed', 'own', '--data', folder];
});
beforeEach(() => void chats.splice(0));
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

const play = (...more: readonly string[]) => runMaw([...args, ...more], { cwd: folder, env: NOTHING_NAMED });
const minds = 'algorithm-1:model=small-1;temperature=0.1,algorithm-1';

describe('maw play --server --key-file', () => {
  it('plays a whole game with a model of its own for every second seat, and tells tokens and money', async () => {
    await writeFile(join(folder, 'prices.yaml'), 'BIG-1: { prompt: 2, completion: 10 }\n');
    const { code, out, err } = await play('--model', 'big-1', '--key-file', 'key', '--minds', minds, '--prices', 'prices.yaml');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('big-1 plays, on the server at');
    expect(out).toContain('Seats with a model of their own: small-1.');
    expect(out).not.toContain(KEY);
    const seatsOf = (model: string) =>
      new Set(chats.flatMap((chat) => (chat.model === model ? [/You are ([^,.]+)[,.]/.exec(chat.messages.at(-1)!.content)?.[1]] : [])));
    const [big, small] = [seatsOf('big-1'), seatsOf('small-1')];
    expect([big.size, small.size, [...big].filter((name) => small.has(name))]).toEqual([3, 3, []]);
    const calls = (model: string) => chats.filter((chat) => chat.model === model).length;
    const told = (model: string) =>
      new RegExp(`^${model}: (\\d+) calls, (\\d+) tokens read, (\\d+) written, cost (.*)\\.$`, 'm').exec(out)!;
    const [, made, read, written, cost] = told('big-1');
    expect([made, read, written]).toEqual([1, 1_000, 10].map((each) => String(each * Number(made))));
    expect(cost).toBe((Number(made) * ((2 * 1_000 + 10 * 10) / 1e6)).toFixed(4));
    expect(told('small-1')[4]).toBe('not known');
    expect(Number(made)).toBeLessThanOrEqual(calls('big-1'));
  });

  it('refuses a wrong key, no key, another model of a seat, and prices that are none, in one line', async () => {
    await writeFile(join(folder, 'wrong'), 'sk-wrong-key\n');
    await writeFile(join(folder, 'bad.yaml'), 'big-1: { prompt: cheap }\n');
    for (const [given, says] of [
      [['--model', 'big-1', '--key-file', 'wrong'], /its key is wrong \(401\), so big-1 cannot play; check --server and --key-file/],
      [['--model', 'big-1'], /its key is wrong \(401\)/],
      [['--model', 'big-1', '--key-file', 'key', '--minds', 'react:model=huge-1'], /has no model huge-1; it has big-1, small-1\./],
      [['--model', 'big-1', '--key-file', 'none'], /none/],
      [['--model', 'big-1', '--key-file', 'key', '--prices', 'none.yaml'], /none\.yaml: there is no such file/],
      [['--model', 'big-1', '--key-file', 'key', '--prices', 'bad.yaml'], /bad\.yaml:1: big-1\.prompt/],
    ] as const) {
      const { code, err } = await play(...given);
      expect([given, code, err]).toEqual([given, 1, expect.stringMatching(says)]);
      expect(err).not.toMatch(/sk-/);
    }
    expect(chats).toEqual([]);
  });
});
