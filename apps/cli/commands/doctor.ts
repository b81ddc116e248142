import { connect } from 'node:net';
import { explainBrokerError, describeBroker } from '@maw/bus/rabbitmq/broker-url.ts';
import { explainTlsError } from '@maw/telemetry/tls-error.ts';
import type { CliConfig } from '../config.ts';
import { readConnectionFile } from '../clients/connection-file.ts';
import { probeOllama, ollamaUrl } from '../models.ts';
import { brokerTls, databaseTls } from '../tls.ts';

const TIMEOUT_MS = 2_000;

interface Finding {
  readonly what: string;
  readonly isWell: boolean;
  readonly says: string;
  /** What to do about it when it is not well. */
  readonly do?: string;
}

/** What is reachable, in which version, and what to do about what is not. Exit code 1 when something that was named is not. */
export async function doctor(
  config: CliConfig,
  { json: isJson, data }: { readonly json: boolean; readonly data: string },
): Promise<number> {
  const left = await readConnectionFile(data);
  const all = await Promise.all([
    node(),
    broker(config.amqpUrl ?? left?.amqpUrl, config),
    database(config.databaseUrl ?? left?.databaseUrl, config),
    ollama(config.ollamaHost),
    opening(config.at ?? left?.url),
  ]);
  const findings = all.map(({ do: remedy, ...each }): Finding => (each.isWell || !remedy ? each : { ...each, do: remedy }));
  if (isJson) process.stdout.write(`${JSON.stringify(findings)}\n`);
  else {
    for (const { what, isWell, says, do: remedy } of findings) {
      process.stdout.write(`${isWell ? 'ok ' : '-- '} ${what}: ${says}\n${remedy ? `     ${remedy}\n` : ''}`);
    }
  }
  const isNamed = (what: string) =>
    (what === 'Door' && config.at !== undefined) ||
    (what === 'RabbitMQ' && config.amqpUrl !== undefined) ||
    (what === 'PostgreSQL' && config.databaseUrl !== undefined) ||
    (what === 'Ollama' && config.ollamaHost !== undefined);
  return findings.some(({ what, isWell }) => !isWell && (what === 'Node' || isNamed(what))) ? 1 : 0;
}

async function opening(url: string | undefined): Promise<Finding> {
  const what = 'Door';
  if (url === undefined) return { what, isWell: false, says: 'none is noted here', do: 'open one with ./maw up, or name one in MAW_AT' };
  const start = 'start it with ./maw up, or name another in MAW_AT';
  const { protocol, username, password } = URL.canParse(url) ? new URL(url) : { protocol: '', username: '', password: '' };
  if (!/^https?:$/.test(protocol) || username || password)
    return {
      what,
      isWell: false,
      says: `${shown(url)} is not where a door can be`,
      do: 'write MAW_AT as http://host:port; a token goes into MAW_TOKEN',
    };
  const found = await fetch(`${url.replace(/\/+$/, '')}/rules`, { signal: AbortSignal.timeout(2_000) }).catch((error: unknown) => {
    const { cause, name } = error as Error & { readonly cause?: { readonly code?: string; readonly message?: string } };
    return cause?.code ?? cause?.message ?? name;
  });
  if (typeof found === 'string') return { what, isWell: false, says: `nothing answers at ${shown(url)} (${found})`, do: start };
  // Without a token nobody comes in: it is there.
  if (found.ok || found.status === 401) return { what, isWell: true, says: `open at ${shown(url)}` };
  const isDoor = found.headers.get('content-type')?.startsWith('application/problem+json') ?? false;
  return isDoor
    ? { what, isWell: false, says: `the door at ${shown(url)} is not well (${found.status})`, do: 'its lines and its /readyz say why' }
    : { what, isWell: false, says: `what answers at ${shown(url)} is no door (${found.status})`, do: start };
}

async function node(): Promise<Finding> {
  const isWell = process.version.startsWith('v24.');
  return { what: 'Node', isWell, says: process.version, do: 'start everything with ./maw, which brings Node 24' };
}

async function broker(url: string | undefined, config: CliConfig): Promise<Finding> {
  const what = 'RabbitMQ';
  const remedy = 'set AMQP_URL=amqp://user:password@host:5672; ./maw play needs none, ./maw up finds or starts one';
  try {
    const { probeBroker } = await import('../dev-servers/broker.ts');
    const tls = config.amqpUrl === undefined ? undefined : brokerTls(config.all);
    const { product, version } = await probeBroker(url ?? 'amqp://guest:guest@127.0.0.1:5672', tls, TIMEOUT_MS);
    return { what, isWell: true, says: `${product} ${version} at ${shown(url ?? 'amqp://127.0.0.1:5672')}` };
  } catch (error) {
    return {
      what,
      isWell: false,
      says: `nothing usable at ${shown(url ?? 'amqp://127.0.0.1:5672')} (${why(error)})`,
      do: explainBrokerError(error, shown(url ?? '')) ?? remedy,
    };
  }
}

async function database(url: string | undefined, config: CliConfig): Promise<Finding> {
  const what = 'PostgreSQL';
  const remedy = 'set DATABASE_URL=postgres://user:password@host:5432/name; ./maw play needs none, ./maw up finds or starts one';
  if (url === undefined) {
    const isThere = await listens('127.0.0.1', 5432);
    return {
      what,
      isWell: false,
      says: isThere ? 'something listens at 127.0.0.1:5432, but DATABASE_URL is not set' : 'DATABASE_URL is not set',
      do: remedy,
    };
  }
  try {
    const { probeDatabase } = await import('../dev-servers/database.ts');
    const tls = config.databaseUrl === undefined ? undefined : databaseTls(config.all);
    const { version, vector } = await probeDatabase(url, tls, TIMEOUT_MS);
    return { what, isWell: true, says: `${version} at ${shown(url)}, ${vector === null ? 'no pgvector' : `pgvector ${vector}`}` };
  } catch (error) {
    return {
      what,
      isWell: false,
      says: `nothing usable at ${shown(url)} (${why(error)})`,
      do: explainTlsError(error, `PostgreSQL at ${shown(url)}`, 'DATABASE') ?? remedy,
    };
  }
}

async function ollama(host: string | undefined): Promise<Finding> {
  const what = 'Ollama';
  let url: string;
  try {
    url = ollamaUrl(host);
  } catch (error) {
    return {
      what,
      isWell: false,
      says: (error as Error).message,
      do: 'mend OLLAMA_HOST, or leave it out: 127.0.0.1:11434 is looked at then',
    };
  }
  const found = await probeOllama(url);
  if ('why' in found)
    return {
      what,
      isWell: false,
      says: `no server at ${found.url} (${found.why}); ollama-sim stands in for it`,
      do: 'install Ollama and start it, or set OLLAMA_HOST',
    };
  const models = found.models.join(', ');
  return {
    what,
    isWell: found.models.length > 0,
    says: `${found.version} at ${found.url}: ${models || 'no model that can talk'}`,
    do: 'fetch a model with: ollama pull llama3.1',
  };
}

const listens = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1_000 });
    const done = (isThere: boolean) => () => {
      socket.destroy();
      resolve(isThere);
    };
    socket.on('connect', done(true)).on('error', done(false)).on('timeout', done(false));
  });

/** A short code where the system has one for it; what a server says in its own words, whose codes nobody knows by heart. */
function why(error: unknown): string {
  const { code, message } = error as { code?: unknown; message: string };
  return typeof code === 'string' && /^E(?!RR_)[A-Z_]+$/.test(code) ? code : message || String(code);
}

/** A URL without its password. */
function shown(url: string): string {
  try {
    return `${new URL(url).protocol}//${describeBroker(url)}`;
  } catch {
    return 'an address that is none';
  }
}
