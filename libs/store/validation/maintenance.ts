import { storableCount, storableInstant, storableText } from './storable.ts';
import type { RetentionFilter, Maintenance } from '../ports/maintenance.ts';

/** @param isOpen throws when the store is closed */
export const validatedMaintenance = (upkeep: Maintenance, isOpen: () => void): Maintenance => ({
  async countTables() {
    isOpen();
    return upkeep.countTables();
  },
  async listTables(after, limit) {
    isOpen();
    storableText(after, 'The table to list after');
    storableCount(limit, 'The limit');
    return upkeep.listTables(after, limit);
  },
  async readTable(table) {
    isOpen();
    storableText(table, 'The id of a table');
    return upkeep.readTable(table);
  },
  async countExpired(about) {
    isOpen();
    checkRetiring(about);
    return upkeep.countExpired(about);
  },
  async listExpired(about) {
    isOpen();
    checkRetiring(about);
    storableCount(about.limit, 'The limit');
    if (about.after) {
      storableInstant(about.after.ended, 'When the table to go on after ended');
      storableText(about.after.table, 'The table to go on after');
    }
    return upkeep.listExpired(about);
  },
  async removeTables(tables, about) {
    isOpen();
    for (const table of tables) storableText(table, 'The id of a table');
    storableInstant(about.at, 'When tables are removed');
    return upkeep.removeTables(tables, about);
  },
});

const checkRetiring = ({ before }: RetentionFilter): void => storableInstant(before, 'The time before which tables have ended');
