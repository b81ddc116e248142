/** Control characters, separators of lines, and marks that hide or turn writing. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Co}\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]+/gu;

/** Our delimiters, and the brackets in which chat templates write their own marks (`<|im_start|>`, `[INST]`); not those around a number: `Agent[01]`. */
const OURS: { readonly [sign: string]: string } = { '«': '"', '»': '"', '<': '‹', '>': '›', '[': '(', ']': ')', '{': '(', '}': ')' };

/** A name or a speech with nothing in it that could pass for the end of a quotation, a new line, or a mark of the prompt's own. */
export const sanitize = (text: string): string =>
  text
    .replace(UNSEEN, ' ')
    .replace(/\[(\d{1,3})\]|[«»<>[\]{}]/g, (sign, number?: string) => (number === undefined ? OURS[sign]! : sign))
    .replace(/ {2,}/g, ' ')
    .trim();

/** Somebody else's words, as data. */
export const quote = (speech: string): string => `«${sanitize(speech)}»`;

/** A speech of our own made printable: line breaks are no speech. */
export const printable = (text: string): string => text.replace(UNSEEN, ' ').replace(/ {2,}/g, ' ').trim();
