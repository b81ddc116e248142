/** What is wrong with something that was written down, for whoever can mend it. */
export interface Mistake {
  /** A path such as `acts[3].seat`. */
  readonly where: string;
  readonly wrong: string;
  /** What would be right, or what to do. */
  readonly right: string;
}

export const sentence = ({ where, wrong, right }: Mistake): string => `${where}: ${wrong}; ${right}`;

/** A record that cannot be read, with every mistake that was found. */
export class RecordError extends Error {
  override readonly name = 'RecordError';
  readonly mistakes: readonly Mistake[];
  constructor(mistakes: readonly Mistake[]) {
    super(mistakes.map(sentence).join('\n'));
    this.mistakes = mistakes;
  }
}

/** How much of a value is shown in a mistake, in characters. */
const LONGEST = 80;

/** A text, not longer than a line takes: `most` characters. */
export function cut(text: string, most = LONGEST): string {
  const start = text.slice(0, 2 * most + 2); // a character has one unit or two
  const letters = [...start];
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : text;
}

/** A value as it is shown in a mistake: JSON, not longer than a line takes. Never throws: the value may be anything that was read. */
export function shown(value: unknown): string {
  try {
    return cut(value === undefined ? 'nothing' : JSON.stringify(value));
  } catch {
    return 'something too deep or too long to be shown'; // JSON is written recursively, and into one text
  }
}
