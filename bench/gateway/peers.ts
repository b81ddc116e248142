import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pollUntil } from '@maw/async/poll-until.ts';
import type { MeasuredProcess } from '../measured-process.ts';
import { type Client, compatible, directTo } from './clients.ts';

/** Other software in the place of the gateway. */
export interface Peer extends MeasuredProcess {
  readonly name: string;
  readonly client: Client;
}

const PORTKEY = 'node_modules/@portkey-ai/gateway';
const START_MS = 10_000;

/**
 * What is installed here: nginx, and Portkey's gateway where `npm install --no-save @portkey-ai/gateway` has put it below the current folder.
 * `say` reports what is missing.
 */
export async function peersFor(model: string, say: (line: string) => void): Promise<readonly Peer[]> {
  const out: Peer[] = [];
  if (spawnSync('nginx', ['-v']).status === 0) out.push(await nginx(model));
  else say('nginx is not installed: left out');
  const folder = join(process.cwd(), PORTKEY);
  if (existsSync(folder)) out.push(await portkey(model, folder));
  else say(`there is no ${PORTKEY}: left out (npm install --no-save @portkey-ai/gateway)`);
  return out;
}

async function nginx(model: string): Promise<Peer> {
  const folder = mkdtempSync(join(tmpdir(), 'maw-bench-'));
  const port = await freePort();
  mkdirSync(join(folder, 'logs'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((of) => `${of}_temp_path ${folder}/${of};`).join(' ');
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr warn;
    events { worker_connections 8192; }
    http { access_log off; ${temporary} keepalive_requests 1000000; client_body_buffer_size 64k;
      upstream model { server ${new URL(model).host}; keepalive 512; keepalive_requests 1000000; }
      server { listen 127.0.0.1:${port}; location / { proxy_pass http://model; proxy_http_version 1.1; proxy_set_header Connection ""; } } }`,
  );
  return startPeer('nginx', port, ['nginx', '-p', folder, '-c', 'nginx.conf'], directTo, () =>
    rmSync(folder, { recursive: true, force: true }),
  );
}

async function portkey(model: string, folder: string): Promise<Peer> {
  const port = await freePort();
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  const command = [process.execPath, join(folder, 'build/start-server.js'), '--headless', `--port=${port}`];
  const headers = { 'x-portkey-provider': 'ollama', 'x-portkey-custom-host': model };
  return startPeer(`Portkey ${version}`, port, command, (url) => compatible(url, headers));
}

async function startPeer(
  name: string,
  port: number,
  [command, ...args]: readonly string[],
  asking: (url: string) => Client,
  after = (): void => undefined,
): Promise<Peer> {
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(command!, args, { stdio: 'ignore' });
  const client = asking(url);
  const close = (): void => {
    client.close();
    child.kill('SIGTERM');
    child.once('exit', after);
  };
  try {
    await pollUntil(
      `${name} answers at ${url}`,
      async () => {
        if (child.exitCode !== null) return true;
        await client.ask(0);
        return true;
      },
      { timeoutMs: START_MS, everyMs: 50, retryErrors: true },
    );
    if (child.exitCode !== null) throw new Error(`${name} ended with exit code ${child.exitCode}`);
  } catch (error) {
    close();
    throw error;
  }
  const all = () => familyOf(child.pid!);
  return {
    name,
    url,
    client,
    cpuUs: async () => sumOf(all(), ticksUs),
    rss: async () => sumOf(all(), rssOf),
    close,
  };
}

const sumOf = (pids: readonly number[], of: (pid: number) => number | undefined): number | undefined =>
  pids.reduce<number | undefined>((sum, pid) => (sum ?? 0) + (of(pid) ?? 0), undefined);

/** A process and its children, from /proc; empty where there is none. */
function familyOf(pid: number): readonly number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
    return [pid, ...children];
  } catch {
    return existsSync(`/proc/${pid}`) ? [pid] : [];
  }
}

/** Of the file stat of a process, times are in hundredths of a second: fields 14 and 15, behind a name that may hold spaces (proc(5)). */
function ticksUs(pid: number): number | undefined {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

function rssOf(pid: number): number | undefined {
  const [, kib] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return kib === undefined ? undefined : Number(kib) * 1024;
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
