import { cleanLine, isPrintable } from '@maw/text/clean.ts';

/** A text and what the rules would say to it. */
export interface Measured {
  /** As the web service counts: in characters (code points). */
  readonly length: number;
  readonly max: number;
  readonly isTooLong: boolean;
  /** Not empty, not too long, and without characters that are refused. */
  readonly isSayable: boolean;
  readonly isPrintable: boolean;
}

export function measure(typed: string, max: number): Measured {
  const text = cleanLine(typed); // as the table will have it
  const { length } = [...text];
  const printable = isPrintable(text);
  return { length, max, isTooLong: length > max, isPrintable: printable, isSayable: text !== '' && length <= max && printable };
}

/** Speech is one line: line breaks of what was pasted become spaces. */
export const oneLine = (text: string): string => text.replaceAll(/[\r\n\u2028\u2029]+/g, ' ');
