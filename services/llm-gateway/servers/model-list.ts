import { isCloud, isModelName, keyOf } from '../model-name.ts';
import type { Provider } from '../providers/provider.ts';
import type { Model } from './server.ts';
import type { Listed } from '../providers/ollama-responses.ts';

/**
 * The models of a server by their keys, without those that run elsewhere and those whose name is none. What its list does not say is asked
 * for one by one, unless it is known `before` and has not changed.
 * @param ask makes the signal of one question
 * @throws what the provider throws when there is no list
 */
export async function modelsOf(
  provider: Provider,
  before: ReadonlyMap<string, Model>,
  ask: () => AbortSignal,
): Promise<ReadonlyMap<string, Model>> {
  const now = new Map<string, Model>();
  for (const one of await provider.list(ask())) {
    if (!isModelName(one.name) || isCloud(one.name) || one.isRemote) continue;
    const key = keyOf(one.name);
    const known = before.get(key);
    now.set(key, known?.digest === one.digest && known.capabilities ? known : await look(one, provider, ask));
  }
  return now;
}

async function look({ name, digest, family, capabilities }: Listed, provider: Provider, ask: () => AbortSignal): Promise<Model> {
  if (capabilities) return { name, digest, family, capabilities };
  const more = await provider.show(name, ask()).catch(() => undefined);
  return { name, digest, family: more?.family ?? family, capabilities: more?.capabilities };
}
