/**
 * All but letters, marks, digits, punctuation, symbols and spaces, and of these the blank ones: fillers, variation selectors, an empty Braille
 * cell. Joiners and the emoji selector are left to `STRAY`.
 */
const UNSEEN = /[[[^\p{L}\p{M}\p{N}\p{P}\p{S} ]\p{Default_Ignorable_Code_Point}\u2800\ufffc\ufffd]--[\ufe0f\u200c-\u200d]]+/gv;

/** Joiners other than between letters or emoji, and emoji selectors behind anything else, but for keycaps. */
const STRAY =
  /[\u200c\u200d](?:(?<!(?:[\p{L}[\p{M}--\ufe0f]\p{Extended_Pictographic}\p{Emoji_Modifier}]|\p{Extended_Pictographic}\ufe0f).)|(?![\p{L}[\p{M}--\ufe0f]\p{Extended_Pictographic}]))|\ufe0f(?<!\p{Extended_Pictographic}.)(?!(?<=[0-9#*].)\u20e3)/gv;

/** Brackets and quotation marks except `()` and the usual `“”`, and symbols that look like some; but not brackets around a number: `Agent[01]`. */
const BRACKET = /\[(\d{1,3})\]|[<‹]{2,}|[>›]{2,}|[[\p{Ps}\p{Pe}\p{Pi}\p{Pf}<>≪≫⋘⋙⪡⪢]--[\(\)‘’‚‛“”„‟]]/gv;

/**
 * Makes a name or a speech fit for a prompt: removes whatever could end a quotation, start a line, hide text, or pass for a mark of the prompt
 * or of a chat template (`<|im_start|>`, `[INST]`), in every compatibility form (NFKC). What was said stays as it is on the tape.
 */
export const sanitize = (text: string): string =>
  compose(text)
    .replace(UNSEEN, ' ')
    .replace(STRAY, ' ')
    .replace(BRACKET, (sign, number?: string) => (number === undefined ? harmless(sign) : sign))
    .replace(/ {2,}/g, ' ')
    .trim();

/** NFKC, cut to twice as many code points as the text has: one character may become eighteen (U+FDFA), and `…` becomes three. */
function compose(text: string): string {
  const composed = text.normalize('NFKC');
  return composed.length <= text.length ? composed : [...composed].slice(0, 2 * [...text].length).join('');
}

function harmless(sign: string): string {
  if (sign === '<' || sign === '‹') return '‹';
  if (sign === '>' || sign === '›') return '›';
  if (/^[«»<>‹›≪≫⋘⋙⪡⪢《》⟪⟫「」『』]/u.test(sign)) return '"';
  return /[\p{Ps}\p{Pi}]/u.test(sign) ? '(' : ')';
}

/** Quotes somebody else's words. */
export const quote = (speech: string): string => `«${sanitize(speech)}»`;

/** The beginning of a text, at most so many UTF-16 units; no character is cut in two. */
export const truncate = (text: string, chars: number): string => text.slice(0, chars).replace(/[\ud800-\udbff]$/, '');
