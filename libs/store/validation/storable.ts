/** What was handed over cannot be kept by PostgreSQL, so no store keeps it. Trying again is pointless. */
export class Unstorable extends Error {
  override readonly name = 'Unstorable';
  /** Whoever tries work again must not try this. */
  readonly isPermanent = true;
}

/**
 * Text that every store gives back as it got it.
 * @throws Unstorable when it has a U+0000 or half of a surrogate pair: PostgreSQL has no room for either
 */
export function storableText(text: string, what: string): void {
  if (typeof text !== 'string') throw new Unstorable(`${what} must be text, it is ${typeof text}`);
  if (text.includes('\0')) throw new Unstorable(`${what} has a U+0000 in it, which cannot be kept: remove it where the text comes in`);
  if (!text.isWellFormed())
    throw new Unstorable(
      `${what} has half of a surrogate pair in it, which cannot be kept: call toWellFormed() where the text comes in, or cut it between characters`,
    );
}

/** JSON that every store gives back as it got it, apart from the order of its keys. @throws Unstorable as for text, and for what JSON has no word for */
export function storableJson(value: unknown, what: string): void {
  const json = JSON.stringify(value) as string | undefined;
  if (json === undefined) throw new Unstorable(`${what} must be JSON, it is ${typeof value}`);
  // Only what JSON has to escape: \u0000 and lone surrogates, unless the backslash is itself escaped.
  const [bad] = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/.exec(json) ?? [];
  if (!bad) return;
  const text: string = JSON.parse(`"${bad}"`);
  storableText(text, `${what}, somewhere inside,`);
}

/** @throws Unstorable unless it is a whole number from `least` to `most` */
function whole(n: number, what: string, least: number, most: number): void {
  if (!Number.isSafeInteger(n) || n < least || n > most)
    throw new Unstorable(`${what} must be a whole number from ${least} to ${most}, it is ${n}`);
}

/** A sequence, a seat, a line, a limit. */
export const storableCount = (n: number, what: string): void => whole(n, what, 0, 2 ** 31 - 1);

/** Milliseconds since the epoch. */
export const storableInstant = (n: number, what: string): void => whole(n, what, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);

/** An amount that grows and grows. */
export const storableTotal = (n: number, what: string): void => whole(n, what, 0, Number.MAX_SAFE_INTEGER);
