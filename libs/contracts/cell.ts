/** The id of a table as a cell gives it out, `eu1-…`. Without a cell it stays as it is. */
export const idInCell = (cell: string | undefined, id: string): string => (cell === undefined ? id : `${cell}-${id}`);

/** Whether the id of a table is one that this cell gives out. Without a cell every id is. */
export const isOfCell = (cell: string | undefined, table: string): boolean => cell === undefined || table.startsWith(`${cell}-`);
