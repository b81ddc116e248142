import { Refusal } from './refusal.ts';

/** One option of a rule set: its values, its default, and what it means for people. */
export type Option =
  | { readonly kind: 'whole'; readonly least: number; readonly most: number; readonly usual: number; readonly says: string }
  | { readonly kind: 'choice'; readonly of: readonly string[]; readonly usual: string; readonly says: string }
  | { readonly kind: 'switch'; readonly usual: boolean; readonly says: string };

export type OptionTable = { readonly [name: string]: Option };

/** The values of a table of options. */
export type OptionsOf<T extends OptionTable> = {
  readonly [K in keyof T]: T[K] extends { kind: 'whole' }
    ? number
    : T[K] extends { kind: 'choice'; of: readonly (infer Of)[] }
      ? Of
      : boolean;
};

/**
 * Completes what was given with the defaults. Texts such as `true` and `60000`, as a command line gives them, are read as their values.
 * @throws Refusal bad-option, naming every mistake
 */
export function readOptions<T extends OptionTable>(table: T, given: { readonly [name: string]: unknown } = {}): OptionsOf<T> {
  const mistakes: string[] = [];
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(table, name)) mistakes.push(`there is no option ${name}; there are ${Object.keys(table).join(', ') || 'none'}`);
  }
  const values: { [name: string]: unknown } = {};
  for (const [name, option] of Object.entries(table)) {
    const value = Object.hasOwn(given, name) && given[name] !== undefined ? read(option, given[name]) : option.usual;
    if (value === undefined) mistakes.push(`${name}: ${JSON.stringify(given[name])} is not ${wanted(option)}`);
    values[name] = value;
  }
  if (mistakes.length) throw new Refusal('bad-option', mistakes.join('; '));
  return values as OptionsOf<T>;
}

function read(option: Option, value: unknown): unknown {
  switch (option.kind) {
    case 'whole': {
      const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
      return Number.isSafeInteger(number) && (number as number) >= option.least && (number as number) <= option.most ? number : undefined;
    }
    case 'choice':
      return option.of.includes(value as string) ? value : undefined;
    case 'switch':
      return typeof value === 'boolean' ? value : value === 'true' ? true : value === 'false' ? false : undefined;
  }
}

function wanted(option: Option): string {
  switch (option.kind) {
    case 'whole':
      return `a whole number from ${option.least} to ${option.most}`;
    case 'choice':
      return `one of ${option.of.join(', ')}`;
    case 'switch':
      return 'true or false';
  }
}
