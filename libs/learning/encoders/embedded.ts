import type { Observation } from '../observation/observation.ts';
import type { Encoder } from './encoder.ts';

/** The longest embedding. */
export const MAX_EMBEDDING = 65_536;

/** What is embedded: as in the program of document 004 the history and the belief, before them role and turn. */
export function embeddedText({ role, turn, log, belief, thought }: Observation): string {
  const believed = thought ?? Object.entries(belief ?? {}).map(([about, likelihood]) => `${about} ${likelihood}`).join(', '); // prettier-ignore
  return [`Role: ${role}. Turn: ${turn}.`, `Game history: ${log.join(' ')}`, `Thought and belief: ${believed}`]
    .join(' ')
    .replaceAll('\n', ' ');
}

/** The embedding that a model has made of `embeddedText`, as it is. */
export const embedded = (model: string, dimension: number): Encoder => ({
  name: `embed:${model}:${dimension}`,
  dimension,
  model,
  encode({ embedding }) {
    if (embedding?.length !== dimension)
      throw new Error(
        embedding
          ? `the embedding has ${embedding.length} numbers, and embed:${model}:${dimension} wants ${dimension}`
          : `embed:${model}:${dimension} wants embeddings, and there is none`,
      );
    return { size: dimension, [Symbol.iterator]: () => embedding.entries() }; // a map for each choice would fill the memory
  },
});
