// The one form of what people, minds and files write. What is stored already keeps its bytes: this is for what comes in, and for comparing.

const ASCII = /^[ -~]*$/;

/** What no speech or name may hold: control characters, separators of lines, halves of characters, private ones, and marks that hide or turn text. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Co}\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

/** Of these, what carries nothing and can be left out. A joiner or a tag is left out where nothing needs it. */
const HIDDEN = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

/** Scripts whose words need joiners: Arabic and its like, Mongolian, and those of India and around. */
const SCRIPTS = 'Arab Syrc Mand Nkoo Mong Phag Adlm Rohg Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr';
const JOINING = `[[\\p{L}\\p{M}]&&[${SCRIPTS.replace(/(\w+) ?/g, '\\p{scx=$1}')}]]`;
/** Marks that take the vowel from a letter. A joiner behind one shapes the letter, at the end of a word too. */
const VIRAMA = '[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca]';
const EMOJI = '[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f]';

const joiners = (letter: string): string =>
  [
    `(?<=${letter})[\\u200c\\u200d](?=${letter})`,
    `(?<=${VIRAMA})[\\u200c\\u200d]`,
    `(?<=${EMOJI})\\u200d(?=\\p{Extended_Pictographic})`,
    '\\p{RGI_Emoji_Tag_Sequence}',
  ].join('|');
/** Joiners that a script or an emoji needs, and flags such as England's. */
const NEEDED = new RegExp(`(${joiners(JOINING)})|${HIDDEN.source}`, 'gv');

/** The same between any letters: what was said before it was cleaned stays printable. */
const ALLOWED = new RegExp(joiners('[\\p{L}\\p{M}]'), 'gv');

/** Whether a text is free of characters that could forge, hide or break a line. */
export const isPrintable = (text: string): boolean => ASCII.test(text) || !UNPRINTABLE.test(text.replace(ALLOWED, ''));

/** The first character that keeps a text from being printable, by its place from 1 and its code: `{ at: 3, code: 'U+200B' }`. */
export function firstUnprintable(text: string): { readonly at: number; readonly code: string } | undefined {
  const characters = [...text.replace(ALLOWED, 'x')];
  const at = characters.findIndex((character) => !isPrintable(character));
  if (at < 0) return undefined;
  return { at: at + 1, code: `U+${characters[at]!.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}` };
}

/**
 * A text in the one form: composed (NFC), lines ended by LF, blanks for tabs, without what carries nothing (soft hyphens, zero-width and
 * direction marks). Joiners stay where the script or an emoji needs them. What cannot be mended stays, for `isPrintable` to find.
 */
export function cleanText(text: string): string {
  if (ASCII.test(text)) return text;
  return text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/\t/g, ' ')
    .replace(NEEDED, (_, needed?: string) => needed ?? '')
    .normalize('NFC');
}

/** The same in one line, as speech and names are: line breaks become blanks. */
export const cleanLine = (text: string): string => cleanText(text).replace(/\s*\n\s*/g, ' ').trim(); // prettier-ignore

const UNMENDED = new RegExp(`(${ALLOWED.source})|${UNPRINTABLE.source}`, 'gv');

/** A line with blanks for all that cannot be mended: for texts of minds, which nobody could ask again. */
export const printable = (text: string): string =>
  cleanLine(text)
    .replace(UNMENDED, (_, allowed?: string) => allowed ?? ' ')
    .replace(/ {2,}/g, ' ')
    .trim();

/** A key that is equal for names that differ only in case, width, or marks that nobody sees. */
export const foldCase = (name: string): string => name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '').toLowerCase(); // prettier-ignore
