/** A mistake in written input, for the person who can fix it. */
export interface Mistake {
  /** A path such as `acts[3].seat`. */
  readonly where: string;
  readonly wrong: string;
  /** What would be right, or what to do. */
  readonly right: string;
}

export const formatMistake = ({ where, wrong, right }: Mistake): string => `${where}: ${wrong}; ${right}`;

/** A record that cannot be read, with every mistake found. */
export class RecordError extends Error {
  override readonly name = 'RecordError';
  readonly mistakes: readonly Mistake[];
  constructor(mistakes: readonly Mistake[]) {
    super(mistakes.map(formatMistake).join('\n'));
    this.mistakes = mistakes;
  }
}
