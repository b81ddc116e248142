/**
 * Whether a schema can be asked for strictly: some servers of the OpenAI protocol hold a model to a schema only when every object in it names
 * all its properties as required and takes no others, and refuse to be strict about any other.
 */
export function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict);
  if (typeof schema !== 'object' || schema === null) return true;
  const { properties, required, additionalProperties } = schema as { [keyword: string]: unknown };
  if (typeof properties === 'object' && properties !== null) {
    const wanted = Array.isArray(required) ? required : [];
    if (additionalProperties !== false || !Object.keys(properties).every((name) => wanted.includes(name))) return false;
  } else if ((schema as { type?: unknown }).type === 'object') return false;
  return Object.values(schema).every(isStrict);
}
