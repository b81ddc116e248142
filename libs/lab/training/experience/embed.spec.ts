import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { embedAt } from './embed.ts';

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

/** As Ollama 0.17.4 answers: it embeds with any model, and only /api/show says whether that makes sense. Others have no /api/show. */
async function startServer(capabilities: readonly string[] | undefined, refuse?: { status: number; body: object }) {
  const asked: { path: string; input?: string[]; model: string }[] = [];
  const server = createServer((incoming, outgoing) => {
    let text = '';
    incoming.on('data', (piece) => (text += String(piece)));
    incoming.on('end', () => {
      const body = JSON.parse(text) as { input: string[]; model: string };
      asked.push({ ...body, path: incoming.url! });
      const answer = (status: number, value: object) => outgoing.writeHead(status).end(JSON.stringify(value));
      if (incoming.url === '/api/show') answer(capabilities ? 200 : 404, capabilities ? { capabilities } : { error: 'unknown route' });
      else if (refuse) answer(refuse.status, refuse.body);
      else answer(200, { data: body.input.map(({ length }, index) => ({ index, embedding: [length, 1] })) });
    });
  }).listen(0, '127.0.0.1');
  opened.push(server);
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

describe('embedAt', () => {
  it('embeds each text once, however often it is wanted', async () => {
    const { url, asked } = await startServer(['embedding']);
    const embed = embedAt(url, 'm', undefined);
    expect(await embed(['a', 'bb', 'a'])).toEqual([[1, 1], [2, 1], [1, 1]]); // prettier-ignore
    expect(await embed(['bb', 'ccc'])).toEqual([[2, 1], [3, 1]]); // prettier-ignore
    expect(asked).toEqual([
      { path: '/api/show', model: 'm' },
      { path: '/v1/embeddings', model: 'm', input: ['a', 'bb'] },
      { path: '/v1/embeddings', model: 'm', input: ['ccc'] },
    ]);
  });

  it('refuses a model that makes no embeddings, and does not ask it', async () => {
    const { url, asked } = await startServer(['completion']);
    await expect(embedAt(url, 'qwen', undefined)(['a'])).rejects.toThrow(`qwen at ${url} makes no embeddings`);
    expect(asked.map(({ path }) => path)).toEqual(['/api/show']);
  });

  it('takes the address of a server with /v1 at its end, and one that does not say what a model can do', async () => {
    const { url, asked } = await startServer(undefined);
    expect(await embedAt(`${url}/v1/`, 'm', undefined)(['a'])).toEqual([[1, 1]]);
    expect(asked.map(({ path }) => path)).toEqual(['/api/show', '/v1/embeddings']);
  });

  it('says in the words of the server why it was refused', async () => {
    const { url } = await startServer(undefined, { status: 400, body: { error: { message: 'qwen does not support embeddings' } } });
    await expect(embedAt(url, 'qwen', undefined)(['a'])).rejects.toThrow(
      `${url}/v1/embeddings answers 400: qwen does not support embeddings`,
    );
  });

  it.each(['nowhere', 'embed:latest'])('says that %s is no address', (at) => {
    expect(() => embedAt(at, 'm', undefined)).toThrow(`--embeddings: ${at} is no URL, such as http://127.0.0.1:11434`);
  });
});
