import { markup, type Markup } from './markup.ts';

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
