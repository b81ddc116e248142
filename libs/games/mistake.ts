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

/** A value as it is shown in a mistake: JSON, not longer than a line takes. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  const letters = [...text];
  return letters.length > 80 ? `${letters.slice(0, 79).join('')}…` : text;
}
