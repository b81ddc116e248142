import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

const asked = z.object({
  format: z
    .object({ anyOf: z.array(z.looseObject({ properties: z.record(z.string(), z.looseObject({})) })) })
    .optional()
    .catch(undefined),
});

/**
 * A model that answers at once, so that only what is around it is measured: it keeps as much of Ollama's protocol as the gateway asks of it, votes
 * for the first name it is offered, and speaks where there is nothing to choose.
 */
export async function instantModel(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    void body(request)
      .then((text) => {
        const say = (value: unknown) => response.writeHead(200, { 'content-type': 'application/json' }).end(`${JSON.stringify(value)}\n`);
        if (request.url === '/api/version') return say({ version: '0.33.0' });
        if (request.url === '/api/tags')
          return say({ models: [{ name: 'instant:latest', digest: '1', details: { family: 'instant' }, capabilities: ['completion'] }] });
        if (request.url === '/api/ps') return say({ models: [] });
        const { format } = asked.parse(JSON.parse(text || '{}'));
        const ends = {
          model: 'instant:latest',
          created_at: new Date().toISOString(),
          done: true,
          done_reason: 'stop',
          eval_count: 1,
          prompt_eval_count: 1,
        };
        return say({ ...ends, message: { role: 'assistant', content: JSON.stringify(answerTo(format?.anyOf ?? [])) } });
      })
      .catch(() => response.writeHead(400).end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

type Branch = { readonly properties: { readonly [name: string]: { readonly const?: unknown; readonly enum?: readonly unknown[] } } };

function answerTo(branches: readonly Branch[]): unknown {
  const choice =
    branches.find(({ properties }) => properties['target']?.enum?.length) ?? branches.find(({ properties }) => 'text' in properties);
  if (!choice) return { name: `Instant${Math.floor(performance.now() * 1000) % 1_000_000}` };
  return Object.fromEntries(Object.entries(choice.properties).map(([name, shape]) => [name, shape.const ?? shape.enum?.[0] ?? 'Hello.']));
}

async function body(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += piece as string;
  return text;
}
