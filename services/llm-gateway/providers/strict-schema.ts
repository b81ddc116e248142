/**
 * Whether servers of the OpenAI protocol can enforce a schema strictly: every object in it must require all its properties and allow no others.
 * They refuse to be strict about any other schema.
 */
export function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict);
  if (typeof schema !== 'object' || schema === null) return true;
  const { type, properties, required, additionalProperties } = schema as { [keyword: string]: unknown };
  if (typeof properties === 'object' && properties !== null) {
    const names = Array.isArray(required) ? required : [];
    if (additionalProperties !== false || !Object.keys(properties).every((name) => names.includes(name))) return false;
  } else if (type === 'object') return false;
  return Object.values(schema).every(isStrict);
}
