import { type Draws, type Roll, seededRoll } from '../kernel/dice.ts';
import { preview, truncate } from '../kernel/preview.ts';

type Item = string | number;

export interface DrawResult {
  /** The question whose settling caused the draw, or `deal`. */
  readonly step: string;
  readonly name: string;
  readonly is: Item | readonly Item[];
  readonly fixed: boolean;
  readonly objection?: { readonly wrong: string; readonly right: string };
}

/**
 * Draws that return fixed values where given, and roll otherwise.
 * @param fixedValue the value of a draw; undefined: it is rolled. An impossible value is ignored and noted with an objection.
 * @param note receives every draw
 */
export function fixedRoll(fixedValue: (step: string, name: string) => unknown, note: (drawn: DrawResult) => void): Roll {
  return (seed, step): Draws => {
    const dice = seededRoll(seed, step);
    const draw = <T extends Item | readonly Item[]>(name: string, objection: Objection, roll: () => T): T => {
      const given = fixedValue(step, name);
      const wrong = given === undefined ? undefined : objection(given);
      const fixed = given !== undefined && !wrong;
      const is = fixed ? (given as T) : roll();
      note({ step, name, is, fixed, ...(wrong ? { objection: wrong } : {}) });
      return is;
    };
    return {
      pick: (name, items) => draw(name, itemObjection(items), () => dice.pick(name, items)),
      shuffle: (name, items) => [...draw(name, orderObjection(items), () => dice.shuffle(name, items))],
    };
  };
}

type Objection = (given: unknown) => DrawResult['objection'];

const itemObjection =
  (items: readonly Item[]): Objection =>
  (given) =>
    items.includes(given as Item) ? undefined : { wrong: `${preview(given)} cannot be drawn`, right: `it is one of ${countedList(items)}` };

const orderObjection =
  (items: readonly Item[]): Objection =>
  (given) => {
    const right = `it is ${countedList(items)}, in some order`;
    if (!Array.isArray(given)) return { wrong: `${preview(given)} is no list`, right };
    const missing = subtract(items, given);
    const tooMany = subtract(given, items);
    const wrong = [['missing', missing] as const, ['too many', tooMany] as const].flatMap(([what, some]) =>
      some.length ? [`${what}: ${countedList(some)}`] : [],
    );
    return wrong.length ? { wrong: wrong.join('; '), right } : undefined;
  };

/** `all` minus `some`, as multisets. */
function subtract(all: readonly unknown[], some: readonly unknown[]): unknown[] {
  const rest = [...all];
  for (const one of some) if (rest.includes(one)) rest.splice(rest.indexOf(one), 1);
  return rest;
}

/** The maximum of different items named one by one. */
const MAX_NAMED = 24;

/** `2 wolf, 4 villager`; items that occur once have no number. */
function countedList(items: readonly unknown[]): string {
  const counts = new Map<unknown, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  const word = (item: unknown) => (typeof item === 'string' && /^[a-z]/i.test(item) ? truncate(item) : preview(item)); // "2" differs from 2
  const named = [...counts].slice(0, MAX_NAMED).map(([item, n]) => `${n > 1 ? `${n} ` : ''}${word(item)}`);
  return [...named, ...(counts.size > MAX_NAMED ? [`and ${counts.size - MAX_NAMED} more`] : [])].join(', ');
}
