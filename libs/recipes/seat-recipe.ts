import type { ParameterValues } from './parameters.ts';

/** The recipe of a seat with the parameters chosen for it. */
export interface SeatRecipe {
  readonly recipe: string;
  /** As written: `off`, `10`. */
  readonly parameters?: ParameterValues;
}

/**
 * Reads `xu:reflection=off;K=10`.
 * @throws Error saying what is expected
 */
export function parseSeatRecipe(text: string): SeatRecipe {
  const colon = text.indexOf(':');
  if (colon < 0 && text.includes(';')) throw new Error(`${text}: expected RECIPE:NAME=VALUE;NAME=VALUE, with a colon after the recipe`);
  if (colon < 0) return { recipe: text };
  const parts = text.slice(colon + 1).split(';').map((part) => part.trim()).filter(Boolean); // prettier-ignore
  const pairs = parts.map((part) => {
    const [, name, value] = /^(\w+)\s*=\s*(.+)$/.exec(part) ?? [];
    if (name === undefined || value === undefined)
      throw new Error(`${text}: expected RECIPE:NAME=VALUE;NAME=VALUE, and ${part} is no NAME=VALUE`);
    return [name, value] as const;
  });
  return { recipe: text.slice(0, colon), ...(pairs.length ? { parameters: Object.fromEntries(pairs) } : {}) };
}
