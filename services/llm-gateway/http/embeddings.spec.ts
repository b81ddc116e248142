import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { serverAt } from '../fake-ollama.suite.ts';
import { embeddingCache } from '../scheduler/embedding-cache.ts';
import { ADMIN, type How, httpGateway, OTHER } from './http-server.suite.ts';

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

/** As Ollama 0.17.4 behaves: it makes vectors with any model, and only its capabilities say which vectors mean something. */
async function startOllama(models: Readonly<Record<string, readonly string[]>>) {
  const asked: { model: string; input: string[] }[] = [];
  /** Answers wait for it. */
  const state: { asked: typeof asked; gate: Promise<unknown>; fails: number } = { asked, gate: Promise.resolve(), fails: 0 };
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    let text = '';
    incoming.on('data', (piece) => (text += String(piece)));
    const answerTo = async () => {
      const body = (text ? JSON.parse(text) : {}) as { model: string; input?: string[] };
      const answer = (value: object, status = 200) => outgoing.writeHead(status).end(JSON.stringify(value));
      if (incoming.url === '/api/version') return answer({ version: '0.33.0' });
      if (incoming.url === '/api/tags') return answer({ models: Object.keys(models).map((name) => ({ name, digest: name, details: {} })) });
      if (incoming.url === '/api/show') return answer({ capabilities: models[body.model], details: { family: 'x' } });
      if (incoming.url === '/api/ps') return answer({ models: Object.keys(models).map((name) => ({ name })) });
      if (incoming.url !== '/api/embed' || !body.input?.length) return answer({ model: body.model, embeddings: [], done: true });
      asked.push({ model: body.model, input: body.input });
      await state.gate;
      if (state.fails-- > 0) return answer({ error: 'invalid option' }, 400);
      const embeddings = body.input.map(({ length }) => [length, 1]);
      return answer({ model: body.model, embeddings, prompt_eval_count: body.input.length });
    };
    incoming.on('end', () => void answerTo());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push(() => server.close());
  return Object.assign(state, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

async function start(models: Readonly<Record<string, readonly string[]>>) {
  const server = await startOllama(models);
  const gateway = await httpGateway({ servers: [serverAt(server.url, 2)] });
  opened.push(() => gateway.close());
  const embed = async (input: readonly string[], model?: string, how?: How) => {
    const { status, body } = await gateway.ask('/v1/embeddings', { input, ...(model === undefined ? {} : { model }) }, how);
    return { status, lengths: body.data?.length as number | undefined, usage: body.usage, said: String(body.error?.message ?? '') };
  };
  return { server, embed };
}

const MODELS = { 'qwen:latest': ['completion'], 'nomic:latest': ['embedding'] };

describe('embeddings', () => {
  it('are made of each text once, and counted once', async () => {
    const { server, embed } = await start(MODELS);
    expect(await embed(['a', 'bb', 'a'], 'nomic')).toMatchObject({ status: 200, lengths: 3, usage: { prompt_tokens: 2 } });
    expect(await embed(['bb', 'ccc'], 'nomic')).toMatchObject({ status: 200, lengths: 2, usage: { prompt_tokens: 1 } });
    expect(await embed(['ccc'], 'nomic')).toMatchObject({ status: 200, lengths: 1, usage: { prompt_tokens: 0 } });
    expect(server.asked.map(({ input }) => input)).toEqual([['a', 'bb'], ['ccc']]);
  });

  it('tell no other tenant by their tokens what was embedded before', async () => {
    const { embed } = await start(MODELS);
    await embed(['I am the Seer'], 'nomic');
    expect(await embed(['I am the Seer'], 'nomic', { key: OTHER })).toMatchObject({ usage: { prompt_tokens: 0 } });
    expect(await embed(['I am the Seer'], 'nomic', { key: ADMIN })).toMatchObject({ usage: { prompt_tokens: 1 } });
  });

  it('of one text that two callers want at once are made once', async () => {
    const { server, embed } = await start(MODELS);
    let open = () => {};
    server.gate = new Promise<void>((resolve) => (open = resolve));
    const both = [embed(['same'], 'nomic'), embed(['same', 'other'], 'nomic')];
    await new Promise((resolve) => setImmediate(resolve));
    open();
    expect(await Promise.all(both)).toMatchObject([{ status: 200 }, { status: 200, lengths: 2 }]);
    expect(server.asked.flatMap(({ input }) => input).toSorted()).toEqual(['other', 'same']);
  });

  it('are not waited for by a caller that has left, though another still makes them', async () => {
    const asked: (readonly string[])[] = [];
    const cache = embeddingCache();
    const first = cache.embed('m', ['same'], (texts) => (asked.push(texts), new Promise(() => {})), new AbortController().signal);
    const leaving = new AbortController();
    const second = cache.embed('m', ['same', 'other'], (texts) => (asked.push(texts), Promise.reject(new Error('asked'))), leaving.signal);
    leaving.abort(new Error('left'));
    await expect(second).rejects.toThrow('left');
    expect([asked, await Promise.race([first, Promise.resolve('still made')])]).toEqual([[['same']], 'still made']);
  });

  it('are asked for again where the first attempt was refused', async () => {
    const { server, embed } = await start(MODELS);
    server.fails = 1;
    expect((await embed(['a'], 'nomic')).status).toBeGreaterThanOrEqual(400);
    expect(await embed(['a'], 'nomic')).toMatchObject({ status: 200, lengths: 1 });
  });

  it('come from a model that makes them, where none is named', async () => {
    const { server, embed } = await start(MODELS);
    expect(await embed(['a'])).toMatchObject({ status: 200 });
    expect(server.asked).toMatchObject([{ model: 'nomic:latest' }]);
  });

  it('are not asked of a model that makes none, nor where no model makes some', async () => {
    const { server, embed } = await start(MODELS);
    expect(await embed(['a'], 'qwen')).toMatchObject({
      status: 400,
      said: expect.stringContaining('qwen makes no embeddings; available: '),
    });
    expect(server.asked).toEqual([]);
    const poor = await start({ 'qwen:latest': ['completion'] });
    expect(await poor.embed(['a'])).toMatchObject({
      status: 503,
      said: expect.stringContaining('no server has a model that makes embeddings'),
    });
    expect(poor.server.asked).toEqual([]);
  });
});
