import { z } from 'zod';
import type { Embedding } from '../request.ts';
import { MAX_TEXT, rejectUnsupported, validateBody } from './validate-body.ts';

const MAX_TEXTS = 256;

const embeddingRequest = z.object({
  model: z.string().max(200).nullish(),
  input: z
    .union([z.string().transform((one) => [one]), z.array(z.string())], {
      error: 'a text or a list of texts: token numbers are not supported',
    })
    .pipe(z.array(z.string().max(MAX_TEXT)).min(1).max(MAX_TEXTS)),
  encoding_format: z.enum(['float', 'base64']).nullish(),
});

const UNSUPPORTED = { dimensions: 'the model sets the dimensions' } as const;

/** @throws HttpProblem unreadable with every mistake */
export function readEmbedding(body: unknown): z.output<typeof embeddingRequest> {
  rejectUnsupported(UNSUPPORTED, body);
  return validateBody(embeddingRequest, body);
}

/** The official clients ask for base64, which is a third of the length, and decode it. */
export const embeddingAnswer = ({ embeddings, model, tokens }: Embedding, encoding: 'float' | 'base64') => ({
  object: 'list',
  data: embeddings.map((vector, index) => ({ object: 'embedding', index, embedding: encoding === 'base64' ? base64(vector) : vector })),
  model,
  usage: { prompt_tokens: tokens.prompt, total_tokens: tokens.prompt },
});

/** 32-bit floats, little-endian. */
function base64(vector: readonly number[]): string {
  const bytes = Buffer.alloc(4 * vector.length);
  for (const [n, value] of vector.entries()) bytes.writeFloatLE(value, 4 * n);
  return bytes.toString('base64');
}
