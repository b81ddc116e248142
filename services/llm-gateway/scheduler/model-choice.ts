import type { LlmRequest } from '../request.ts';
import { keyOf } from '@maw/contracts/model-name.ts';
import type { ServerRegistry } from '../servers/registry.ts';

/**
 * The key of the model a request is for: the one it names; or else the current default, or for embeddings the first model that makes some.
 * Undefined while no server is up that has one.
 */
export function modelKeyFor(registry: ServerRegistry, { message }: Pick<LlmRequest, 'message'>): string | undefined {
  if (message.data.model !== undefined) return keyOf(message.data.model);
  return message.type === 'llm.embed' ? embeddingModel(registry) : registry.defaultModel();
}

/** The key of the first model that makes embeddings, of a server that is up. */
export function embeddingModel({ all }: Pick<ServerRegistry, 'all'>): string | undefined {
  for (const { health, models } of all)
    if (health.isUp) for (const key of models.keys()) if (models.get(key)?.capabilities?.includes('embedding')) return key;
  return undefined;
}

/**
 * Whether every server that has a model says that it makes no embeddings. Only Ollama says what a model can do: of others its name tells, which is
 * not enough to refuse it.
 */
export function makesNoEmbeddings({ all }: Pick<ServerRegistry, 'all'>, key: string): boolean {
  const having = all.filter(({ models }) => models.mayHave(key));
  return (
    having.length > 0 &&
    having.every(({ provider, models }) => {
      const capabilities = provider.kind === 'ollama' ? models.get(key)?.capabilities : undefined;
      return capabilities !== undefined && !capabilities.includes('embedding');
    })
  );
}

/** The model's name as a server lists it, for labels: never what a caller may write. */
export function knownModelName(registry: ServerRegistry, request: Pick<LlmRequest, 'message'>): string | undefined {
  const key = modelKeyFor(registry, request) ?? '';
  return registry.all.find(({ models }) => models.has(key))?.models.get(key)?.name;
}
