/** Control characters, line separators, and marks that hide text or change its direction. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Co}\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]+/gu;

/** The prompt's delimiters, and the brackets of chat templates (`<|im_start|>`, `[INST]`), but not around a number: `Agent[01]`. */
const OURS: { readonly [sign: string]: string } = { '«': '"', '»': '"', '<': '‹', '>': '›', '[': '(', ']': ')', '{': '(', '}': ')' };

/** Removes from a name or a speech whatever could end a quotation, start a line, or pass for a mark of the prompt. */
export const sanitize = (text: string): string =>
  text
    .replace(UNSEEN, ' ')
    .replace(/\[(\d{1,3})\]|[«»<>[\]{}]/g, (sign, number?: string) => (number === undefined ? OURS[sign]! : sign))
    .replace(/ {2,}/g, ' ')
    .trim();

/** Quotes somebody else's words. */
export const quote = (speech: string): string => `«${sanitize(speech)}»`;

/** Makes an own speech printable, without line breaks. */
export const printable = (text: string): string => text.replace(UNSEEN, ' ').replace(/ {2,}/g, ' ').trim();
