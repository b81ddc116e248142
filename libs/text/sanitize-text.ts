import { stripVTControlCharacters } from 'node:util';

/** Nothing that came from outside may move the cursor or forge a line of a terminal: one line, without control characters or marks that turn text. */
export const sanitizeText = (text: string): string =>
  stripVTControlCharacters(text).replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, ' ');

const MAX_LENGTH = 500;

/** Makes text from outside fit for log lines and answers: one line, no invisible or direction-changing characters, at most `max` characters. */
export function logText(text: string, max = MAX_LENGTH): string {
  if (text.length <= max && /^[\x21-\x7e]*$/.test(text)) return text; // nearly all: names, codes
  const clean = text
    .slice(0, 4 * max)
    .toWellFormed()
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim();
  const characters = [...clean];
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : clean;
}
