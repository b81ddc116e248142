import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { logger } from '@maw/telemetry/log.ts';
import { registry } from '@maw/telemetry/metrics.ts';
import { parseAddress } from '../address.ts';
import { never, testResources } from '../scheduler/completions.suite.ts';
import { ollama } from './ollama.ts';
import { type GatewayOptions, defaultOptions } from '../defaults.ts';
import { completionMessage, serverAt, fakeOllama } from '../fake-ollama.suite.ts';
import { parseServer } from '../server-config/parse-server.ts';

import { call, chatOptions, failing, lines, openaiTools, thrown, whole } from './openai.suite.ts';

const { keep, startScheduler } = testResources();
const { scripted, providerAt } = openaiTools(keep);

describe('the API key of a server', () => {
  it('is read again from its file each time; an invalid key is never sent', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'maw-key-'));
    keep({ close: () => rm(folder, { recursive: true }) });
    const keyFile = join(folder, 'key');
    const server = await scripted(whole('x'));
    const provider = providerAt({ url: server.url, keyFile });
    expect(await thrown(provider.version(never))).toMatchObject({ message: `its key file ${keyFile} cannot be read: ENOENT` });
    for (const text of ['', 'two words', 'root:x:0:0\nbin:x:1:1\n', 'sk-ü']) {
      await writeFile(keyFile, text);
      expect(await thrown(provider.version(never))).toMatchObject({
        message: `its key file ${keyFile} holds no key: expected one line without spaces`,
      });
    }
    for (const text of ['sk-1\n', 'sk-2']) {
      await writeFile(keyFile, text);
      await provider.version(never);
      await provider.list(never);
    }
    expect(server.asked.map(({ headers }) => headers.authorization)).toEqual(['Bearer sk-1', 'Bearer sk-2']);
  });

  it('appears in no error, log or metric when the server quotes it', async () => {
    const key = 'sk-very-secret-0123';
    let written = '';
    const sink = new Writable({
      write(chunk, _, done) {
        written += String(chunk);
        done();
      },
    });
    const server = await scripted(
      failing(401, { error: { message: `Incorrect API key provided: ${key}.` } }),
      lines({ error: { message: `key ${key} has no funds` } }),
      failing(400, { error: { message: key } }),
    );
    const options: GatewayOptions = {
      ...defaultOptions,
      agentRpm: 0,
      agentConcurrency: 0,
      servers: [parseServer({ url: server.url, kind: 'openai', slots: 1, key })],
    };
    const gateway = await startScheduler({ ...options, log: logger('llm-gateway', { level: 'debug', destination: sink }) });
    const servers = gateway.registry;
    const details: unknown[] = [];
    for (const say of ['a', 'b', 'c']) details.push((await thrown(gateway.complete(completionMessage(say), never))) as object);
    server.lists(failing(401, { error: { message: `bad ${key}` } }));
    await servers.checkAll();
    expect(servers.describe()).toContain('it answered with 401: bad ***');
    expect(details).toMatchObject([
      { detail: expect.stringContaining('***') },
      { detail: expect.stringContaining('***') },
      { detail: expect.stringContaining('***') },
    ]);
    expect(written).toContain('***');
    expect(`${written}${JSON.stringify(details)}${servers.describe()}${await registry.metrics()}`).not.toContain(key);
  });
});

describe('a secret quoted by a server', () => {
  it.each([
    ['a key', { key: 'sk-very-secret-0123' }, 'sk-very-secret-0123'],
    ['a login', { login: 'ann:open-sesame' }, Buffer.from('ann:open-sesame').toString('base64')],
    ['a password', { login: 'ann:open-sesame' }, 'open-sesame'],
  ])('is removed before the text is truncated: %s', async (_, { key, login }: { key?: string; login?: string }, secret) => {
    for (const before of [450, 480, 490, 495]) {
      const server = await scripted(failing(401, { error: { message: `${'x'.repeat(before)} ${secret}` } }));
      const url = login === undefined ? server.url : server.url.replace('http://', `http://${login}@`);
      const provider = providerAt({ url, ...(key === undefined ? {} : { key }) });
      const { message } = (await thrown(provider.chat(completionMessage('x').data, chatOptions(), call))) as Error;
      expect(message).toMatch(/^x+ \*\*\*$/);
    }
  });

  it('is removed from mid-stream Ollama errors, with file paths and internal addresses', async () => {
    const server = keep(await fakeOllama());
    let log = '';
    const destination = new Writable({ write: (chunk, _, done) => ((log += String(chunk)), done()) });
    const given = {
      ...defaultOptions,
      agentRpm: 0,
      agentConcurrency: 0,
      servers: [serverAt(server.url.replace('http://', 'http://ann:open-sesame@'))],
    };
    const gateway = await startScheduler({ ...given, log: logger('llm-gateway', { level: 'debug', destination }) });
    const servers = gateway.registry;
    const answer = thrown(gateway.complete(completionMessage('x'), never));
    const asked = await server.call('x');
    asked.write({ message: { content: 'The' }, done: false });
    const quoted =
      'open-sesame opens "/root/.ollama/models/blobs/sha256-1", C:\\models\\x.bin and http://10.1.2.3:39211/completion: EOF and/or 1/2';
    asked.write({ error: { message: quoted } });
    asked.end();
    expect(await answer).toMatchObject({
      reason: 'failed',
      detail: `${servers.all[0]!.name} answered in the middle of its answer: *** opens "***", *** and *** EOF and/or 1/2`,
    });
    expect(log).toContain('/root/.ollama/models');
    expect(log).not.toContain('open-sesame');
  });

  it('is removed from the errors of an Ollama server behind a login', async () => {
    const server = createServer((_, response) => response.writeHead(401).end(JSON.stringify({ error: 'who is ann:open-sesame, open?' })));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    keep({ close: () => new Promise<void>((resolve) => server.close(() => resolve())) });
    const address = parseAddress(`http://ann:open-sesame@127.0.0.1:${(server.address() as AddressInfo).port}`);
    const provider = keep(ollama({ ...address, slots: 1 }, 1_000, Date.now));
    expect(await thrown(provider.version(call.signal))).toMatchObject({ status: 401, message: 'who is ***, open?' });
  });
});
