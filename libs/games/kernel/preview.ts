/** The maximum length of a value quoted in a mistake, in characters. */
const MAX_LENGTH = 80;

/** A text cut to at most `max` characters. */
export function truncate(text: string, max = MAX_LENGTH): string {
  const start = text.slice(0, 2 * max + 2); // do not cut a surrogate pair in half
  const letters = [...start];
  return letters.length > max ? `${letters.slice(0, max - 1).join('')}…` : text;
}

/** A value quoted in a mistake, as one line of JSON. Accepts any value and never throws. */
export function preview(value: unknown): string {
  try {
    return truncate(value === undefined ? 'nothing' : JSON.stringify(value));
  } catch {
    return 'something too deep or too long to be shown'; // JSON.stringify can exceed the stack or the maximum string length
  }
}
