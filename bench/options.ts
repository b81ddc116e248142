import { parseArgs } from 'node:util';

/** One command-line option of a benchmark. */
export interface Option<T> {
  readonly help: string;
  /** What stands for the value in the help. Undefined: a flag without a value. */
  readonly placeholder: string | undefined;
  readonly fallback: T;
  /** @throws UsageError */
  parse(given: string, name: string): T;
}

export type Options = { readonly [name: string]: Option<unknown> };
export type Values<S extends Options> = { readonly [K in keyof S]: S[K] extends Option<infer T> ? T : never };

/** The arguments are wrong; the message says which and why. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

interface Bounds<T> {
  readonly fallback: T;
  readonly min?: number;
  readonly max?: number;
}

export const integer = <T extends number | undefined>(help: string, { fallback, min = 1, max }: Bounds<T>): Option<T | number> => ({
  help,
  placeholder: 'N',
  fallback,
  parse: (given, name) => integerIn(given, name, min, max),
});

/** A number above 0, or from `min`. */
export const decimal = <T extends number | undefined>(help: string, { fallback, min, max }: Bounds<T>): Option<T | number> => ({
  help,
  placeholder: 'X',
  fallback,
  parse: (given, name) => {
    const value = given.trim() ? Number(given) : Number.NaN;
    const range = `${min === undefined ? 'above 0' : `from ${min}`}${max === undefined ? '' : ` to ${max}`}`;
    if (!(min === undefined ? value > 0 : value >= min) || !(value <= (max ?? Number.MAX_VALUE)))
      throw new UsageError(`--${name} must be a number ${range}`);
    return value;
  },
});

export const integers = (help: string, fallback: readonly number[], max?: number): Option<readonly number[]> => ({
  help,
  placeholder: 'N,...',
  fallback,
  parse: (given, name) => given.split(',').map((one) => integerIn(one, name, 1, max)),
});

export const text = <T extends string | undefined>(help: string, fallback: T, placeholder = 'TEXT'): Option<T | string> => ({
  help,
  placeholder,
  fallback,
  parse: (given) => given,
});

/** Comma-separated names; undefined means all of them. `known` is a function where listing them takes time. */
export const names = (help: string, known: readonly string[] | (() => readonly string[])): Option<readonly string[] | undefined> => ({
  help: typeof known === 'function' ? help : `${help}: ${known.join(', ')}`,
  placeholder: 'NAME,...',
  fallback: undefined,
  parse: (given, name) => given.split(',').map((one) => knownName(one.trim(), name, known)),
});

export const flag = (help: string): Option<boolean> => ({ help, placeholder: undefined, fallback: false, parse: () => true });

/** @throws UsageError */
export function knownName(given: string, option: string, known: readonly string[] | (() => readonly string[])): string {
  const all = typeof known === 'function' ? known() : known;
  if (!all.includes(given)) throw new UsageError(`--${option}: there is no "${given}"; there are ${all.join(', ')}`);
  return given;
}

/** @throws UsageError */
export function readOptions<S extends Options>(options: S, args: readonly string[]): Values<S> {
  const parsed = parse(options, args);
  return Object.fromEntries(
    Object.entries(options).map(([name, option]) => {
      const given = parsed[name];
      if (given === undefined) return [name, option.fallback];
      return [name, option.parse(String(given), name)];
    }),
  ) as Values<S>;
}

/** One line for each option, with its default. */
export const optionsHelp = (options: Options): string =>
  Object.entries(options)
    .map(([name, { help, placeholder, fallback }]) => {
      const usual =
        placeholder === undefined || fallback === undefined ? '' : ` (default: ${JSON.stringify(fallback).replaceAll(/["[\]]/g, '')})`;
      return `  ${`--${name}${placeholder === undefined ? '' : ` ${placeholder}`}`.padEnd(20)} ${help}${usual}\n`;
    })
    .join('');

function parse(options: Options, args: readonly string[]): { readonly [name: string]: string | boolean | undefined } {
  const kinds = Object.entries(options).map(([name, { placeholder }]) => [
    name,
    { type: placeholder === undefined ? ('boolean' as const) : ('string' as const) },
  ]);
  try {
    return parseArgs({
      args: [...args],
      options: Object.fromEntries(kinds) as Record<string, { type: 'string' | 'boolean' }>,
    }).values as { readonly [name: string]: string | boolean | undefined };
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

function integerIn(given: string, name: string, min: number, max: number | undefined): number {
  const value = given.trim() ? Number(given) : Number.NaN;
  if (!Number.isSafeInteger(value) || value < min || value > (max ?? value))
    throw new UsageError(`--${name} must be a whole number from ${min}${max === undefined ? '' : ` to ${max}`}`);
  return value;
}
