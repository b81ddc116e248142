import { keyOf } from '@maw/contracts/model-name.ts';
import { ConfigError } from '@maw/service/config.ts';
import { parseAddress } from '../address.ts';
import { gatewayConfig } from '../config.ts';
import { describeNetworkError, ServerError } from '../providers/errors.ts';
import { PROVIDERS } from '../providers/providers.ts';
import type { ServerOptions } from '../server-options.ts';
import { canChat, serverModels } from '../servers/server-models.ts';
import { parseServer } from '../server-config/parse-server.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** A model server as the command line finds it: with the models that its gateway would take, or what is wrong. */
export interface FoundServer {
  readonly server: ServerOptions;
  readonly version: string | undefined;
  /** Those that can chat. */
  readonly models: readonly string[];
  /** Models without a chat template: they play only when they are named. */
  readonly baseModels: readonly string[];
  /** What is wrong, in words; undefined: nothing. */
  readonly problem: string | undefined;
}

/** The variables that name model servers and their keys. */
const NAMES = ['OLLAMA_URLS', 'OLLAMA_HOST', 'OLLAMA_API_KEY', 'OPENAI_URLS', 'OPENAI_API_KEY', 'GATEWAY_CONFIG', 'SLOTS_PER_SERVER'];
/** Slots of servers of which nobody has said how many they have; a check finds out. */
const GUESSED_SLOTS = 4;
/** Requests that a paid server gets at once. */
const HOSTED_SLOTS = 8;
/** As PROBE_MS of the gateway. */
const PROBE_MS = 5_000;
const HOSTED = [
  ['OPENAI_API_KEY', 'https://api.openai.com/v1'],
  ['ANTHROPIC_API_KEY', 'https://api.anthropic.com/v1'],
  ['GEMINI_API_KEY', 'https://generativelanguage.googleapis.com/v1beta/openai'],
] as const;

/** The servers that the gateway would use in this environment. @throws Error with every mistake, without credentials */
export function serversIn(env: Env): readonly ServerOptions[] {
  const given = Object.fromEntries(NAMES.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  const isGuess = !('GATEWAY_CONFIG' in given || 'SLOTS_PER_SERVER' in given || 'OLLAMA_URLS' in given);
  const { servers } = optionsIn(given);
  return isGuess ? servers.map((server) => ({ ...server, slots: GUESSED_SLOTS, isGuess })) : servers;
}

function optionsIn(env: Env) {
  try {
    return gatewayConfig(env).options;
  } catch (error) {
    throw error instanceof ConfigError
      ? new Error(error.mistakes.map((mistake) => mistake.replace(/ \(given: .*\)$/, '')).join('; '))
      : error;
  }
}

/** Servers of companies to which the environment has a key, by the variable that holds it. They are asked for models that are named, and for no others. */
export const hostedServers = (env: Env) =>
  HOSTED.flatMap(([variable, url]) => (env[variable] ? [{ variable, server: hostedServer(url, { key: env[variable] }) }] : []));

/** A server of the OpenAI protocol. @throws Error that says what is wrong with the address */
export const hostedServer = (url: string, key: Pick<ServerOptions, 'key' | 'keyFile'>): ServerOptions =>
  parseServer({ url, kind: 'openai', slots: HOSTED_SLOTS, ...key });

/** The address of an Ollama server, in every form that Ollama takes. @throws Error that begins with the name of what holds it */
export function ollamaUrl(host: string | undefined, name = 'OLLAMA_HOST'): string {
  try {
    return parseAddress(host?.trim() || '127.0.0.1:11434').url;
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
  }
}

/** Whether a server lists a model under this name, or one that ends with it: Gemini's begin with `models/`. */
export const isNamed = (listed: string, wanted: string): boolean =>
  [listed, listed.replace(/^models\//, '')].some((name) => keyOf(name) === keyOf(wanted));

/** Asks servers for their models, as the gateway does. Never rejects. */
export const findModels = (servers: readonly ServerOptions[], now: () => number): Promise<readonly FoundServer[]> =>
  Promise.all(servers.map((server) => findIn(server, now)));

async function findIn(server: ServerOptions, now: () => number): Promise<FoundServer> {
  const provider = PROVIDERS[server.kind ?? 'ollama'](server, PROBE_MS, now);
  const timeout = (): AbortSignal => AbortSignal.timeout(PROBE_MS);
  try {
    const version = await provider.version(timeout());
    const found = serverModels(provider, now);
    await found.refresh(timeout);
    const talking = [...found.values()].filter((model) => model.capabilities === undefined || canChat(model));
    const names = (isBase: boolean) => talking.filter(({ takes }) => takes.isBase === isBase).map(({ name }) => name);
    return { server, version, models: names(false), baseModels: names(true), problem: undefined };
  } catch (error) {
    return { server, version: undefined, models: [], baseModels: [], problem: problemOf(error, server) };
  } finally {
    await provider.close();
  }
}

function problemOf(error: unknown, { kind }: ServerOptions): string {
  if (error instanceof ServerError) {
    if (error.status !== 401) return `it answered with ${error.status}: ${error.message}`;
    return kind === 'openai' ? 'its key is wrong (401)' : 'the server wants a key or a password (401)';
  }
  if (error instanceof SyntaxError) {
    const what = error.message.includes("'<'") ? 'HTML' : 'no JSON';
    return `what answers there is no ${kind === 'openai' ? 'server of the OpenAI protocol' : 'Ollama server'}: it sent ${what}`;
  }
  const { said, code } = describeNetworkError(error);
  return code ?? said;
}
