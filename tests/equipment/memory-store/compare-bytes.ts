/** The database's order of texts: collation "C". */
export const compareBytes = (a: string, b: string): number => Buffer.from(a).compare(Buffer.from(b));
