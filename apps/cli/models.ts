import type { startSimulator } from '@maw/ollama-sim/simulator.ts';
import { z } from 'zod';

/** What plays the minds. */
export interface Models {
  /** The Ollama server; undefined: the simulator in this process. */
  readonly url: string | undefined;
  readonly model: string | undefined;
  /** One sentence that says aloud what stands in for what. */
  readonly says: string;
  readonly sim: NonNullable<Parameters<typeof startSimulator>[0]>;
  /** Why the simulator stands in for a model, when nobody asked for it. */
  readonly why?: string;
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
 * Chooses what plays: the model that is asked for, else the first that an Ollama server has, else the simulator, said aloud.
 * @throws Error when the model that is asked for is not available
 */
export async function chooseModels(host: string | undefined, wanted: string | undefined, seed: number | undefined): Promise<Models> {
  const sim = seed === undefined ? {} : { seed };
  const found = await probeOllama(ollamaUrl(host));
  const simulated = (why: string): Models => ({
    ...(wanted === 'sim' ? {} : { why }),
    url: undefined,
    model: undefined,
    sim,
    says: `No model plays: ${why}, so ollama-sim stands in for it. It keeps Ollama's protocol and makes up its answers.`,
  });
  if (wanted === 'sim') return simulated('the simulator was asked for');
  if ('why' in found) {
    if (wanted !== undefined)
      throw new Error(
        `no Ollama server answers at ${found.url} (${found.why}), so ${wanted} cannot play; start Ollama, or set OLLAMA_HOST, or leave --model out`,
      );
    return simulated(`no Ollama server answers at ${found.url} (${found.why})`);
  }
  if (wanted !== undefined && !found.models.some((name) => name === wanted || name === `${wanted}:latest`))
    throw new Error(
      `the Ollama server at ${found.url} has no model ${wanted}; it has ${found.models.join(', ') || 'none'}. Fetch it with: ollama pull ${wanted}`,
    );
  if (!found.models.length) return simulated(`the Ollama server at ${found.url} has no model (fetch one with: ollama pull llama3.1)`);
  const model = wanted ?? found.models[0]!;
  return { url: found.url, model, sim, says: `${model} plays, on the Ollama server ${found.version} at ${found.url}.` };
}
