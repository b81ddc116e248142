import { HttpError } from '../errors.ts';
import { isFields } from '../json-schema/schema.ts';

export type Body = Readonly<Record<string, unknown>>;

/** Go's type names, as in its error texts. */
type Kind = 'string' | 'bool' | 'int' | 'map[string]interface {}' | '[]api.Message' | '[]api.Tool' | '[]int';

/** Parses a JSON object and checks its fields' types. @throws HttpError 400 with the texts of Go's decoder */
export const readBody = (text: string, struct: string, fields: Readonly<Record<string, Kind>>): Body => {
  if (text.trim() === '') throw new HttpError(400, 'missing request body');
  const value = parse(text);
  if (!isFields(value)) {
    if (value === null) return {};
    throw new HttpError(400, `json: cannot unmarshal ${goKind(value)} into Go value of type api.${struct}`);
  }
  requireKinds(value, struct, fields);
  return value;
};

/** @throws HttpError 400 for a field of another type */
export const requireKinds = (body: Body, struct: string, fields: Readonly<Record<string, Kind>>): void => {
  for (const [name, kind] of Object.entries(fields)) {
    if (body[name] == null || IS[kind](body[name])) continue;
    throw new HttpError(400, `json: cannot unmarshal ${goKind(body[name])} into Go struct field ${struct}.${name} of type ${kind}`);
  }
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

const isListOfFields = (value: unknown): boolean => Array.isArray(value) && value.every(isFields);

const IS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  'string': (value) => typeof value === 'string',
  'bool': (value) => typeof value === 'boolean',
  'int': Number.isInteger,
  'map[string]interface {}': isFields,
  '[]api.Message': isListOfFields,
  '[]api.Tool': isListOfFields,
  '[]int': (value) => Array.isArray(value) && value.every((one) => Number.isInteger(one)),
};

const goKind = (value: unknown): string => {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'number' : `number ${value}`;
  return typeof value === 'boolean' ? 'bool' : typeof value;
};

export const textIn = (body: Body, name: string): string => (typeof body[name] === 'string' ? body[name] : '');
export const listIn = (body: Body, name: string): readonly Body[] => (Array.isArray(body[name]) ? body[name].filter(isFields) : []);
export const flagIn = (body: Body, name: string, otherwise: boolean): boolean => (typeof body[name] === 'boolean' ? body[name] : otherwise);
export const fieldsIn = (body: Body, name: string): Body => (isFields(body[name]) ? body[name] : {});
