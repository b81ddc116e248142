import type { OptionTable } from '@maw/games/kernel/options.ts';

/** A decision of a model may take so much longer than the one that was measured. */
const MARGIN = 1.5;

/**
 * The times of secret steps of a table at the pace of people that are too short for its model as they are, as options in milliseconds.
 * @param given options of the table @param decisionMs how long a decision of the model takes
 */
export function nightsFor(
  table: OptionTable,
  given: { readonly [name: string]: unknown },
  decisionMs: number,
): { readonly [name: string]: number } {
  const needed = Object.entries(table).flatMap(([name, option]) => {
    if (option.kind !== 'whole' || option.decisions === undefined || given[name] !== undefined) return [];
    if (option.opens?.unless !== undefined && given[option.opens.unless] !== undefined) return [];
    const ms = Math.ceil((option.decisions * decisionMs * MARGIN) / 1000) * 1000;
    return ms > (option.opens?.most ?? option.people ?? option.usual) ? [[name, Math.min(ms, option.most)] as const] : [];
  });
  return Object.fromEntries(needed);
}
