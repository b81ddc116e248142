import { root } from '../equipment/source/repository.ts';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { memoryBus } from '@maw/bus/memory/memory-bus.ts';
import { contracts } from '@maw/contracts/contracts.ts';
import { HttpProblem } from '@maw/llm-gateway/http/http-problem.ts';
import { readKeyFile } from '@maw/llm-gateway/http/api-keys.ts';
import { LIMIT_NAMES } from '@maw/llm-gateway/agent-limits.ts';
import { llmGateway } from '@maw/llm-gateway/service.ts';
import { startSimulator } from '@maw/ollama-sim/simulator.ts';
import { logger } from '@maw/telemetry/log.ts';
import { memoryGatewayKeys } from '../equipment/memory-store/budget-usage.ts';
import { temporaryFolder } from '../equipment/temporary-folder.ts';
import { codeBlocksOf, markedBlocks } from './code-blocks.ts';

const page = readFileSync(join(root, 'docs/gateway.md'), 'utf8');
const blocks = codeBlocksOf(page).map(({ language, info, text }) => ({ kind: language, info, text: text.trimEnd() }));
const examples = blocks.flatMap(({ kind, info, text }, n) =>
  kind === 'sh' && info === 'gateway' && text.startsWith('curl ') ? [{ command: text, answer: blocks[n + 1]! }] : [],
);
const keysFile = blocks.find(({ kind, text }) => kind === 'json' && text.includes('"key"'))!.text;

/** The words of a command, without the quotes of the shell, with what variables stand for. */
const wordsOf = (command: string, values: { readonly [name: string]: string }): string[] =>
  [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? (double ?? plain!).replace(/\$(\w+)/g, (_, name: string) => values[name] ?? `no $${name}`),
  );

/** What `curl` would ask. */
function requestOf(command: string, values: { readonly [name: string]: string }): Request {
  const headers = new Headers();
  let [url, method, body]: (string | undefined)[] = [];
  const words = wordsOf(command, values).slice(1);
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-N') continue;
    else if (word === '-X') method = words.shift();
    else if (word === '-H') headers.set(...(words.shift()!.split(': ', 2) as [string, string]));
    else if (word === '--json') {
      body = words.shift();
      headers.set('content-type', 'application/json');
    } else if (word.startsWith('http')) url = word;
    else throw new Error(`${word}: the examples have -N, -X, -H, --json and an address`);
  }
  return new Request(url!, { method: method ?? (body === undefined ? 'GET' : 'POST'), headers, ...(body === undefined ? {} : { body }) });
}

/** What the page shows, with `…` for any text. */
const shown = (value: unknown): unknown => {
  if (value === '…') return expect.stringMatching(/\S/);
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shown(each)]));
};
const likeLine = (line: string): RegExp => new RegExp(`^${line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*')}$`, 'm');

const opened: { close(): Promise<void> }[] = [];
const folder = temporaryFolder();
let values: { readonly [name: string]: string };
beforeAll(async () => {
  const file = join(folder, 'keys.json');
  writeFileSync(file, keysFile);
  const keys = readKeyFile(file);
  const sim = await startSimulator();
  const bus = memoryBus({ service: 'llm-gateway' });
  const gateway = await llmGateway({
    bus,
    now: Date.now,
    log: logger('llm-gateway', { level: 'silent' }),
    options: { servers: [{ url: sim.url, name: new URL(sim.url).host, authorization: undefined, slots: 1 }] },
    gatewayKeys: memoryGatewayKeys(),
    http: { host: '127.0.0.1', port: 0, keys, isOpen: false, graceMs: 100 },
  });
  opened.push(sim, bus, gateway);
  values = { AT: gateway.httpUrl!, KEY: keys[0]!.key, ADMIN: keys[1]!.key };
});
afterAll(async () => {
  for (const one of opened.toReversed()) await one.close();
});

describe('the page of the gateway', () => {
  it('has examples of every address', () => {
    const addresses = new Set(examples.map(({ command }) => /\$AT(\S+)/.exec(command)![1]));
    const all = ['llm/complete', 'chat/completions', 'embeddings', 'models'].map((one) => `/v1/${one}`);
    expect(addresses).toEqual(
      new Set([...all, '/api/chat', '/health', ...['status', 'servers', 'limits', 'keys', 'use'].map((one) => `/admin/${one}`)]),
    );
  });

  it.each(examples)('shows the real answer of: $command', async ({ command, answer }) => {
    const response = await fetch(requestOf(command, values));
    const text = await response.text();
    expect([response.status, text]).toEqual([200, expect.any(String)]);
    if (answer.kind === 'json') expect(JSON.parse(text)).toMatchObject(shown(JSON.parse(answer.text)) as object);
    else for (const line of answer.text.split('\n')) expect(text).toMatch(likeLine(line));
  });

  it('has commands of maw that work', async () => {
    const [block] = markedBlocks(page, 'gateway').filter(({ text }) => text.startsWith('./maw '));
    const script = block!.text.replaceAll('./maw ', `${join(root, 'maw')} `);
    const env = { ...process.env, MAW_GATEWAY_AT: values['AT'], MAW_GATEWAY_KEY: values['ADMIN'] };
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', script], { env });
    for (const said of ['10.0.0.2:11434', 'draining', 'agentRpm', 'lab/bot-2', 'maw-', 'Nothing was used']) expect(stdout).toContain(said);
  });

  it('explains every field of the status and every limit', () => {
    const named = (word: string) => new RegExp(`^\\| \`${word}\` +\\|`, 'm');
    for (const field of Object.keys(contracts.get('llm.status').reply!.shape)) expect(page).toMatch(named(field));
    for (const limit of LIMIT_NAMES) expect(page).toMatch(named(limit));
  });

  it('lists the right status of every code', () => {
    const rows = [...page.matchAll(/^\| (\d{3}) +\| ((?:`[\w-]+`(?:, )?)+) +\|/gm)];
    const codes = rows.flatMap(([, status, list]) =>
      [...list!.matchAll(/`([\w-]+)`/g)].map(([, code]) => [code!, Number(status)] as const),
    );
    expect(codes.length).toBeGreaterThanOrEqual(14);
    for (const [code, status] of codes) expect([code, new HttpProblem(code as 'late', '').status]).toEqual([code, status]);
    const told = new Set(codes.map(([code]) => code));
    for (const code of ['no-key', 'bad-key', 'forbidden', 'unknown-model', 'too-large', 'not-json', 'limited', 'standby', 'late'])
      expect(told).toContain(code);
  });
});
