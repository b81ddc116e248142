import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { startSimulator } from '@maw/ollama-sim/simulator.ts';
import { ollamaUrl } from '@maw/llm-gateway/discovery/find-models.ts';
import { describeField, fieldInput, fieldRows } from '@maw/tests/equipment/source/field-input.ts';
import { temporaryFolder } from '@maw/tests/equipment/temporary-folder.ts';
import { chooseModels, requireModel } from './models.ts';

/** A server that answers each path with a status and a text; what is not named is not found. */
async function serverOf(
  answers: { readonly [path: string]: readonly [status: number, text: string] },
  rest: readonly [status: number, text: string, type?: string] = [404, 'not found'],
) {
  const keys: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers.authorization);
    const [status, text, type] = answers[request.url!] ?? rest;
    response.writeHead(status, type === undefined ? {} : { 'content-type': type }).end(text);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, keys };
}
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const NOBODY = '127.0.0.1:2';
const at = (host: string, more = {}) => chooseModels({ OLLAMA_HOST: host }, more, undefined);

describe('OLLAMA_HOST', () => {
  it.each([
    [undefined, 'http://127.0.0.1:11434'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['gpu', 'http://gpu:11434'],
    [':8080', 'http://127.0.0.1:8080'],
    ['http://gpu:1234/', 'http://gpu:1234'],
  ])('%j is %s', (host, url) => expect(ollamaUrl(host)).toBe(url));

  it('with an invalid address is rejected', () =>
    expect(() => ollamaUrl('http://:x')).toThrow(/^OLLAMA_HOST: "http:\/\/:x" is no address/));
});

describe('what plays', () => {
  const folder = temporaryFolder();

  it('is nothing without Ollama: it is said in one line, with how to get a model', async () => {
    const models = await at(NOBODY);
    expect(models).toMatchObject({
      model: undefined,
      why: `no Ollama server answers at http://${NOBODY} (ECONNREFUSED)`,
    });
    expect(models.says).toMatch(/^No model plays: no Ollama .* by the recipe rules\. .*OLLAMA_HOST.*ollama pull llama3\.1$/);
    expect(models).not.toHaveProperty('sim');
    expect(() => requireModel(models, 'the recipe react')).toThrow(/^the recipe react needs a model, and no Ollama .*--model sim$/);
  });

  it('is nothing where Ollama has no model that can chat', async () => {
    const sim = await startSimulator({ models: [{ name: 'simulated-embed', capabilities: ['embedding'] }] });
    expect(await at(sim.url)).toMatchObject({ why: `the Ollama server at ${sim.url} has no model` });
    await sim.close();
  });

  it('is the simulator only by its name, and then whatever else is there', async () => {
    const models = await chooseModels({ OLLAMA_HOST: NOBODY }, { model: 'sim' }, 7);
    expect(models).toMatchObject({ servers: [], sim: { seed: 7 } });
    expect(() => requireModel(models, 'a mind')).not.toThrow();
  });

  const listing = (...models: object[]) => ({
    '/api/version': [200, '{"version":"0.0.0"}'] as const,
    '/api/tags': [200, JSON.stringify({ models })] as const,
  });
  const cloud = { name: 'big:480b-cloud', digest: 'd0', capabilities: ['completion'], remote_host: 'https://ollama.com:443' };
  const m1 = { name: 'm1:latest', digest: 'd1', capabilities: ['completion'] };

  it('is never a model in a cloud, which the gateway would refuse', async () => {
    const { url } = await serverOf(listing(cloud, m1));
    expect(await at(url)).toMatchObject({ model: 'm1:latest', says: `m1:latest plays, on the Ollama server 0.0.0 at ${url}.` });
    await expect(at(url, { model: 'big:480b-cloud' })).rejects.toThrow('big:480b-cloud runs in a cloud');
    const { url: alone } = await serverOf(listing(cloud));
    expect(await at(alone)).toMatchObject({ model: undefined, why: `the Ollama server at ${alone} has no model` });
  });

  it.each(['M1', 'm1:LATEST', 'm1'])('is found under the name %s', async (model) => {
    const { url } = await serverOf(listing(m1));
    expect(await at(url, { model })).toMatchObject({ model: 'm1:latest' });
  });

  it('is no base model, unless that is named; then it is said', async () => {
    const { url } = await serverOf({ ...listing(m1), '/api/show': [200, '{"template":"{{ .Prompt }}"}'] });
    expect((await at(url)).why).toContain('has only base models, which have no chat template: m1:latest');
    expect((await at(url, { model: 'm1' })).says).toContain('It is a base model without a chat template');
  });

  it.each([
    [401, '{"error":"unauthorized"}', 'the server wants a key or a password (401)'],
    [200, '<html>login</html>', 'what answers there is no Ollama server: it sent HTML'],
    [502, 'bad gateway', 'it answered with 502: bad gateway'],
  ])('is told what answers with %i "%s"', async (status, text, says) => {
    const { url } = await serverOf({ '/api/version': [status, text] });
    await expect(at(url, { model: 'x' })).rejects.toThrow(`the Ollama server at ${url}: ${says}, so x cannot play`);
  });

  it('is on any of OLLAMA_URLS, with their slots', async () => {
    const [one, two] = [await serverOf(listing()), await serverOf(listing(m1))];
    const urls = `${one.url}=4,${two.url}=2`;
    const models = await chooseModels({ OLLAMA_URLS: urls, OLLAMA_HOST: NOBODY }, {}, undefined);
    expect(models).toMatchObject({
      model: 'm1:latest',
      servers: [
        { url: one.url, slots: 4 },
        { url: two.url, slots: 2 },
      ],
    });
  });

  it('sends the token of OLLAMA_API_KEY', async () => {
    const { url, keys } = await serverOf(listing(m1));
    expect((await chooseModels({ OLLAMA_HOST: url, OLLAMA_API_KEY: 'sk-1' }, {}, undefined)).model).toBe('m1:latest');
    expect(new Set(keys)).toEqual(new Set(['Bearer sk-1']));
  });

  it('is on a named server with the key of a file, which no text shows', async () => {
    const keyFile = join(folder, 'key');
    await writeFile(keyFile, 'sk-secret\n');
    const { url, keys } = await serverOf({ '/v1/models': [200, '{"data":[{"id":"gpt-4o-mini"}]}'] });
    const models = await at(NOBODY, { model: 'gpt-4o-mini', server: `${url}/v1`, keyFile });
    expect(models).toMatchObject({
      model: 'gpt-4o-mini',
      says: `gpt-4o-mini plays, on the server at ${url}.`,
      env: { OPENAI_API_KEY: 'sk-secret' },
    });
    expect(keys).toEqual(['Bearer sk-secret']);
    await expect(at(NOBODY, { model: 'gpt-9', server: url, keyFile })).rejects.toThrow('has no model gpt-9; it has gpt-4o-mini.');
    const wrong = await serverOf({ '/v1/models': [401, '{"error":{"message":"Incorrect API key provided: sk-secret"}}'] });
    await expect(at(NOBODY, { model: 'x', server: wrong.url, keyFile })).rejects.toThrow(
      /its key is wrong \(401\), so x cannot play; check --server and --key-file, or leave --model out$/,
    );
    await expect(at(NOBODY, { server: url })).rejects.toThrow('--server needs --model');
  });
});

describeField('tags-cloud.json')('tags-cloud.json, which is not part of this repository', () => {
  const listed = JSON.parse(fieldInput('tags-cloud.json') ?? '{"models":[]}') as { readonly models: readonly object[] };
  const of = (models: readonly object[]) =>
    serverOf({ '/api/version': [200, '{"version":"0.33.0"}'], '/api/tags': [200, JSON.stringify({ models })] });

  it('lets the model of the server play, and none where only the one in a cloud is listed', async () => {
    const { url } = await of(listed.models);
    expect(await at(url)).toMatchObject({ model: 'm1:latest' });
    const { url: alone } = await of(listed.models.slice(0, 1));
    expect(await at(alone)).toMatchObject({ model: undefined, why: `the Ollama server at ${alone} has no model` });
  });
});

describeField('server-answers.csv')('server-answers.csv, which is not part of this repository', () => {
  it.each(fieldRows('server-answers.csv'))('is told what answers with %s %s %s: %s', async (status, type, body, says) => {
    const { url } = await serverOf({}, [Number(status), body!, type!]);
    await expect(at(url, { model: 'x' })).rejects.toThrow(says!);
    expect((await at(url)).says).toContain(says);
  });
});
