import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { NOTHING_NAMED, runMawHeard } from '../command.suite.ts';

jest.setTimeout(600_000);

let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

/** An Ollama server that ignores the schema and answers every question with `content`. */
async function proseServer(content: string): Promise<string> {
  const answers: { readonly [path: string]: object } = {
    '/api/version': { version: '0.40.0' },
    '/api/tags': { models: [{ name: 'prose:1b', digest: 'd', capabilities: ['completion'] }] },
    '/api/ps': { models: [] },
    '/api/show': { template: '{{ range .Messages }}{{ .Role }}{{ .Content }}{{ end }}', capabilities: ['completion'], model_info: {} },
    '/api/chat': {
      model: 'prose:1b',
      message: { role: 'assistant', content },
      done: true,
      done_reason: 'stop',
      prompt_eval_count: 9,
      eval_count: 9,
    },
  };
  server = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json');
    response.end(`${JSON.stringify(answers[request.url!] ?? {})}\n`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('maw doctor --model', () => {
  it('says of each question what came, and that a decision would be lost', async () => {
    const host = await proseServer('I cannot decide.');
    const { code, out } = await runMawHeard(['doctor', '--model', 'prose:1b'], {
      cwd: tmpdir(),
      env: { ...NOTHING_NAMED, OLLAMA_HOST: host },
    });
    expect(out).toContain('1. maw: what to say on the first day');
    expect(out).toContain('it said: I cannot decide.');
    expect(out).toContain('LOST: the rules would decide for it');
    expect(out).toMatch(/5 questions: \d at once/);
    expect(code).toBe(1);
  });

  it('finds nothing wrong with a model that keeps the form', async () => {
    const { code, out } = await runMawHeard(['doctor', '--model', 'sim'], { cwd: tmpdir(), env: NOTHING_NAMED });
    expect(out).toContain('5 questions: 5 at once, 0 repaired, 0 by fallback, 0 lost');
    expect(code).toBe(0);
  });

  it('refuses a recipe without a model, and a model that is not there, in one line', async () => {
    const host = await proseServer('');
    for (const [args, says] of [
      [['--model', 'sim', '--mind', 'rules'], 'rules asks no model'],
      [['--model', 'nobody'], 'has no model nobody; it has prose:1b'],
    ] as const) {
      const { code, err } = await runMawHeard(['doctor', ...args], { cwd: tmpdir(), env: { ...NOTHING_NAMED, OLLAMA_HOST: host } });
      expect([code, err.trim().split('\n').length]).toEqual([1, 1]);
      expect(err).toContain(says);
    }
  });
});
