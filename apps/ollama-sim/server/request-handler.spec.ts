import { describe, expect, it } from '@jest/globals';
import { HI, MODEL, sim, useSimulator } from '../api.suite.ts';
import { connect } from 'node:net';
import { hostname } from 'node:os';
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
    ['GET', '//api/tags', 301, 'text/html; charset=utf-8', '<a href="/api/tags">Moved Permanently</a>.\n\n'],
  ])('answers %s %s with %i', async (method, path, status, type, text) => {
    const seen = await ask(sim.url, path, undefined, { method });
    expect([seen.status, seen.headers['content-type'], seen.text]).toEqual([status, type, text]);
  });

  it.each([
    ['POST', '//api/chat?a=b', '/api/chat?a=b'],
    ['GET', '/api//tags', '/api/tags'],
    ['GET', '/api/../api/tags', '/api/tags'],
  ])('redirects %s %s to the normalized path', async (method, path, to) => {
    const seen = await ask(sim.url, path, method === 'POST' ? {} : undefined, { method });
    expect([seen.status, seen.headers['location']]).toEqual([301, to]);
  });

  it.each([
    '127.0.0.1:1',
    'localhost',
    '[::1]:11434',
    '192.168.3.4',
    '10.1.1.1:80',
    'ollama.local',
    'x.internal',
    'a.localhost:3',
    hostname(),
    '0.0.0.0',
  ])('accepts the host %s', async (host) => {
    expect((await ask(sim.url, '/api/version', undefined, { headers: { host } })).status).toBe(200);
  });

  it.each(['example.org', '8.8.8.8', 'localhost.example.org', 'internal'])('rejects the host %s with an empty 403', async (host) => {
    const seen = await ask(sim.url, '/api/version', undefined, { headers: { host } });
    expect([seen.status, seen.text]).toEqual([403, '']);
  });

  it('does not check the host unless bound to loopback', async () => {
    const open = await startSimulator({ host: '0.0.0.0' });
    const seen = await ask(`http://127.0.0.1:${open.port}`, '/api/version', undefined, { headers: { host: 'example.org' } });
    await open.close();
    expect(seen.status).toBe(200);
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

  it('sends Content-Length for small responses and chunks large ones', async () => {
    const small = await ask(sim.url, '/api/chat', { model: MODEL, messages: HI, stream: false });
    const large = await ask(sim.url, '/api/embed', {
      model: 'simulated-embed',
      input: ['Everybody at this table', 'has something to say', 'about the wolves'],
    });
    expect([small.headers['content-length'], small.headers['transfer-encoding']]).toEqual([
      String(Buffer.byteLength(small.text)),
      undefined,
    ]);
    expect([large.headers['content-length'], large.headers['transfer-encoding']]).toEqual([undefined, 'chunked']);
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
