import { isOfCell } from '@maw/contracts/cell.ts';
import { Problem } from './problem.ts';

/** Which cell this is, and where the others are. */
export interface Cells {
  /** Absent: there are no cells. Else ids of tables begin with it, and tokens are good for it alone. */
  readonly cell?: string | undefined;
  /** The addresses of cells by their names. */
  readonly cellUrls?: ReadonlyMap<string, string> | undefined;
}

/**
 * Refuses what is about a table of another cell. The id alone decides, so the answer tells nothing about the table. It is no redirect: a client that
 * follows one may send along its token and its words.
 * @throws Problem other-cell
 */
export function requireOwnCell({ cell, cellUrls }: Cells, table: string): void {
  if (isOfCell(cell, table)) return;
  const other = table.split('-', 1)[0]!;
  const address = cellUrls?.get(other);
  const detail =
    address === undefined
      ? `this is the cell ${cell}, and ids of its tables begin with ${cell}-: ask where the id comes from`
      : `ids that begin with ${other}- are of the cell ${other}, and this is ${cell}: ask at ${address}, with a token of that cell`;
  throw new Problem('other-cell', detail, { address });
}

const CELL_URL = /^([a-z][a-z0-9]{0,7})=(https?:\/\/[^\s/?#@,][^\s?#@,]*)$/;

/** The cells in a text such as `eu1=https://eu1.example,us1=https://us1.example`; undefined when it is none, or names a cell twice. */
export function readCellUrls(text: string): ReadonlyMap<string, string> | undefined {
  const pairs = text.split(',').map((pair) => CELL_URL.exec(pair.trim()));
  const urls = new Map(pairs.flatMap((pair) => (pair && URL.canParse(pair[2]!) ? [[pair[1]!, pair[2]!] as const] : [])));
  return urls.size === pairs.length ? urls : undefined;
}
