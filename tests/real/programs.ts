import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { pollUntil } from '@maw/async/poll-until.ts';
import { freePorts } from '@maw/dev-servers/ports.ts';
import { findProgram, programs } from '../equipment/servers/real-programs.ts';
import { root } from '../equipment/source/repository.ts';

/** A program that runs. */
interface Running {
  /** What it wrote last. */
  said(): string;
  close(): Promise<void>;
}

/** Starts a program of ours with files in a folder of its own, which is gone afterwards, and waits until it is ready. */
async function start(
  name: keyof typeof programs,
  {
    files = {},
    args,
    env = {},
    isReady,
  }: {
    readonly files?: Readonly<Record<string, object>>;
    readonly args: (folder: string) => readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    readonly isReady?: () => Promise<boolean>;
  },
): Promise<Running> {
  const program = findProgram(programs[name]);
  if (program === undefined) throw new Error(`there is no ${name} here; tests/real/get.sh fetches and builds it`);
  const folder = await mkdtemp(join(tmpdir(), `maw-${name}-`));
  for (const [file, content] of Object.entries(files)) await writeFile(join(folder, file), stringify(content));
  const child = spawn(program, args(folder), { cwd: folder, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const output of [child.stdout, child.stderr])
    output.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-20_000)));
  const gone = once(child, 'exit');
  const close = async (): Promise<void> => {
    if (!hasEnded(child)) child.kill('SIGTERM');
    await gone;
    await rm(folder, { recursive: true, force: true });
  };
  const look = async (): Promise<boolean> => {
    if (hasEnded(child)) throw new Error(`${name} ended:\n${said}`);
    return isReady === undefined || isReady().catch(() => false);
  };
  try {
    await pollUntil(`${name} being ready`, look, { timeoutMs: 300_000 });
  } catch (error) {
    await close();
    throw error;
  }
  return { said: () => said, close };
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/** The collector of traces as it is shipped, but for where it listens, where traces go, and how long it waits. */
export interface TraceCollector extends Running {
  /** What OTEL_EXPORTER_OTLP_ENDPOINT is to be. */
  readonly url: string;
}

/** @param tracesTo host and port of a receiver of OTLP over gRPC */
export async function startTraceCollector(
  tracesTo: string,
  { decisionWait, share }: { readonly decisionWait: string; readonly share: number },
): Promise<TraceCollector> {
  const [http, grpc] = await freePorts(2);
  const url = `http://127.0.0.1:${http}`;
  const running = await start('traces', {
    args: () => [`--config=${join(root, 'infra/otel-collector/traces.yaml')}`],
    env: {
      TRACED_TABLES: String(share),
      DECISION_WAIT: decisionWait,
      OTLP_HTTP: `127.0.0.1:${http}`,
      OTLP_GRPC: `127.0.0.1:${grpc}`,
      TRACES_TO: tracesTo,
    },
    isReady: async () => (await sendTraces(url, { resourceSpans: [] })).ok,
  });
  return { url, ...running };
}

/** Sends spans as OTLP in JSON. */
export const sendTraces = (url: string, traces: object): Promise<Response> =>
  fetch(`${url}/v1/traces`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(traces) });

/** The collector of logs as it is shipped, but for the folders and where lines go: to `logsTo`, as JSON. */
export const startLogCollector = (containers: string, positions: string, logsTo: string): Promise<Running> =>
  start('logs', {
    args: () => [
      `--config=${join(root, 'infra/otel-collector/logs.yaml')}`,
      `--set=receivers::file_log::include=[${containers}/*/*-json.log]`,
      `--set=extensions::file_storage::directory=${positions}`,
      `--set=exporters::otlp_http::endpoint=${logsTo}`,
      '--set=exporters::otlp_http::encoding=json',
    ],
  });

/** Jaeger, which keeps traces in memory. */
export interface Jaeger extends Running {
  /** Its API and page. */
  readonly url: string;
  /** Host and port where it takes OTLP over gRPC. */
  readonly otlp: string;
}

export async function startJaeger(): Promise<Jaeger> {
  const [http, queries, otlp] = await freePorts(3);
  const config = {
    service: {
      extensions: ['jaeger_storage', 'jaeger_query'],
      pipelines: { traces: { receivers: ['otlp'], processors: ['batch'], exporters: ['jaeger_storage_exporter'] } },
      telemetry: { metrics: { level: 'none' } },
    },
    extensions: {
      jaeger_storage: { backends: { memory: { memory: { max_traces: 100_000 } } } },
      jaeger_query: {
        storage: { traces: 'memory' },
        http: { endpoint: `127.0.0.1:${http}` },
        grpc: { endpoint: `127.0.0.1:${queries}` },
      },
    },
    receivers: { otlp: { protocols: { grpc: { endpoint: `127.0.0.1:${otlp}` } } } },
    processors: { batch: null },
    exporters: { jaeger_storage_exporter: { trace_storage: 'memory' } },
  };
  const url = `http://127.0.0.1:${http}`;
  const running = await start('jaeger', {
    files: { 'jaeger.yaml': config },
    args: (folder) => [`--config=${join(folder, 'jaeger.yaml')}`],
    isReady: async () => (await fetch(`${url}/api/services`)).ok,
  });
  return { url, otlp: `127.0.0.1:${otlp}`, ...running };
}

/** Starts Alertmanager. @returns host and port, as Prometheus wants them */
export async function startAlertmanager(config: object): Promise<Running & { readonly at: string }> {
  const [http] = await freePorts(1);
  const at = `127.0.0.1:${http}`;
  const running = await start('alertmanager', {
    files: { 'alertmanager.yml': config },
    args: (folder) => [
      `--config.file=${join(folder, 'alertmanager.yml')}`,
      `--storage.path=${join(folder, 'data')}`,
      `--web.listen-address=${at}`,
      '--cluster.listen-address=', // one alone
    ],
    isReady: async () => (await fetch(`http://${at}/-/ready`)).ok,
  });
  return { at, ...running };
}
