import { storableCount, storableInstant, storableText, storableTotal, Unstorable } from './storable.ts';
import type { BudgetUsage, UsageTotal } from '../ports/budget-usage.ts';

/** @param isOpen throws when the store is closed */
export const validatedBudgetUsage = (ledger: BudgetUsage, isOpen: () => void): BudgetUsage => ({
  async record(writer, at, tallies) {
    isOpen();
    storableText(writer, 'Who writes to the ledger');
    storableInstant(at, 'When the ledger is written to');
    checkTallies(tallies);
    return ledger.record(writer, at, tallies);
  },
  async list(kind, about) {
    isOpen();
    storableText(kind, 'The kind of an account');
    storableText(about.except, 'Who writes to the ledger');
    storableInstant(about.since, 'The time to look for accounts since');
    storableCount(about.limit, 'The limit');
    return ledger.list(kind, about);
  },
  async prune(before, limit) {
    isOpen();
    storableInstant(before, 'The time to forget accounts before');
    storableCount(limit, 'The limit');
    return ledger.prune(before, limit);
  },
});

function checkTallies(tallies: readonly UsageTotal[]): void {
  const seen = new Set<string>();
  for (const { kind, who, period, used, carried, most } of tallies) {
    storableText(kind, 'The kind of an account');
    storableText(who, 'Whose account it is');
    storableCount(period, `The period of ${kind} ${who}`);
    for (const [what, tokens] of Object.entries({ used, carried, most })) storableTotal(tokens, `What ${kind} ${who} has as ${what}`);
    const key = JSON.stringify([kind, who, period]);
    if (seen.has(key)) throw new Unstorable(`${kind} ${who} is there twice for period ${period}: one total is wanted`);
    seen.add(key);
  }
}
