import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { NOTHING_NAMED, runMaw } from '../command.suite.ts';

// A model that answers everything in prose plays a whole game: what is said of it, while the game runs and at its end.

const PROSE = 'I would rather wait and see what the others think of it.';
const MODEL = { name: 'chatty', digest: 'c', details: { family: 'llama' }, capabilities: ['completion'] };
const DONE = { done: true, done_reason: 'stop', prompt_eval_count: 9, eval_count: 9, prompt_eval_duration: 1, eval_duration: 1 };
const ANSWERS: { readonly [path: string]: object } = {
  '/api/version': { version: '0.33.0' },
  '/api/tags': { models: [MODEL] },
  '/api/ps': { models: [{ ...MODEL, size: 1, size_vram: 1, context_length: 8192, expires_at: '2099-01-01T00:00:00Z' }] },
  '/api/show': {
    template: '{{ .Messages }}',
    capabilities: ['completion'],
    details: MODEL.details,
    model_info: { 'llama.context_length': 8192 },
  },
};

/** What the model was asked. */
const asks: object[] = [];
let server: Server;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'maw-mute-'));
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (more: string) => (body += more));
    request.on('end', () => {
      if (request.url === '/api/chat') asks.push(JSON.parse(body) as object);
      const message = { role: 'assistant', content: PROSE };
      const found = ANSWERS[request.url ?? ''] ?? { model: 'chatty', message, response: '', created_at: '2026-01-01T00:00:00Z', ...DONE };
      response.setHeader('content-type', 'application/x-ndjson').end(`${JSON.stringify(found)}\n`);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

const thoughts = (args: readonly string[], at: string) =>
  runMaw(['thoughts', ...args], { cwd: folder, env: { ...NOTHING_NAMED, OLLAMA_HOST: at } });

/** A busy machine is also late. */
const LOST: unknown = expect.stringMatching(/^it (?:answers without JSON|does not answer in time)$/);

/**
 * Every lost decision is listed with what was wrong, and an address that opens it.
 * @returns one that the model replied to, as `--again` takes it
 */
async function whyDefaulted(args: readonly string[], atLeast: number): Promise<string> {
  const { out } = await thoughts([...args, '--outcome', 'defaulted', '--json'], '');
  const whys = out.trimEnd().split('\n').map((line) => JSON.parse(line) as { readonly [field: string]: unknown }); // prettier-ignore
  expect(whys.length).toBeGreaterThanOrEqual(atLeast);
  for (const { table, n, ...why } of whys)
    expect(why).toMatchObject({ outcome: 'defaulted', recipe: 'react', reason: LOST, link: `/t/${String(table)}/inside?decision=${String(n)}` }); // prettier-ignore
  const replied = whys.find(({ reason }) => reason === 'it answers without JSON');
  return `${String(replied?.['n'])}.${String(replied?.['step'])}`;
}

const WRONG: readonly (readonly [readonly string[], RegExp])[] = [
  [['--name', 'Nobody'], /^maw: no mind called Nobody has acted here; there are /],
  [['--kind', 'dance'], /^maw: nothing was asked that is called dance; there were /],
  [['--outcome', 'fallback'], /^maw: nobody acted so: no act was fallback$/],
  [['--outcome', 'lost'], /Allowed choices are valid, repaired, fallback, defaulted, failed\./],
  [['--why', '--decision', '999'], /^maw: there is no decision 999 at this table$/],
  [['--contest', 'mute'], /name a table, or a contest with --contest, and not both/],
  [['--model', 'chatty'], /--model is for --again/],
  [['--again', 'last'], /^maw: --again last: it is the number of an act as --why lists it, such as 7\.4$/],
  [['--again', '1.99'], /^maw: --again 1\.99: there is no such step$/],
  [['--again', '1', '--model', 'nobody'], /^maw: the Ollama server at .* has no model nobody; it has chatty\./],
  [['--again', '1', '--prompt', '.'], /^maw: \.: is a folder/],
];

const NAMED = /^Most of the last public decisions by the model chatty \(server (.*)\) were not its own: it answers without JSON\. /m;
const SUMMED = /^(\d+) decisions by chatty on [\d.:]+:.* (\d+) by default: it answers without JSON\.$/m;

/** What is printed of a game. On a busy machine more may be lost for want of time: then another one is played with four times as much of it, and once more. */
async function printed(at: string, seconds = 3): Promise<string> {
  const args = ['--option', 'maxDays=2', '--seconds', `${seconds}`, '--minds', 'react', '--seed', 'mute', '--data', folder];
  const { code, out, err } = await runMaw(['play', ...args], { cwd: folder, env: { ...NOTHING_NAMED, OLLAMA_HOST: at } });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const isEnough = NAMED.test(out) && Number(SUMMED.exec(out)?.[2]) >= 12;
  return isEnough || seconds > 40 ? out : printed(at, 4 * seconds);
}

it('is named with its server once the second day begins, and its decisions are summed up at the end', async () => {
  const at = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const out = await printed(at);
  expect(NAMED.exec(out)?.[1]).toBe(at);
  const [, made, byDefault] = SUMMED.exec(out) ?? [];
  expect(Number(byDefault)).toBeGreaterThanOrEqual(12); // two days of six seats
  expect(Number(byDefault)).toBeGreaterThan(Number(made) * 0.9); // prose alone may be a speech
  expect(out.trimEnd().split('\n').at(-1)).toContain('decisions by chatty'); // below the result
  const [, table = ''] = /^Table (\S+)\.$/m.exec(out) ?? [];
  const answered = await whyDefaulted([table, '--data', folder], Number(byDefault));
  const again = [table, '--data', folder, '--again', answered];
  const asked = await thoughts([...again, '--model', 'chatty'], at);
  expect(asked.out).toBe(
    `then  chatty: ${PROSE} (which is not what was asked for: not JSON)\nnow   chatty: ${PROSE} (which is not what was asked for: not JSON)\n`,
  );
  const prompt = join(folder, 'prompt.md');
  expect((await thoughts([...again, '--prompt', prompt], at)).err).toContain(`wrote the prompt to ${prompt}`);
  expect(await readFile(prompt, 'utf8')).toMatch(/^# system\n\nYou are a player in a game of hidden roles\./);
  await writeFile(prompt, '# user\nOnly this.');
  asks.length = 0;
  expect(await thoughts([...again, '--prompt', prompt], at)).toMatchObject({ code: 0 });
  expect(asks.at(-1)).toMatchObject({ messages: [{ role: 'user', content: 'Only this.' }], format: {} });
  for (const [wrong, says] of WRONG) expect((await thoughts([table, '--data', folder, ...wrong], at)).lines[0]).toMatch(says);
}, 1_200_000);

it('is named while the tables of a contest still run', async () => {
  const at = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const contest = {
    name: 'mute',
    agents: ['left', 'right'].map((name) => ({ name, recipe: 'react', model: 'chatty' })),
    games: [{ rules: 'maw', players: 6, options: { maxDays: 2, dayMs: 3_000, nightMs: 3_000 } }],
    schedule: { kind: 'sides', deals: 1 },
    play: 'tables',
  };
  await writeFile(join(folder, 'mute.yaml'), JSON.stringify(contest));
  const args = ['contest', 'run', 'mute.yaml', '--data', join(folder, 'contest')];
  const { code, err } = await runMaw(args, { cwd: folder, env: { ...NOTHING_NAMED, OLLAMA_HOST: at } });
  expect(code).toBe(0);
  const said = err.indexOf('Most of the last public decisions by the model chatty');
  expect(said).toBeGreaterThan(0);
  expect(said).toBeLessThan(err.indexOf('mute finished'));
  await whyDefaulted(['--contest', 'mute', '--data', join(folder, 'contest')], 24);
  expect((await thoughts(['--contest', 'deaf', '--data', join(folder, 'contest')], at)).lines).toEqual(['maw: there is no contest deaf']);
});
