import { z } from 'zod';
import type { Embedding } from '../request.ts';
import { MOST_TEXT, notTaken, readAs } from './validate-body.ts';

const MOST_TEXTS = 256;

const embeddingRequest = z.object({
  model: z.string().max(200).nullish(),
  input: z
    .union([z.string().transform((one) => [one]), z.array(z.string())], {
      error: 'a text, or a list of texts: numbers of tokens mean nothing here',
    })
    .pipe(z.array(z.string().max(MOST_TEXT)).min(1).max(MOST_TEXTS)),
  encoding_format: z.enum(['float', 'base64']).nullish(),
});

const NOT_TAKEN = { dimensions: 'vectors are as long as the model makes them' } as const;

/** Reads a body. @throws HttpProblem unreadable with every mistake */
export function readEmbedding(body: unknown): z.output<typeof embeddingRequest> {
  notTaken(NOT_TAKEN, body);
  return readAs(embeddingRequest, body);
}

/** Vectors as clients read them. The official ones ask for base64, which is a third of the length, and turn it back themselves. */
export const embeddingAnswer = ({ embeddings, model, tokens }: Embedding, encoding: 'float' | 'base64') => ({
  object: 'list',
  data: embeddings.map((vector, index) => ({ object: 'embedding', index, embedding: encoding === 'base64' ? base64(vector) : vector })),
  model,
  usage: { prompt_tokens: tokens.prompt, total_tokens: tokens.prompt },
});

/** Numbers of four bytes each, the least significant first. */
function base64(vector: readonly number[]): string {
  const bytes = Buffer.alloc(4 * vector.length);
  for (const [n, value] of vector.entries()) bytes.writeFloatLE(value, 4 * n);
  return bytes.toString('base64');
}
