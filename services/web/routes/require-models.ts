import { keyOf } from '@maw/contracts/model-name.ts';
import type { Ask } from '../bus-client.ts';
import { Problem } from '../problem.ts';

/**
 * @param wanted the models by where they stand in the request, such as `seats.2.model`
 * @throws Problem bad-option for a model that no model server has; passes while that is not known
 */
export async function requireModels(ask: Ask, wanted: { readonly [at: string]: string | undefined }, signal: AbortSignal): Promise<void> {
  if (Object.values(wanted).every((model) => model === undefined)) return;
  const found = await ask('llm.models', '-', {}, { signal }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    return undefined; // no gateway runs, or it is in trouble: the table waits for it
  });
  const names = [...new Set(found?.servers.flatMap(({ models }) => models))];
  if (!found || names.length === 0 || found.servers.some(({ isUp, models }) => !isUp && models.length === 0)) return;
  const keys = new Set(names.map(keyOf));
  for (const [at, model] of Object.entries(wanted))
    if (model !== undefined && !keys.has(keyOf(model)))
      throw new Problem('bad-option', `${at}: there is no model ${model.slice(0, 60)}; the model servers have ${names.join(', ')}`);
}
