import { markup, type Markup } from '@maw/http/markup.ts';

type Cell = Markup | string | number | undefined;

interface Column {
  readonly head: string;
  /** Aligned at the right, with digits of one width. */
  readonly isNumber?: boolean;
}

/** A column of numbers. */
export const n = (head: string): Column => ({ head, isNumber: true });
/** A column of words. */
export const w = (head: string): Column => ({ head });

/** With more columns, a row becomes a list of names and values on a narrow screen. */
const MAX_NARROW = 3;

/** A table; the first cell of a row is its name. */
export function table(caption: string, columns: readonly Column[], rows: readonly (readonly Cell[])[]): Markup {
  const head = columns.map(({ head: text, isNumber }) => markup`<th scope="col" ${isNumber ? RIGHT : LEFT}>${text}</th>`);
  const body = rows.map(
    ([first, ...cells]) =>
      markup`<tr>
        <th scope="row">${first}</th>
        ${cells.map((cell, i) => markup`<td ${columns[i + 1]?.isNumber ? RIGHT : LEFT} data-head="${columns[i + 1]?.head}">${cell}</td>`)}
      </tr>`,
  );
  return markup`<div class="scroll${columns.length > MAX_NARROW ? ' wide' : ''}" tabindex="0" role="region" aria-label="${caption}">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${head}
        </tr>
      </thead>
      <tbody>
        ${body}
      </tbody>
    </table>
  </div>`;
}

const [LEFT, RIGHT] = [markup``, markup`class="n"`];

/** The name of a rule set, and what the contest has of it: players and options. */
function partsOf(label: string): { readonly name: string; readonly about: string } {
  const [name = '', ...about] = label.match(/\d+ players|\S+/g) ?? [];
  return { name, about: about.join(', ') };
}

/** A rule set in a sentence: `onuw (3 players, setup=analysis)`. */
export function rulesText(label: string): string {
  const { name, about } = partsOf(label);
  return about ? `${name} (${about})` : name;
}

/** A rule set in a cell of a table, its options small below its name. */
export function rulesCell(label: string): Markup | string {
  const { name, about } = partsOf(label);
  return about ? markup`${name}<small class="about">${about}</small>` : name;
}
