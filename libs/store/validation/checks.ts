/** A value that PostgreSQL cannot store, so that no store accepts it. Trying again is pointless. */
export class Unstorable extends Error {
  override readonly name = 'Unstorable';
  /** Tells retry loops to give up. */
  readonly isPermanent = true;
}

/** Says what is wrong with a value, to be read after its name; undefined when every store can keep it. */
export type Check = (value: never) => string | undefined;

const whole =
  (min: number, max: number): Check =>
  (n: number) =>
    Number.isSafeInteger(n) && n >= min && n <= max ? undefined : ` must be a whole number from ${min} to ${max}, it is ${n}`;

/** A sequence, a seat, a limit. */
export const count = whole(0, 2 ** 31 - 1);
/** A number of a list that begins with 1. */
export const ordinal = whole(1, 2 ** 31 - 1);
/** Milliseconds since the epoch, or any number of 53 bits. */
export const instant = whole(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
/** An amount that only grows. */
export const total = whole(0, Number.MAX_SAFE_INTEGER);

/** Text without U+0000 and lone surrogates, for which PostgreSQL has no room. */
export const text: Check = (value: unknown) => {
  if (typeof value !== 'string') return ` must be text, it is ${typeof value}`;
  if (value.includes('\0')) return ' contains U+0000, which cannot be stored: remove it where the text comes in';
  if (!value.isWellFormed())
    return ' contains half of a surrogate pair, which cannot be stored: call toWellFormed() where the text comes in, or cut it between characters';
  return undefined;
};

/** Anything that JSON can express, stored as text: any string may be in it. */
export const rawJson: Check = (value: unknown) =>
  JSON.stringify(value) === undefined ? ` must be JSON, it is ${typeof value}` : undefined;

/** JSON that is stored as jsonb: every text in it must be storable, keys included. */
export const json: Check = (value: unknown) => {
  const written = JSON.stringify(value) as string | undefined;
  if (written === undefined) return ` must be JSON, it is ${typeof value}`;
  // Only what JSON has to escape: \u0000 and lone surrogates, unless the backslash is itself escaped.
  const [bad] = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/.exec(written) ?? [];
  return bad && text(JSON.parse(`"${bad}"`) as never);
};

/** Nothing to check: a boolean. */
export const flag: Check = () => undefined;

/** The same check for a value that may be missing. */
export const optional =
  (check: Check): Check =>
  (value: unknown) =>
    value === undefined ? undefined : check(value as never);

/** Every item of a list. */
export const each =
  (check: Check): Check =>
  (values: readonly unknown[]) => {
    for (const [i, value] of values.entries()) {
      const wrong = check(value as never);
      if (wrong !== undefined) return `[${i}]${wrong}`;
    }
    return undefined;
  };

/** The fields of an object by their names; further fields are ignored. */
export const fields = (checks: Readonly<Record<string, Check>>): Check => {
  const list = Object.entries(checks);
  return (value: Readonly<Record<string, unknown>>) => {
    for (const [name, check] of list) {
      const wrong = check(value[name] as never);
      if (wrong !== undefined) return `.${name}${wrong}`;
    }
    return undefined;
  };
};
