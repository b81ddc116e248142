import type { LlmRequest } from '../request.ts';
import { keyOf } from '@maw/contracts/model-name.ts';
import { embeddingModel } from '../servers/embedding-models.ts';
import type { ServerRegistry } from '../servers/registry.ts';

/** What the choice depends on. */
export type Asked = Pick<LlmRequest, 'message'> & Partial<Pick<LlmRequest, 'key' | 'retry'>>;

/**
 * The key of the model a request is for: the one it names; or else the current default, or for embeddings the first model that makes some.
 * A fallback of it while no server can run it, or only one that has failed with the request. Undefined while no server is up that has one.
 */
export function modelKeyFor(registry: ServerRegistry, { message, key, retry }: Asked): string | undefined {
  const named = message.data.model === undefined ? undefined : keyOf(message.data.model);
  // Vectors of different models cannot be compared.
  if (message.type === 'llm.embed') return named ?? embeddingModel(registry);
  const asked = named ?? registry.defaultModel();
  const chain = asked === undefined ? [] : registry.withFallbacks(asked, key?.models);
  if (chain.length < 2) return asked;
  const canRun = (model: string): boolean =>
    registry.all.some(
      ({ name, health, isDraining, models, breakers }) =>
        health.isUp && !isDraining && models.has(model) && breakers.allows(model) && !retry?.failedOn.has(name),
    );
  return chain.find(canRun) ?? asked;
}

/** The model's name as a server lists it, for labels: never what a caller may write. */
export function knownModelName(registry: ServerRegistry, request: Asked): string | undefined {
  const key = modelKeyFor(registry, request) ?? '';
  return registry.all.find(({ models }) => models.has(key))?.models.get(key)?.name;
}

/** In words, which servers are not asked for the model of a request at present; empty: none. @param at milliseconds since the epoch */
export function restingServers(registry: ServerRegistry, request: Asked, at: number): string {
  const key = modelKeyFor(registry, request) ?? '';
  const rests = registry.all.flatMap(({ name, models, breakers }) => {
    const until = models.has(key) ? breakers.openUntil(key) : undefined;
    return until === undefined ? [] : `; ${name} is left alone for ${Math.ceil((until - at) / 1_000)} s more`;
  });
  return rests.join('');
}
