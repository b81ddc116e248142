/** How much of a value is shown in a mistake, in characters. */
const LONGEST = 80;

/** A text, not longer than a line takes: `most` characters. */
export function truncate(text: string, most = LONGEST): string {
  const start = text.slice(0, 2 * most + 2); // a character has one unit or two
  const letters = [...start];
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : text;
}

/** A value as it is shown in a mistake: JSON, not longer than a line takes. Never throws: the value may be anything that was read. */
export function preview(value: unknown): string {
  try {
    return truncate(value === undefined ? 'nothing' : JSON.stringify(value));
  } catch {
    return 'something too deep or too long to be shown'; // JSON is written recursively, and into one text
  }
}
