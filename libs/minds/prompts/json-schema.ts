import { z } from 'zod';

/** The JSON schema of a shape, without the name of its dialect. @param io of what is read, where reading changes it, or of the result */
export function schemaOf(shape: z.ZodType, io: 'input' | 'output' = 'output'): { readonly [keyword: string]: unknown } {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io });
  return schema;
}
