import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A process with two components. `slow` closes when it reads a line; with `odd` an error is thrown and not caught. */
const SERVICE = (here: string, what: string) => `
  import { once } from 'node:events';
  import { runUntilSignal } from '${here}/shutdown.ts';
  import { startOpsServer } from '${here}/ops-server.ts';
  import { logger } from '${here}/../telemetry/log.ts';
  const log = logger('child');
  const ops = await startOpsServer({ service: 'child', host: '127.0.0.1', port: 0, ready: {} });
  const slow = { name: 'slow', close: async () => { log.info('slow begins'); await once(process.stdin, 'data'); log.info('slow ends'); } };
  runUntilSignal([slow, { name: 'ops', close: ops.close }], { graceMs: ${what === 'stuck' ? 50 : 60_000}, log });
  ${what === 'odd' ? "setImmediate(() => { throw new Error('odd'); });" : ''}
  log.info({ url: ops.url }, 'up');
`;

function start(what: 'calm' | 'stuck' | 'odd') {
  const child = spawn(process.execPath, ['--input-type=module', '-e', SERVICE(import.meta.dirname, what)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  let text = '';
  const look = new Set<() => void>();
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    for (const one of look) one();
  });
  const lines = () =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { message: string; level: string; url?: string });
  const said = (message: string) =>
    new Promise<{ url?: string }>((resolve) => {
      const one = () => {
        const line = lines().find((l) => l.message === message);
        if (line) resolve(line);
      };
      look.add(one);
      one();
    });
  const ended = once(child, 'close').then(([code, signal]: unknown[]) => code ?? signal);
  return { child, said, ended, lines };
}

describe('a real process', () => {
  it('closes its components in order after SIGTERM and exits with 0', async () => {
    const { child, said, ended, lines } = start('calm');
    const { url } = await said('up');
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    child.kill('SIGTERM');
    await said('slow begins');
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    child.stdin!.write('go\n');
    expect(await ended).toBe(0);
    expect(lines().map(({ message }) => message)).toEqual(['up', 'shutting down', 'slow begins', 'slow ends', 'shutdown complete']);
  });

  it('exits at once with 130 after a second SIGINT', async () => {
    const { child, said, ended } = start('calm');
    await said('up');
    child.kill('SIGINT');
    await said('slow begins');
    child.kill('SIGINT');
    expect(await ended).toBe(130);
  });

  it('exits with 1 when the grace time is over', async () => {
    const { child, said, ended, lines } = start('stuck');
    await said('up');
    child.kill('SIGTERM');
    expect(await ended).toBe(1);
    expect(lines().at(-1)).toMatchObject({ message: expect.stringMatching(/^shutdown incomplete: 2 components/), open: ['slow', 'ops'] });
  });

  it('logs an uncaught error, closes its components and exits with 1', async () => {
    const { child, said, ended, lines } = start('odd');
    await said('slow begins');
    child.stdin!.write('go\n');
    expect(await ended).toBe(1);
    expect(lines().some(({ level }) => level === 'fatal')).toBe(true);
    expect(lines().at(-1)?.message).toBe('shutdown complete');
  });
});
