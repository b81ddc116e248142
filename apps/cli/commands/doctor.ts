import { explainBrokerError, describeBroker } from '@maw/bus/rabbitmq/broker-url.ts';
import { explainTlsError } from '@maw/telemetry/tls-error.ts';
import type { CliConfig } from '../config.ts';
import { isListening, readConnectionFile } from '../clients/connection-file.ts';
import { ApiProblem } from '@maw/api-client/problem.ts';
import { connectToGateway } from '../clients/gateway-client.ts';
import { findModels, serversIn } from '@maw/llm-gateway/discovery/find-models.ts';
import type { ModelCheck } from './doctor-model.ts';
import { say } from '../output.ts';
import { brokerTls, databaseTls } from '@maw/dev-servers/tls.ts';

const TIMEOUT_MS = 2_000;

interface Finding {
  readonly what: string;
  readonly isWell: boolean;
  readonly says: string;
  /** What to do about it when it is not well. */
  readonly do?: string;
}

const well = (what: string, says: string): Finding => ({ what, isWell: true, says });
const unwell = (what: string, says: string, remedy: string): Finding => ({ what, isWell: false, says, do: remedy });

/**
 * What is reachable, in which version, and what to do about what is not. Exit code 1 when something that was named is not.
 * @throws Error for options of a model that is not named
 */
export async function doctor(
  config: CliConfig,
  { json: isJson, data, mind, server, keyFile }: ModelCheck & { readonly data: string },
): Promise<number> {
  if (mind !== undefined || server !== undefined || keyFile !== undefined)
    throw new Error('--mind, --server and --key-file are of a model: name it with --model');
  const left = await readConnectionFile(data);
  const isModelNamed = ['OLLAMA_HOST', 'OLLAMA_URLS', 'GATEWAY_CONFIG'].some((name) => config.all[name]);
  const servers = await Promise.all([
    broker(config.amqpUrl ?? left?.amqpUrl, config),
    database(config.databaseUrl ?? left?.databaseUrl, config),
    // Where there is a gateway, it knows the model servers; what listens beside this command matters to nobody.
    (config.gatewayAt ?? (isModelNamed ? undefined : left?.gateway)) ? pool(data, config) : ollama(config.all),
    opening(config.at ?? left?.url),
  ]);
  const findings = [node(), ...servers.flat()];
  if (isJson) say(JSON.stringify(findings));
  else
    for (const { what, isWell, says, do: remedy } of findings)
      say(`${isWell ? 'ok ' : '-- '} ${what}: ${says}${remedy ? `\n     ${remedy}` : ''}`);
  const isNamed = (what: string) =>
    (what === 'Web service' && config.at !== undefined) ||
    (what === 'RabbitMQ' && config.amqpUrl !== undefined) ||
    (what === 'PostgreSQL' && config.databaseUrl !== undefined) ||
    (what === 'Model servers' && config.gatewayAt !== undefined) ||
    (what === 'Ollama' && isModelNamed);
  return findings.some(({ what, isWell }) => !isWell && (what === 'Node' || isNamed(what))) ? 1 : 0;
}

async function opening(url: string | undefined): Promise<Finding> {
  const what = 'Web service';
  if (url === undefined) return unwell(what, 'no running system is noted in this folder', 'start one with ./maw up, or name one in MAW_AT');
  const start = 'start it with ./maw up, or name another in MAW_AT';
  const { protocol, username, password } = URL.canParse(url) ? new URL(url) : { protocol: '', username: '', password: '' };
  if (!/^https?:$/.test(protocol) || username || password)
    return unwell(what, `${shown(url)} is not an HTTP address`, 'write MAW_AT as http://host:port; a token goes into MAW_TOKEN');
  const found = await fetch(`${url.replace(/\/+$/, '')}/rules`, { signal: AbortSignal.timeout(2_000) }).catch((error: unknown) => {
    const { cause, name } = error as Error & { readonly cause?: { readonly code?: string; readonly message?: string } };
    return cause?.code ?? cause?.message ?? name;
  });
  if (typeof found === 'string') return unwell(what, `nothing answers at ${shown(url)} (${found})`, start);
  // Without a token nobody comes in: it is there.
  if (found.ok || found.status === 401) return well(what, `open at ${shown(url)}`);
  const isDoor = found.headers.get('content-type')?.startsWith('application/problem+json') ?? false;
  return isDoor
    ? unwell(what, `the web service at ${shown(url)} answers ${found.status}`, 'its log and its /readyz say why')
    : unwell(what, `the server at ${shown(url)} is not the web service of maw (${found.status})`, start);
}

const node = (): Finding =>
  process.version.startsWith('v24.')
    ? well('Node', process.version)
    : unwell('Node', process.version, 'start everything with ./maw, which brings Node 24');

async function broker(url: string | undefined, config: CliConfig): Promise<Finding> {
  const what = 'RabbitMQ';
  const remedy = 'set AMQP_URL=amqp://user:password@host:5672; ./maw play needs none, ./maw up finds or starts one';
  try {
    const { probeBroker } = await import('@maw/dev-servers/broker.ts');
    const tls = config.amqpUrl === undefined ? undefined : brokerTls(config.all);
    const { product, version } = await probeBroker(url ?? 'amqp://guest:guest@127.0.0.1:5672', tls, TIMEOUT_MS);
    return well(what, `${product} ${version} at ${shown(url ?? 'amqp://127.0.0.1:5672')}`);
  } catch (error) {
    const says = `nothing usable at ${shown(url ?? 'amqp://127.0.0.1:5672')} (${why(error)})`;
    return unwell(what, says, explainBrokerError(error, shown(url ?? '')) ?? remedy);
  }
}

async function database(url: string | undefined, config: CliConfig): Promise<Finding> {
  const what = 'PostgreSQL';
  const remedy = 'set DATABASE_URL=postgres://user:password@host:5432/name; ./maw play needs none, ./maw up finds or starts one';
  if (url === undefined) {
    const isThere = await isListening('127.0.0.1', 5432);
    return unwell(what, isThere ? 'something listens at 127.0.0.1:5432, but DATABASE_URL is not set' : 'DATABASE_URL is not set', remedy);
  }
  try {
    const { probeDatabase } = await import('@maw/dev-servers/database.ts');
    const tls = config.databaseUrl === undefined ? undefined : databaseTls(config.all);
    const { version, vector } = await probeDatabase(url, tls, TIMEOUT_MS);
    return well(what, `${version} at ${shown(url)}, ${vector === null ? 'no pgvector' : `pgvector ${vector}`}`);
  } catch (error) {
    const explained = explainTlsError(error, `PostgreSQL at ${shown(url)}`, 'DATABASE');
    return unwell(what, `nothing usable at ${shown(url)} (${why(error)})`, explained ?? remedy);
  }
}

/** What the gateway says of its model servers. */
async function pool(data: string, config: CliConfig): Promise<Finding> {
  const what = 'Model servers';
  try {
    const gateway = await connectToGateway({ data }, config);
    const servers = await gateway.servers();
    const says = `${servers.map((each) => `${each.server} ${each.state} (${each.slots} slots)`).join(', ') || 'none'}, of the gateway at ${gateway.at}`;
    return servers.some(({ state }) => state === 'up')
      ? well(what, says)
      : unwell(what, says, 'start one, or add one: ./maw gateway servers add URL; ./maw gateway status says why one is down');
  } catch (error) {
    const says = error instanceof ApiProblem && error.detail ? error.detail : (error as Error).message;
    return unwell(what, says, 'set MAW_GATEWAY_AT and MAW_GATEWAY_KEY to a gateway and an administrator’s key');
  }
}

async function ollama(env: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  const what = 'Ollama';
  let servers: ReturnType<typeof serversIn>;
  try {
    servers = serversIn(env);
  } catch (error) {
    return [unwell(what, (error as Error).message, 'correct OLLAMA_HOST, or unset it to use 127.0.0.1:11434')];
  }
  return (await findModels(servers, Date.now)).map(
    ({ server: { url }, version = 'of the OpenAI protocol', models, baseModels, problem }) => {
      if (problem !== undefined)
        return unwell(
          what,
          `no server at ${url} (${problem}); minds play without a model`,
          'install Ollama and start it, or set OLLAMA_HOST',
        );
      const there = `${version} at ${url}`;
      const bases = baseModels.length > 0 ? `; without a chat template: ${baseModels.join(', ')}` : '';
      if (!models.length) return unwell(what, `${there}: no model that can chat${bases}`, 'fetch a model with: ollama pull llama3.1');
      return well(what, `${there}: ${models.join(', ')}${bases}`);
    },
  );
}

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
    return 'an invalid address';
  }
}
