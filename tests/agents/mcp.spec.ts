import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type InProcessSystem, startInProcessSystem } from '@maw/cli/in-process-system.ts';
import { root } from '../equipment/source/repository.ts';

// The published client of the Model Context Protocol, over standard input and output, at a table of ours.

const MINUTES = 600_000;
const MODELS = { servers: [], model: undefined, says: '', why: 'no model is needed' };
let system: InProcessSystem;
let client: Client;
beforeEach(async () => {
  system = await startInProcessSystem({ port: 0, models: MODELS, maxWaitMs: 100, logLevel: 'error' });
  const { token } = await system.web.makeToken({ role: 'agent', name: 'fox' });
  const { MAW_AT: _, MAW_TOKEN: __, ...env } = process.env as Record<string, string>;
  client = new Client({ name: 'test', version: '1' });
  const args = ['--no-warnings', join(root, 'apps/cli/main.ts'), 'mcp', '--at', system.web.at, '--token', token];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
}, MINUTES);
afterEach(async () => {
  await client.close();
  await system.close();
}, MINUTES);

/** The result of a tool, and whether it is an error. */
async function call(name: string, given: Record<string, unknown> = {}) {
  const { content, isError } = (await client.callTool({ name, arguments: given })) as unknown as {
    content: [{ text: string }];
    isError?: boolean;
  };
  // oxlint-disable-next-line typescript/no-explicit-any -- any JSON
  return { value: JSON.parse(content[0].text) as any, isError: isError === true };
}

const open = (seats: readonly object[]) =>
  system.web.open({
    rules: 'onuw',
    seats: seats as never,
    options: { hurry: true, stepMs: 20_000, turnMs: 20_000, talkMs: 20_000, voteMs: 20_000, talkRounds: 1 },
  });

interface Asked {
  readonly question: string;
  readonly verb: string;
  readonly options: readonly { readonly is: string }[];
  readonly answer: { readonly minItems?: number };
}

describe('an MCP client', () => {
  it('finds five tools', async () => {
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['tables', 'join', 'observe', 'act', 'say']);
  });

  it(
    'plays a whole One Night to its end',
    async () => {
      const { table } = await open([
        { kind: 'agent', agent: 'fox' },
        { kind: 'mind', recipe: 'rules' },
        { kind: 'mind', recipe: 'rules' },
      ]);
      expect((await call('tables')).value).toEqual([{ table, seat: 0, rules: 'onuw' }]);
      expect((await call('join', { table })).value).toMatchObject({ you: 'seat:0', name: 'fox', rules: expect.stringContaining('night') });
      const news: string[] = [];
      const answered: string[] = [];
      for (;;) {
        const { value } = await call('observe', { waitSeconds: 5 });
        news.push(...value.news);
        if (value.isOver) {
          expect(value.winners).toEqual((await system.web.table(table)).winners);
          break;
        }
        for (const { question, verb, options, answer } of value.asked as readonly Asked[]) {
          const choices = options.slice(0, answer.minItems ?? 1).map(({ is }) => is);
          const act = () => call('act', { question, answer: answer.minItems ? choices : choices[0] });
          const { isError } = verb === 'say' ? await call('say', { text: 'I am a villager.' }) : await act();
          if (!isError) answered.push(verb);
        }
      }
      expect(new Set(answered)).toEqual(new Set(['say', 'choose']));
      expect(news.join('\n')).toMatch(/I am a villager\.[^]*vote/);
    },
    MINUTES,
  );

  it('is told what is wrong, and goes on', async () => {
    expect(await call('observe')).toEqual({ value: 'you sit at no such table: call tables, then join', isError: true });
    expect(await call('join', { table: 'nowhere' })).toMatchObject({ value: { refused: 'forbidden' }, isError: true });
    const { table } = await open([{ kind: 'agent', agent: 'fox' }, { kind: 'person' }, { kind: 'mind' }]);
    await call('join', { table });
    expect(await call('act', { question: 'round-1/vote', answer: 'seat:1' })).toMatchObject({
      value: { refused: 'phase-over' },
      isError: true,
    });
    expect(await client.callTool({ name: 'act', arguments: {} })).toMatchObject({ isError: true });
    expect((await call('tables')).isError).toBe(false);
  });
});
