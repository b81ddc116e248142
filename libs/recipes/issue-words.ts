import { preview } from '@maw/games/kernel/preview.ts';
import type { z } from 'zod';

/** What a value has to be, by the name that zod has for it. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'a set of fields',
  record: 'a set of fields',
};
const kindOf = (expected: string): string => KINDS[expected] ?? expected;

/** What is wrong with a value, and what may stand there: for `safeParse(value, { error: issueWords })`. A message of the shape itself goes before it. */
export function issueWords(issue: z.core.$ZodRawIssue): string | undefined {
  const { input } = issue;
  const wrong = (wanted: string, value = input): string =>
    value === undefined ? `it is missing; write ${wanted}` : `${valueText(value)} is not ${wanted}`;
  switch (issue.code) {
    case 'invalid_type':
      return wrong(kindOf(issue.expected));
    case 'invalid_value':
      return wrong(oneOf(issue.values));
    case 'too_small':
      return sizeText(issue.origin, input, `${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`);
    case 'too_big':
      return sizeText(issue.origin, input, `${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}`);
    case 'invalid_union': {
      const { discriminator } = issue;
      return wrong(
        unionText(issue),
        typeof discriminator === 'string' ? (Object(input) as { [field: string]: unknown })[discriminator] : input,
      );
    }
    case 'invalid_key':
      return `this cannot be its name: ${issue.issues[0]?.message ?? 'write another one'}`;
    case 'invalid_format':
      return wrong(`of the form ${issue['pattern'] ?? issue.format}`);
    case 'not_multiple_of':
      return wrong(`a multiple of ${issue.divisor}`);
    case 'unrecognized_keys': // `issueTexts` says it, field by field
    case 'invalid_element':
    case 'custom':
      return undefined;
  }
}

const valueText = (value: unknown): string => (typeof value === 'number' ? String(value) : preview(value));

const oneOf = (values: readonly unknown[]): string => (values.length === 1 ? valueText(values[0]) : `one of ${values.join(', ')}`);

function sizeText(origin: string, input: unknown, bound: string): string {
  const { length } = Object(input) as { readonly length?: number };
  switch (origin) {
    case 'string':
      return `it has ${length} characters; write ${bound}`;
    case 'array':
      return `it has ${length} ${length === 1 ? 'entry' : 'entries'}; write ${bound}`;
    default:
      return `${valueText(input)} is not ${bound}`;
  }
}

/** What fits some part of a union: the values of the field that tells its parts apart, or the kinds of value. */
function unionText({ options, errors }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  if (Array.isArray(options)) return oneOf(options);
  const kinds = errors.flatMap(([first]) => (first?.code === 'invalid_type' ? [kindOf(first.expected)] : []));
  return [...new Set(kinds)].join(', or ') || 'what may stand here';
}
