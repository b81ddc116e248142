import type { LlmRequest } from '../request.ts';
import { keyOf } from '@maw/contracts/model-name.ts';
import type { ServerRegistry } from '../servers/registry.ts';

/** The key of the model a request is for: the one it names, or the current default; undefined while no server is up that has one. */
export const modelKeyFor = (registry: ServerRegistry, { message }: Pick<LlmRequest, 'message'>): string | undefined =>
  message.data.model === undefined ? registry.defaultModel() : keyOf(message.data.model);

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
