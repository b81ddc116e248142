import { EventEmitter, once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { logger } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { serverAt, eventually } from '../fake-ollama.suite.ts';
import type { ServerEvents } from './server.ts';
import { modelServer } from './server.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});

/** A server with one model whose `/api/ps` is answered by the test. */
async function slow() {
  const asked: ServerResponse[] = [];
  const http = createServer((request, response) => {
    if (request.url === '/api/version') response.end('{"version":"0.33.0"}');
    else if (request.url === '/api/tags') response.end('{"models":[{"name":"m","digest":"1","capabilities":["completion"]}]}');
    else if (request.url === '/api/show') response.writeHead(404).end();
    else asked.push(response);
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const one = modelServer(serverAt(`http://127.0.0.1:${(http.address() as AddressInfo).port}`), {
    options: { probeMs: 60_000, stallMs: 60_000 },
    log: silent,
    now: Date.now,
    isAnotherUp: () => false,
    events: new EventEmitter<ServerEvents>(),
  });
  opened.push({
    async close() {
      await one.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  });
  return {
    one,
    /** Runs a health check; `meanwhile` runs between the request of `/api/ps` and its answer. */
    async look(models: readonly string[], meanwhile: () => void = () => undefined): Promise<void> {
      const looked = one.check();
      const response = await eventually('the question', () => asked.shift());
      meanwhile();
      response.end(JSON.stringify({ models: models.map((name) => ({ name })) }));
      await looked;
    },
  };
}
const silent = logger('llm-gateway', { level: 'silent' });

describe('the serverUp metric', () => {
  const at = (url: string) => {
    const one = modelServer(serverAt(url), {
      options: { probeMs: 60_000, stallMs: 60_000 },
      log: silent,
      now: Date.now,
      events: new EventEmitter<ServerEvents>(),
      isAnotherUp: () => anotherIsUp,
    });
    opened.push(one);
    return one;
  };
  let anotherIsUp = false;
  const shown = async () => (await metrics.serverUp.get()).values.map(({ value }) => value);

  it('is 0 while down, and absent while the host name does not resolve and another server is up', async () => {
    await at('http://127.0.0.1:1').check();
    expect(await shown()).toEqual([0]);
    const away = at('http://ollama-3.invalid:11434');
    await away.check();
    expect(await shown()).toEqual([0, 0]);
    anotherIsUp = true;
    await away.check();
    expect([await shown(), away.health.isUp]).toEqual([[0], false]);
  });
});

describe('isResident', () => {
  it('is what the server reports, plus models used since', async () => {
    const { one, look } = await slow();
    await look([]);
    expect([one.health.isUp, one.isResident('m:latest')]).toEqual([true, false]);
    await look([], () => one.models.markUsed('m:latest'));
    expect(one.isResident('m:latest')).toBe(true);
    await look([]);
    expect(one.isResident('m:latest')).toBe(false);
    await look(['M'], () => one.models.remove('m:latest'));
    expect([one.isResident('m:latest'), one.models.size, one.canRun('m:latest')]).toEqual([true, 0, false]);
  });

  it('is empty after the server was down', async () => {
    const { one, look } = await slow();
    await look(['m']);
    expect(one.isResident('m:latest')).toBe(true);
    one.health.markDown('it was switched off');
    expect([one.health.isUp, one.isResident('m:latest'), one.problem]).toEqual([false, false, 'it was switched off']);
    await look([]);
    expect([one.health.isUp, one.isResident('m:latest')]).toEqual([true, false]);
  });

  it('keeps its value while the server does not report', async () => {
    const { one, look } = await slow();
    await look(['m']);
    const looked = one.check();
    await eventually('its being up', () => one.health.isUp);
    await one.close();
    await looked;
    expect(one.isResident('m:latest')).toBe(true);
  });
});
