const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });
const IS_WHOLE = /(?:[.!?…。！？]["'”’»」)\]*]*\s*|[\p{L}\p{N}\p{P}][^\S\n]*\n\s*)$/u;

/** The sentences of a text, each with the blanks behind it. */
export const sentencesOf = (text: string): readonly string[] => [...sentences.segment(text)].map(({ segment }) => segment);

/** The whole sentences and lines at the beginning of a text that have at most so many characters. Empty: none. */
export function wholeSentences(text: string, maxChars = Infinity): string {
  let [read, whole, chars] = ['', '', 0];
  for (const sentence of sentencesOf(text)) {
    if (chars + [...sentence.trimEnd()].length > maxChars) break;
    read += sentence;
    chars += [...sentence].length;
    if (IS_WHOLE.test(sentence)) whole = read;
  }
  return whole.trim();
}
