import type { ParameterValues } from './parameters.ts';

/** The recipe of a seat with what was chosen for it. */
export interface SeatRecipe {
  readonly recipe: string;
  /** The model of this seat alone. */
  readonly model?: string;
  /** As written: `off`, `10`. */
  readonly parameters?: ParameterValues;
}

/** Anything but the separator, and whatever stands in quotes. */
const PART = { ',': /(?:"[^"]*"|[^",])+/g, ';': /(?:"[^"]*"|[^";])+/g };

/** The parts of a text between separators that stand outside of double quotes; without empty ones. @throws Error for a quote that is not closed */
export function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  if ((text.match(/"/g)?.length ?? 0) % 2) throw new Error(`${text}: a double quote is not closed`);
  return (text.match(PART[separator]) ?? []).map((part) => part.trim()).filter(Boolean);
}

/**
 * Reads `xu:reflection=off;K=10`, `react:model=qwen3:4b;thinking=on`, `algorithm-1:strategy="Wait; then vote, late."`.
 * @throws Error saying what is expected
 */
export function parseSeatRecipe(text: string): SeatRecipe {
  const colon = text.indexOf(':');
  if (colon < 0 && text.includes(';')) throw new Error(`${text}: expected RECIPE:NAME=VALUE;NAME=VALUE, with a colon after the recipe`);
  if (colon < 0) return { recipe: text };
  const pairs = splitOutsideQuotes(text.slice(colon + 1), ';').map((part) => {
    const [, name, quoted, plain] = /^(\w+)\s*=\s*(?:"([^"]*)"|([^"]+))$/.exec(part) ?? [];
    const value = quoted ?? plain;
    if (name === undefined || value === undefined)
      throw new Error(`${text}: expected RECIPE:NAME=VALUE;NAME=VALUE, and ${part} is no NAME=VALUE`);
    return [name, value] as const;
  });
  const { model, ...parameters } = Object.fromEntries(pairs);
  return {
    recipe: text.slice(0, colon),
    ...(model === undefined ? {} : { model }),
    ...(Object.keys(parameters).length ? { parameters } : {}),
  };
}
