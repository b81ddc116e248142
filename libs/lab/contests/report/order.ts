import type { PairingResult } from '../result.ts';

/** Numbers in names by size: `P2` before `P10`. It does not depend on the language of the machine. */
const order = new Intl.Collator('en', { numeric: true });

/** The order of names in tables. */
export const byName = (a: string, b: string): number => order.compare(a, b);

/** Results in the order of their numbers, so that nothing depends on the order of arrival. */
export const inOrder = (results: readonly PairingResult[]): readonly PairingResult[] => results.toSorted((a, b) => a.number - b.number);
