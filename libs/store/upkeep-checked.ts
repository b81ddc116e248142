import { storableCount, storableInstant, storableText } from './storable.ts';
import type { Retiring, Upkeep } from './upkeep.ts';

/** @param isOpen throws when the store is closed */
export const checkedUpkeep = (upkeep: Upkeep, isOpen: () => void): Upkeep => ({
  async count() {
    isOpen();
    return upkeep.count();
  },
  async tables(after, limit) {
    isOpen();
    storableText(after, 'The table to list after');
    storableCount(limit, 'The limit');
    return upkeep.tables(after, limit);
  },
  async whole(table) {
    isOpen();
    storableText(table, 'The id of a table');
    return upkeep.whole(table);
  },
  async retiring(about) {
    isOpen();
    checkRetiring(about);
    return upkeep.retiring(about);
  },
  async nextRetiring(about) {
    isOpen();
    checkRetiring(about);
    storableCount(about.limit, 'The limit');
    if (about.after) {
      storableInstant(about.after.ended, 'When the table to go on after ended');
      storableText(about.after.table, 'The table to go on after');
    }
    return upkeep.nextRetiring(about);
  },
  async remove(tables, about) {
    isOpen();
    for (const table of tables) storableText(table, 'The id of a table');
    storableInstant(about.at, 'When tables are removed');
    return upkeep.remove(tables, about);
  },
});

const checkRetiring = ({ before }: Retiring): void => storableInstant(before, 'The time before which tables have ended');
