import type { Json } from '../openapi.ts';

/** A JSON Schema as people write types: `{ seat: 0..99, name?: string }`. */
export function describeSchema(schema: Json, indent = ''): string {
  if (Array.isArray(schema['enum'])) return schema['enum'].map((each) => JSON.stringify(each)).join(' | ');
  if ('const' in schema) return JSON.stringify(schema['const']);
  for (const either of ['anyOf', 'oneOf'])
    if (Array.isArray(schema[either])) return (schema[either] as Json[]).map((each) => describeSchema(each, indent)).join(' | ');
  switch (schema['type']) {
    case 'object':
      return describeObject(schema, indent);
    case 'array':
      return `${parenthesized(describeSchema(schema['items'] as Json, indent))}[]`;
    case 'integer':
    case 'number':
      return describeNumber(schema);
    case 'string':
    case 'boolean':
      return schema['type'];
    default:
      return 'any';
  }
}

function describeObject({ properties = {}, required = [], additionalProperties }: Json, indent: string): string {
  const within = `${indent}  `;
  const fields = Object.entries(properties as { readonly [name: string]: Json }).map(([name, schema]) => {
    const says = typeof schema['description'] === 'string' ? `  // ${schema['description']}` : '';
    return `${within}${name}${(required as string[]).includes(name) ? '' : '?'}: ${describeSchema(schema, within)},${says}\n`;
  });
  if (typeof additionalProperties === 'object' && additionalProperties !== null)
    fields.push(`${within}[name]: ${describeSchema(additionalProperties as Json, within)},\n`);
  return fields.length ? `{\n${fields.join('')}${indent}}` : '{}';
}

/** Its bounds, unless they are those of any number. */
function describeNumber({ type, minimum, maximum }: Json): string {
  const least = typeof minimum === 'number' && minimum > Number.MIN_SAFE_INTEGER ? String(minimum) : '';
  const most = typeof maximum === 'number' && maximum < 999_999_999_999_999 ? String(maximum) : '';
  return least || most ? `${least}..${most}` : String(type);
}

const parenthesized = (text: string): string => (/^[^{]* \| /.test(text) ? `(${text})` : text);
