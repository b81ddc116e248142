import { HttpError } from '../errors.ts';
import { isFields } from '../json-schema/schema.ts';

export type Body = Readonly<Record<string, unknown>>;

/** Go's type names, as in its error texts. */
export type Kind = 'string' | 'bool' | 'int' | 'map[string]interface {}' | '[]api.Message' | '[]api.Tool' | '[]int' | 'any';

/** Parses a JSON object and checks its fields' types. @throws HttpError 400 with the texts of Go's decoder */
export const readBody = (text: string, struct: string, fields: Readonly<Record<string, Kind>>): Body => {
  if (text.trim() === '') throw new HttpError(400, 'missing request body');
  const value = parse(text);
  if (!isFields(value)) {
    if (value === null) return {};
    throw new HttpError(400, `json: cannot unmarshal ${goKind(value)} into Go value of type api.${struct}`);
  }
  for (const [name, kind] of Object.entries(fields)) {
    if (value[name] != null && !IS[kind](value[name])) {
      throw new HttpError(400, `json: cannot unmarshal ${goKind(value[name])} into Go struct field ${struct}.${name} of type ${kind}`);
    }
  }
  return value;
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    const found = /Unexpected token '?(.+?)'?[,.] |Unexpected token (\S) in/u.exec(error instanceof Error ? error.message : '');
    const symbol = found?.[1] ?? found?.[2];
    throw new HttpError(400, symbol === undefined ? 'unexpected EOF' : `invalid character '${symbol}' looking for beginning of value`);
  }
};

const IS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  'string': (value) => typeof value === 'string',
  'bool': (value) => typeof value === 'boolean',
  'int': Number.isInteger,
  'map[string]interface {}': isFields,
  '[]api.Message': (value) => Array.isArray(value) && value.every(isFields),
  '[]api.Tool': (value) => Array.isArray(value) && value.every(isFields),
  '[]int': (value) => Array.isArray(value) && value.every((one) => Number.isInteger(one)),
  'any': () => true,
};

const goKind = (value: unknown): string => {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'number' : `number ${value}`;
  return typeof value === 'boolean' ? 'bool' : typeof value;
};

export const textIn = (body: Body, name: string): string => (typeof body[name] === 'string' ? body[name] : '');
export const flagIn = (body: Body, name: string, otherwise: boolean): boolean => (typeof body[name] === 'boolean' ? body[name] : otherwise);
export const fieldsIn = (body: Body, name: string): Body => (isFields(body[name]) ? body[name] : {});
