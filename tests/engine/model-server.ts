import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { z } from 'zod';

/** The model of the engine's tests. */
export const SMALL_MODEL = 'qwen2.5-coder:0.5b';

/** An Ollama server that has the model. */
export interface ModelServer {
  readonly url: string;
  /** Ends it, if it was started here. */
  close(): Promise<void>;
}

/** The folder that `get.sh` fills. */
export const engineFolder = (env = process.env): string =>
  env['MAW_ENGINE'] ?? join(env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'maw-engine');

/**
 * Finds an Ollama server that has a model: the one that answers where OLLAMA_HOST says; else the program on the path, or the one that `get.sh`
 * has built, started here.
 * @returns why there is none, in one line
 */
export async function findModelServer(model = SMALL_MODEL, env = process.env): Promise<ModelServer | string> {
  const running = addressOf(env['OLLAMA_HOST']);
  const why: string[] = [];
  const listed = await modelsAt(running);
  if (listed?.includes(model)) return { url: running, close: async () => {} };
  why.push(listed ? `the Ollama server at ${running} has no ${model}` : `no Ollama server answers at ${running}`);
  for (const { program, models, home } of programs(env)) {
    const started = await startServer(program, { ...models, ...home }, env);
    if (typeof started !== 'string' && (await modelsAt(started.url))?.includes(model)) return started;
    why.push(typeof started === 'string' ? started : `${program} has no ${model}`);
    if (typeof started !== 'string') await started.close();
  }
  return `${why.join(', ')}; tests/engine/get.sh fetches both`;
}

interface Program {
  readonly program: string;
  readonly models: Record<string, string>;
  readonly home: Record<string, string>;
}

function programs(env: NodeJS.ProcessEnv): readonly Program[] {
  const folder = engineFolder(env);
  const own = { OLLAMA_MODELS: join(folder, 'models') };
  const onPath = (env['PATH'] ?? '').split(delimiter).map((each) => join(each, 'ollama')).find(existsSync); // prettier-ignore
  const built = join(folder, 'bin/ollama');
  return [
    ...(onPath === undefined ? [] : [{ program: onPath, models: {}, home: {} }]),
    ...(existsSync(built) ? [{ program: built, models: own, home: { HOME: join(folder, 'home') } }] : []),
  ];
}

async function startServer(program: string, own: Record<string, string>, env: NodeJS.ProcessEnv): Promise<ModelServer | string> {
  const port = await freePort();
  const child = spawn(program, ['serve'], {
    env: { ...env, ...own, OLLAMA_HOST: `127.0.0.1:${port}`, OLLAMA_NUM_PARALLEL: '1' },
    stdio: 'ignore',
  });
  child.once('error', () => {}); // it has an exit code then
  const server = { url: `http://127.0.0.1:${port}`, close: () => end(child) };
  for (let tries = 0; tries < 120 && child.exitCode === null && child.pid !== undefined; tries++) {
    if (await modelsAt(server.url)) return server;
    await after(250);
  }
  await server.close();
  return `${program} serve does not start`;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, 'exit');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function addressOf(host: string | undefined): string {
  const given = (host ?? '').trim() || '127.0.0.1:11434';
  return (/^https?:\/\//.test(given) ? given : `http://${given}`).replace(/\/+$/, '');
}

/** The models of an Ollama server; undefined: none answers there. */
async function modelsAt(url: string): Promise<readonly string[] | undefined> {
  try {
    const response = await fetch(`${url}/api/tags`, { signal: AbortSignal.timeout(3_000) });
    return z.object({ models: z.array(z.object({ name: z.string() })) }).parse(await response.json()).models.map(({ name }) => name); // prettier-ignore
  } catch {
    return undefined;
  }
}
