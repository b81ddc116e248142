import type { startSimulator } from '@maw/ollama-sim/simulator.ts';
import { z } from 'zod';

/** What plays the minds. */
export interface Models {
  /** The Ollama server, whether it answers or not; undefined: there is none. */
  readonly url: string | undefined;
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

const tags = z.object({
  models: z.array(
    z.object({
      name: z.string(),
      capabilities: z.array(z.string()).optional(),
      details: z.looseObject({ family: z.string().optional() }).optional(),
    }),
  ),
});

/** What answers at an address, or why nothing does. */
type OllamaProbe =
  { readonly url: string; readonly version: string; readonly models: readonly string[] } | { readonly url: string; readonly why: string };

/** Ollama's own forms of OLLAMA_HOST: `host`, `:port`, `host:port`, `http://host:port/`. @param name of what holds it, for the error */
export function ollamaUrl(host: string | undefined, name = 'OLLAMA_HOST'): string {
  const given = (host ?? '').trim() || '127.0.0.1:11434';
  const full = /^https?:\/\//.test(given) ? given : `http://${given.startsWith(':') ? `127.0.0.1${given}` : given}`;
  if (!URL.canParse(full))
    throw new Error(
      `${name} is no address: ${given.replace(/^(https?:\/\/)?.*@/, '$1').slice(0, 100)}; write host, host:port or http://host:port`,
    );
  const url = new URL(full);
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (!url.port && !/^https?:\/\//.test(given)) url.port = '11434';
  return url.origin;
}

/** Looks whether an Ollama server answers and which of its models can chat. */
export async function probeOllama(url: string): Promise<OllamaProbe> {
  try {
    const get = async (path: string) => (await fetch(url + path, { signal: AbortSignal.timeout(1500) })).json();
    const { version } = z.object({ version: z.string() }).parse(await get('/api/version'));
    const { models } = tags.parse(await get('/api/tags'));
    const talks = models.filter((m) =>
      m.capabilities ? m.capabilities.includes('completion') : !/bert|embed/i.test(`${m.details?.family} ${m.name}`),
    );
    return { url, version, models: talks.map(({ name }) => name) };
  } catch (error) {
    const { cause, name } = error as { cause?: { code?: string; message?: string }; name: string };
    return { url, why: cause?.code ?? cause?.message ?? name };
  }
}

/**
 * Chooses what plays: the model that is asked for, else the first that an Ollama server has, else none. The simulator plays when it is asked for.
 * @throws Error when the model that is asked for is not available
 */
export async function chooseModels(host: string | undefined, wanted: string | undefined, seed: number | undefined): Promise<Models> {
  const at = ollamaUrl(host);
  if (wanted === 'sim')
    return {
      url: undefined,
      model: undefined,
      sim: seed === undefined ? {} : { seed },
      says: 'No model plays: the simulator was asked for. It speaks the protocol of Ollama and makes up its answers.',
    };
  const found = await probeOllama(at);
  if (wanted !== undefined && 'why' in found)
    throw new Error(
      `no Ollama server answers at ${at} (${found.why}), so ${wanted} cannot play; start Ollama, or set OLLAMA_HOST, or leave --model out`,
    );
  const has = 'why' in found ? [] : found.models;
  if (wanted !== undefined && !has.some((name) => name === wanted || name === `${wanted}:latest`))
    throw new Error(
      `the Ollama server at ${at} has no model ${wanted}; it has ${has.join(', ') || 'none'}. Fetch it with: ollama pull ${wanted}`,
    );
  const model = wanted ?? has[0];
  if (model !== undefined && !('why' in found))
    return { url: at, model, says: `${model} plays, on the Ollama server ${found.version} at ${at}.` };
  const why = 'why' in found ? `no Ollama server answers at ${at} (${found.why})` : `the Ollama server at ${at} has no model`;
  const says = `No model plays: ${why}. Seats play without one, by the recipe ${WITHOUT_MODEL}. For a model, ${HOW_TO_GET_ONE}`;
  return { url: at, model, why, says };
}
