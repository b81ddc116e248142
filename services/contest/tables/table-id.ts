/** The id of the table of an attempt at a pairing: whoever opens it again opens the same one. */
export const tableIdOf = (contest: string, number: number, attempt: number): string => `${contest}-${number}-${attempt}`;
