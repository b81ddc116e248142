import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MeasuredProcess } from '../measured-process.ts';
import { type Client, compatible, directTo } from './clients.ts';

/** Somebody else’s program in the place of the gateway. */
export interface Peer extends MeasuredProcess {
  readonly name: string;
  readonly asked: Client;
}

const PORTKEY = 'node_modules/@portkey-ai/gateway';
const SOON_MS = 10_000;

/**
 * Those that are to be had here: nginx where it is installed, and Portkey’s gateway where `npm install --no-save @portkey-ai/gateway` has put it
 * below the folder one is in. @param say is told what is not there
 */
export async function peersFor(model: string, say: (line: string) => void): Promise<readonly Peer[]> {
  const out: Peer[] = [];
  if (spawnSync('nginx', ['-v']).status === 0) out.push(await nginx(model));
  else say('nginx is not installed, and left out');
  const folder = join(process.cwd(), PORTKEY);
  if (existsSync(folder)) out.push(await portkey(model, folder));
  else say(`there is no ${PORTKEY} here, and it is left out: npm install --no-save @portkey-ai/gateway`);
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
  return begun('nginx', port, ['nginx', '-p', folder, '-c', 'nginx.conf'], directTo, () =>
    rmSync(folder, { recursive: true, force: true }),
  );
}

async function portkey(model: string, folder: string): Promise<Peer> {
  const port = await freePort();
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  const command = [process.execPath, join(folder, 'build/start-server.js'), '--headless', `--port=${port}`];
  const headers = { 'x-portkey-provider': 'ollama', 'x-portkey-custom-host': model };
  return begun(`Portkey ${version}`, port, command, (url) => compatible(url, headers));
}

async function begun(
  name: string,
  port: number,
  [command, ...args]: readonly string[],
  asking: (url: string) => Client,
  after = (): void => undefined,
): Promise<Peer> {
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(command!, args, { stdio: 'ignore' });
  const asked = asking(url);
  const close = (): void => {
    asked.close();
    child.kill('SIGTERM');
    child.once('exit', after);
  };
  for (const until = Date.now() + SOON_MS; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const error = await asked.ask(0).then(
      () => undefined,
      (why: unknown) => why as Error,
    );
    if (!error) break;
    if (Date.now() < until && child.exitCode === null) continue;
    close();
    throw new Error(`${name} does not answer at ${url}: ${error.message}`);
  }
  const all = () => familyOf(child.pid!);
  return {
    name,
    url,
    asked,
    cpuUs: async () => sumOf(all(), ticksUs),
    rss: async () => sumOf(all(), rssOf),
    close,
  };
}

const sumOf = (pids: readonly number[], of: (pid: number) => number | undefined): number | undefined =>
  pids.reduce<number | undefined>((sum, pid) => (sum ?? 0) + (of(pid) ?? 0), undefined);

/** A process and its children, as Linux tells; none where there is no /proc. */
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
