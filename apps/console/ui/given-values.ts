import type { Parameter } from '../api/shapes.ts';

export type TypedParameter = Pick<Parameter, 'name' | 'type'>;
type Values = { readonly [name: string]: string | number | boolean };

/** The parameters of a mind for a request: each by its type, without those that have their usual value. */
export function givenValues(
  parameters: readonly TypedParameter[],
  given: { readonly [name: string]: string } = {},
): { readonly parameters?: Values } {
  const values = parameters.flatMap(({ name, type }) => {
    const text = given[name]?.trim() ?? '';
    return text === '' ? [] : [[name, valueOf(text, type)] as const];
  });
  return values.length ? { parameters: Object.fromEntries(values) } : {};
}

/** What is no number or switch stays as it was typed: the server says what is wrong. */
function valueOf(text: string, type: Parameter['type']): string | number | boolean {
  if ((type === 'number' || type === 'integer') && Number.isFinite(Number(text))) return Number(text);
  return type === 'boolean' && /^(true|false)$/.test(text) ? text === 'true' : text;
}
