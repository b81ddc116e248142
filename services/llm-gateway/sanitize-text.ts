const MOST = 500;

/** Text of strangers, fit for a log line or an answer: one line, nothing that hides or turns writing, at most `most` characters. */
export function sanitizeText(text: string, most = MOST): string {
  const clean = text
    .slice(0, 4 * most)
    .toWellFormed()
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim();
  const characters = [...clean];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : clean;
}
