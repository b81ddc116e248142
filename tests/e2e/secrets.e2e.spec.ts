import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { freePorts } from '@maw/dev-servers/ports.ts';
import { root } from '../equipment/source/repository.ts';
import { startOtlpReceiver } from '../equipment/fakes/otlp-receiver.ts';
import { pollUntil } from '@maw/async/poll-until.ts';

const MARK = 'opensesame';
let folder = '';
let receiver: Awaited<ReturnType<typeof startOtlpReceiver>>;
const started: ChildProcess[] = [];
/** Takes connections and never says a word, as a broker or a database that hangs. */
const silent = createServer((socket) => void socket.on('error', () => undefined).resume());
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'maw-secrets-'));
  receiver = await startOtlpReceiver();
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
});
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
});
afterAll(async () => {
  await receiver.close();
  silent.close();
  rmSync(folder, { recursive: true });
});

/** A program with a secret in everything that may hold one; its broker and its database say nothing. */
async function run(service: string, more: Record<string, string> = {}) {
  const [port] = (await freePorts(1)) as [number];
  const { port: closed } = silent.address() as AddressInfo;
  const keys = join(folder, `${service}-keys.json`);
  writeFileSync(keys, JSON.stringify([{ key: `${MARK}-the-key-of-a-bot`, agent: 'bot' }]));
  const env = {
    PATH: process.env['PATH'],
    AMQP_URL: `amqp://user:${MARK}1@127.0.0.1:${closed}/maw`,
    DATABASE_URL: `postgres://user:${MARK}2@127.0.0.1:${closed}/maw?options=${MARK}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url.replace('://', `://user:${MARK}3@`),
    METRICS_TOKEN: `${MARK}-the-token-of-the-scraper`,
    WEB_SECRET: `${MARK}-a-secret-that-is-long-enough-to-sign,${MARK}-an-old-one-that-is-long-enough-too`,
    WEB_PORT: '0',
    MAW_ADMIN_TOKEN: `${MARK}-the-administrator`,
    OPENAI_API_KEY: `${MARK}-the-key-of-a-provider`,
    OLLAMA_URLS: 'http://127.0.0.1:9',
    GATEWAY_KEYS: keys,
    DOOR_PORT: '0',
    RECORD: 'record',
    HOST: '127.0.0.1',
    PORT: String(port),
    LOG_LEVEL: 'debug',
    GRACE_MS: '1000',
    ...more,
  };
  const child = spawn(process.execPath, ['--no-warnings', join(root, 'services', service, 'main.ts')], { env, stdio: 'pipe' });
  started.push(child);
  let said = '';
  for (const out of [child.stdout, child.stderr]) out.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ask = (path: string, token?: string): Promise<string | undefined> =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } }).then(
      (response) => response.text(),
      () => undefined,
    );
  return { child, said: () => said, ask, token: env.METRICS_TOKEN };
}

describe.each(['gamemaster', 'chatroom', 'player', 'llm-gateway', 'web', 'aiwolf', 'contest'])('%s', (service) => {
  it('reveals no secret in log, endpoints or metrics, whatever dependency is missing', async () => {
    const { child, said, ask, token } = await run(service);
    expect(
      await pollUntil('the doors', () => (child.exitCode === null ? ask('/healthz') : `it ended: ${said()}`), { timeoutMs: 600_000 }),
    ).toContain('alive');
    const ready = (await ask('/readyz')) ?? '';
    const metrics = (await ask('/metrics', token)) ?? '';
    const denied = (await ask('/metrics', 'nobody')) ?? '';
    // It waits for its broker, or ends because its database is not there; either way it is told to end.
    child.kill('SIGTERM');
    await pollUntil('its end', () => child.exitCode !== null || child.signalCode !== null, { timeoutMs: 600_000 });
    for (const text of [ready, metrics, denied]) expect(text).not.toBe('');
    for (const text of [said(), ready, metrics, denied]) expect(text).not.toContain(MARK);
  }, 600_000);

  it('reveals no secret of an invalid configuration', async () => {
    const wrong = Object.fromEntries(
      ['AMQP_URL', 'DATABASE_URL', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'METRICS_TOKEN', 'WEB_SECRET', 'MAW_ADMIN_TOKEN'].map((name) => [
        name,
        `u:${MARK} @x`,
      ]),
    );
    writeFileSync(join(folder, 'broken.json'), `[{"key":"${MARK}","agent":"a/b"},{"key":"${MARK} ${MARK} ${MARK}"}]`);
    const { child, said } = await run(service, { ...wrong, GATEWAY_KEYS: join(folder, 'broken.json') });
    await pollUntil('its end', () => child.exitCode !== null, { timeoutMs: 600_000 });
    expect(child.exitCode).not.toBe(0);
    await pollUntil('the mistakes', () => said().includes('METRICS_TOKEN'), { timeoutMs: 600_000 });
    expect(said()).not.toContain(MARK);
  }, 600_000);
});
