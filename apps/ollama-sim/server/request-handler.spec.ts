import { describe, expect, it } from '@jest/globals';
import { HI, MODEL, sim, useSimulator } from '../api.suite.ts';
import { connect } from 'node:net';
import { manualClock } from '../engine/manual-clock.suite.ts';
import { ask, probe } from '../http-client.suite.ts';
import { startSimulator } from '../simulator.ts';

useSimulator();

describe('the request handler', () => {
  it.each([
    ['GET', '/', 200, 'text/plain; charset=utf-8', 'Ollama is running'],
    ['HEAD', '/', 200, 'text/plain; charset=utf-8', ''],
    ['GET', '/api/version', 200, 'application/json; charset=utf-8', '{"version":"0.33.0"}'],
    ['HEAD', '/api/version', 200, 'application/json; charset=utf-8', ''],
    ['HEAD', '/api/tags', 200, 'application/json; charset=utf-8', ''],
    ['GET', '/nowhere', 404, 'text/plain', '404 page not found'],
    ['GET', '/api/chat', 405, 'text/plain', '405 method not allowed'],
    ['POST', '/api/tags', 405, 'text/plain', '405 method not allowed'],
    ['DELETE', '/', 405, 'text/plain', '405 method not allowed'],
  ])('answers %s %s with %i', async (method, path, status, type, text) => {
    const seen = await ask(sim.url, path, undefined, { method });
    expect([seen.status, seen.headers['content-type'], seen.text]).toEqual([status, type, text]);
  });

  it('keeps connections alive without a Keep-Alive header', async () => {
    const socket = connect(sim.port, '127.0.0.1');
    let got = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      got += part;
    });
    const heard = (times: number): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => (got.split('"version"').length > times ? resolve() : void socket.once('data', () => setImmediate(look)));
        look();
      });
    socket.write('GET /api/version HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await heard(1);
    socket.write('GET /api/version HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await heard(2);
    socket.destroy();
    expect(got.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
    expect(got).not.toMatch(/keep-alive|Connection:/i);
  });

  it('sends no byte before the first token', async () => {
    const clock = manualClock();
    const slow = await startSimulator({ clock, loadMs: 100, prefillMsPerToken: 1, decodeMsPerToken: 1 });
    const sent = probe(slow.url, '/api/chat', { model: MODEL, messages: HI });
    let headers = false;
    void sent.response.finally(() => {
      headers = true;
    });
    const step = async (): Promise<void> => {
      while (clock.sleepers() === 0) await new Promise((resolve) => setImmediate(resolve));
      await ask(slow.url, '/api/version'); // whatever was written before this answer has arrived by now
    };
    await step();
    clock.advance(100); // loaded
    await step();
    expect(headers).toBe(false);
    clock.advance(1000); // evaluated
    await step();
    expect(headers).toBe(false);
    clock.advance(1);
    await sent.response;
    expect(sent.body().match(/\n/g)?.length ?? 0).toBeLessThan(3);
    await slow.close();
  });
});
