const MAX_LENGTH = 500;

/** Makes text from outside fit for log lines and answers: one line, no invisible or direction-changing characters, at most `max` characters. */
export function sanitizeText(text: string, max = MAX_LENGTH): string {
  const clean = text
    .slice(0, 4 * max)
    .toWellFormed()
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim();
  const characters = [...clean];
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : clean;
}
