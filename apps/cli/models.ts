import { readFileSync } from 'node:fs';
import type { startSimulator } from '@maw/ollama-sim/simulator.ts';
import { isCloud } from '@maw/contracts/model-name.ts';
import { findModels, type FoundServer, hostedServer, hostedServers, isNamed, serversIn } from '@maw/llm-gateway/discovery/find-models.ts';

/** What plays the minds. */
export interface Models {
  /** The model servers, whether they answer or not. */
  readonly servers: readonly FoundServer['server'][];
  /** What the gateway of `maw up` needs beyond the environment of the command. It holds keys. */
  readonly env?: { readonly [name: string]: string | undefined };
  readonly model: string | undefined;
  /** One line that says aloud what plays. */
  readonly says: string;
  /** The simulator in this process, where it was asked for. */
  readonly sim?: NonNullable<Parameters<typeof startSimulator>[0]>;
  /** Why no model plays, where nobody has decided that. Seats without a recipe then play `WITHOUT_MODEL`. */
  readonly why?: string;
}

/** The recipe of seats that have neither a recipe nor a model. */
export const WITHOUT_MODEL = 'rules';
const HOW_TO_GET_ONE = 'start Ollama (OLLAMA_HOST says where it is) and fetch a model with: ollama pull llama3.1';

/** @throws Error when no model can play, and `who` needs one */
export function requireModel({ why }: Models, who: string): void {
  if (why !== undefined)
    throw new Error(`${who} needs a model, and ${why}; ${HOW_TO_GET_ONE}; or let the simulator answer with --model sim`);
}

/** What the command line says about models. */
export interface ModelOptions {
  /** A model, or `sim` for the simulator. */
  readonly model?: string | undefined;
  /** A server of the OpenAI protocol, instead of those of the environment. */
  readonly server?: string | undefined;
  /** The file of its key. */
  readonly keyFile?: string | undefined;
}

const nameOf = ({ server }: FoundServer): string => `${server.kind === 'openai' ? 'the server' : 'the Ollama server'} at ${server.url}`;
const problemIn = (found: FoundServer): string => {
  const { server, problem, models, baseModels } = found;
  if (problem !== undefined && /^E[A-Z_]+$|^UND_|^no |^bad port/.test(problem))
    return `no ${server.kind === 'openai' ? 'server' : 'Ollama server'} answers at ${server.url} (${problem})`;
  if (problem !== undefined) return `${nameOf(found)}: ${problem}`;
  if (models.length === 0 && baseModels.length > 0)
    return `${nameOf(found)} has only base models, which have no chat template: ${baseModels.join(', ')}`;
  return `${nameOf(found)} has no model`;
};

/**
 * Chooses what plays: the model that is asked for, else the first on a server of the environment, else none. The simulator plays when it is asked for. Servers that cost money
 * are used only for a model that is named.
 * @throws Error when the model that is asked for is not available
 */
export async function chooseModels(
  env: NodeJS.ProcessEnv,
  { model: wanted, server, keyFile }: ModelOptions,
  seed: number | undefined,
): Promise<Models> {
  if (wanted === 'sim')
    return {
      servers: [],
      model: undefined,
      sim: seed === undefined ? {} : { seed },
      says: 'No model plays: the simulator was asked for. It speaks the protocol of Ollama and makes up its answers.',
    };
  if (server === undefined && keyFile !== undefined) throw new Error('--key-file is of a server: name it with --server');
  if (server !== undefined && wanted === undefined)
    throw new Error('--server needs --model: no model of such a server is chosen by itself');
  const servers = server === undefined ? serversIn(env) : [hostedServer(server, keyFile === undefined ? {} : { keyFile })];
  const found = await findModels(servers, Date.now);
  if (wanted !== undefined) return named(wanted, found, server === undefined ? env : undefined);
  const first = found.find(({ models }) => models.length > 0);
  if (first) return { servers, model: first.models[0], says: saysOf(first.models[0]!, first) };
  const why = found.map(problemIn).join('; ');
  const says = `No model plays: ${why}. Seats play without one, by the recipe ${WITHOUT_MODEL}. For a model, ${HOW_TO_GET_ONE}`;
  return { servers, model: undefined, why, says };
}

const saysOf = (model: string, { server, version, baseModels }: FoundServer): string => {
  const where = `${server.kind === 'openai' ? 'the server' : `the Ollama server ${version}`} at ${server.url}`;
  const warning = baseModels.includes(model) ? ' It is a base model without a chat template: expect texts that go on, and no answers.' : '';
  return `${model} plays, on ${where}.${warning}`;
};

/** @param env undefined where the server was named @throws Error when no server has the model */
async function named(wanted: string, found: readonly FoundServer[], env: NodeJS.ProcessEnv | undefined): Promise<Models> {
  if (isCloud(wanted)) throw new Error(`${wanted} runs in a cloud, not on a server of yours: name another model`);
  const nameOn = ({ models, baseModels }: FoundServer) => [...models, ...baseModels].find((name) => isNamed(name, wanted));
  const own = found.find(nameOn);
  const servers = found.map(({ server }) => server);
  if (own) return { servers, model: nameOn(own)!, says: saysOf(nameOn(own)!, own), ...envFor(own) };
  const keyed = hostedServers(env ?? {});
  const hosted = await findModels(
    keyed.map(({ server }) => server),
    Date.now,
  );
  const other = hosted.find(nameOn);
  if (other) return { servers: [other.server], model: nameOn(other)!, says: saysOf(nameOn(other)!, other), ...envFor(other) };
  const wrong = hosted.flatMap(({ problem, server }, i) =>
    problem === undefined ? [] : [`${server.url}, with the key in ${keyed[i]!.variable}: ${problem}`],
  );
  const there = found.filter(({ problem }) => problem === undefined);
  if (there.length === 0 || wrong.length > 0)
    throw new Error(
      `${[...wrong, ...found.filter(({ problem }) => problem !== undefined).map(problemIn)].join('; ')}, so ${wanted} cannot play; ${env ? 'start Ollama, or set OLLAMA_HOST' : 'check --server and --key-file'}, or leave --model out`,
    );
  const [one] = there;
  const fetch = one!.server.kind === 'openai' ? '' : ` Fetch it with: ollama pull ${wanted}`;
  throw new Error(`${nameOf(one!)} has no model ${wanted}; it has ${one!.models.join(', ') || 'none'}.${fetch}`);
}

/** The gateway of `maw up` learns of a paid server by its environment, never by arguments, which other users of the machine can read. */
function envFor({ server: { kind, url, slots, key, keyFile } }: FoundServer): Pick<Models, 'env'> {
  if (kind !== 'openai') return {};
  const secret = keyFile === undefined ? key : readFileSync(keyFile, 'utf8').trim();
  return {
    env: {
      OPENAI_URLS: `${url}=${slots}`,
      OLLAMA_URLS: undefined,
      GATEWAY_CONFIG: undefined,
      ...(secret === undefined ? {} : { OPENAI_API_KEY: secret }),
    },
  };
}
