import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { freePorts } from '@maw/dev-servers/ports.ts';
import { pollUntil } from '@maw/async/poll-until.ts';
import { hasPostgres, hasRabbitmq } from '../equipment/servers/private-servers.ts';
import { findProgram } from '../equipment/servers/real-programs.ts';

export const promtool = findProgram(['promtool']);
/** On the path, or of tests/real/get.sh (Debian: the package `prometheus` has both). */
const server = findProgram(['prometheus']);
/**
 * What is not here of the servers of a whole system that is watched; empty: all are. Prometheus must be on the path, as it is where a machine is
 * set up for it: beside all others the waits of such suites are too long.
 */
export const missingServers = [
  ...(findProgram(['prometheus'], { ...process.env, MAW_REAL: 'none' }) ? [] : ['prometheus']),
  ...(hasRabbitmq ? [] : ['rabbitmq-server']),
  ...(hasPostgres ? [] : ['postgres']),
].join(', ');

/** Of the package `prometheus-alertmanager`. */
export const amtool = findProgram(['amtool']);
export const alertmanager = findProgram(['prometheus-alertmanager', 'alertmanager']);

/** Runs promtool. Returns what it says and whether it is content. */
export const runPromtool = (...args: readonly string[]) => runProgram(promtool!, args);

export async function runProgram(program: string, args: readonly string[]): Promise<{ readonly isWell: boolean; readonly said: string }> {
  const run = promisify(execFile);
  try {
    const { stdout, stderr } = await run(program, args);
    return { isWell: true, said: stdout + stderr };
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return { isWell: false, said: stdout + stderr };
  }
}

/** One series of an answer. */
export interface Result {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [at: number, value: string];
}

export interface Exemplars {
  readonly seriesLabels: Readonly<Record<string, string>>;
  readonly exemplars: readonly { readonly labels: Readonly<Record<string, string>>; readonly value: string }[];
}

export interface Prometheus {
  readonly url: string;
  /** @throws Error with what Prometheus says is wrong with the expression */
  query(expr: string): Promise<readonly Result[]>;
  /** The exemplars of the last quarter of an hour. */
  exemplars(expr: string): Promise<readonly Exemplars[]>;
  close(): Promise<void>;
}

/** Starts a Prometheus with a configuration and files beside it, its data in a folder that is gone afterwards. */
export async function startPrometheus(config: object, files: Readonly<Record<string, string>> = {}): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'maw-prometheus-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  await writeFile(join(folder, 'prometheus.yml'), stringify(config));
  const [port] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const args = [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--enable-feature=exemplar-storage',
  ];
  const child = spawn(server!, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-20_000)));
  const gone = once(child, 'exit');
  const close = async (): Promise<void> => {
    if (!hasEnded(child)) child.kill('SIGTERM');
    await gone;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await pollUntil(
      'prometheus being ready',
      async () => {
        if (hasEnded(child)) throw new Error(`prometheus ended:\n${said}`);
        return fetch(`${url}/-/ready`).then(
          ({ ok }) => ok,
          () => false,
        );
      },
      { timeoutMs: 600_000 },
    );
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url,
    query: async (expr) => (await asked<{ result: readonly Result[] }>(`${url}/api/v1/query`, { query: expr })).result,
    exemplars: (expr) =>
      asked<readonly Exemplars[]>(`${url}/api/v1/query_exemplars`, {
        query: expr,
        start: String(Date.now() / 1000 - 900),
        end: String(Date.now() / 1000 + 60),
      }),
    close,
  };
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

async function asked<T>(url: string, about: Readonly<Record<string, string>>): Promise<T> {
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(about) });
  const { status, data, error } = (await answer.json()) as { status: string; data: T; error?: string };
  if (status !== 'success') throw new Error(`${about['query']}: ${error}`);
  return data;
}
