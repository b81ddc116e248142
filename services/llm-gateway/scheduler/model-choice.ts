import type { LlmRequest } from '../request.ts';
import { keyOf } from '@maw/contracts/model-name.ts';
import { embeddingModel } from '../servers/embedding-models.ts';
import type { ServerRegistry } from '../servers/registry.ts';

/**
 * The key of the model a request is for: the one it names; or else the current default, or for embeddings the first model that makes some.
 * Undefined while no server is up that has one.
 */
export function modelKeyFor(registry: ServerRegistry, { message }: Pick<LlmRequest, 'message'>): string | undefined {
  if (message.data.model !== undefined) return keyOf(message.data.model);
  return message.type === 'llm.embed' ? embeddingModel(registry) : registry.defaultModel();
}

/** The model's name as a server lists it, for labels: never what a caller may write. */
export function knownModelName(registry: ServerRegistry, request: Pick<LlmRequest, 'message'>): string | undefined {
  const key = modelKeyFor(registry, request) ?? '';
  return registry.all.find(({ models }) => models.has(key))?.models.get(key)?.name;
}

/** In words, which servers are not asked for the model of a request at present; empty: none. @param at milliseconds since the epoch */
export function restingServers(registry: ServerRegistry, request: Pick<LlmRequest, 'message'>, at: number): string {
  const key = modelKeyFor(registry, request) ?? '';
  const rests = registry.all.flatMap(({ name, models, breakers }) => {
    const until = models.has(key) ? breakers.openUntil(key) : undefined;
    return until === undefined ? [] : `; ${name} is left alone for ${Math.ceil((until - at) / 1_000)} s more`;
  });
  return rests.join('');
}
