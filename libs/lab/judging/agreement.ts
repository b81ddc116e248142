import { diceOf } from '@maw/games/kernel/dice.ts';

/** The labels that judges gave to one item, in the order of the judges. */
export interface Rated {
  readonly labels: readonly string[];
  /** Items of one game are drawn together. */
  readonly game: string;
}

/** How far judges agree beyond chance. */
export interface Agreement {
  readonly items: number;
  /** The share of pairs of judges that agree; undefined for no items. */
  readonly agreement: number | undefined;
  /** Undefined when chance alone would make them agree always, and for no items. */
  readonly kappa: number | undefined;
  /** A 95 % interval; absent where there is no kappa. */
  readonly low?: number;
  readonly high?: number;
  /** What was drawn for the interval. */
  readonly drawn: 'games' | 'items';
}

type Kappa = (items: readonly Pick<Rated, 'labels'>[]) => { readonly agreement: number; readonly kappa: number | undefined };

const beyondChance = (observed: number, expected: number) => ({
  agreement: observed,
  kappa: expected > 1 - 1e-12 ? undefined : (observed - expected) / (1 - expected),
});

const countsOf = (labels: readonly string[]): readonly (readonly [string, number])[] =>
  [...Map.groupBy(labels, (label) => label)].map(([label, all]) => [label, all.length]);

/** Cohen's kappa of two judges (Cohen, 1960): each has its own habit of answering. */
export const cohenKappa: Kappa = (items) => {
  const n = items.length;
  const second = new Map(countsOf(items.map(({ labels }) => labels[1]!)));
  const observed = items.filter(({ labels: [a, b] }) => a === b).length / n;
  const expected = countsOf(items.map(({ labels }) => labels[0]!)).reduce((sum, [label, of]) => sum + of * (second.get(label) ?? 0), 0);
  return beyondChance(observed, expected / n ** 2);
};

/** Fleiss' kappa of any number of judges (Fleiss, 1971): all have the same habit. */
export const fleissKappa: Kappa = (items) => {
  const judges = items[0]!.labels.length;
  const pairs = items.map(({ labels }) => countsOf(labels).reduce((sum, [, of]) => sum + of * (of - 1), 0) / (judges * (judges - 1)));
  const observed = pairs.reduce((sum, share) => sum + share, 0) / items.length;
  const all = countsOf(items.flatMap(({ labels }) => labels));
  const expected = all.reduce((sum, [, of]) => sum + (of / (items.length * judges)) ** 2, 0);
  return beyondChance(observed, expected);
};

/** With fewer games, items are drawn, as if those of a game did not depend on each other. */
const ENOUGH_GAMES = 10;
const DRAWS = 2000;

/** The kappa of some items, with a percentile interval of a bootstrap over games. @param items with two labels or more */
export function agreementOf(kappaOf: Kappa, items: readonly Rated[], seed: string): Agreement {
  const games = [...Map.groupBy(items, ({ game }) => game).values()];
  const drawn = games.length < ENOUGH_GAMES ? 'items' : 'games';
  const units = drawn === 'games' ? games : items.map((item) => [item]);
  if (!items.length) return { items: 0, agreement: undefined, kappa: undefined, drawn };
  const dice = diceOf(seed, 'agreement');
  const values = Array.from({ length: DRAWS }, () => kappaOf(units.flatMap(() => units[dice.below(units.length)]!)).kappa)
    .filter((value) => value !== undefined)
    .toSorted((a, b) => a - b);
  const found = kappaOf(items);
  const at = (share: number): number => values[Math.round(share * (values.length - 1))]!;
  const interval = found.kappa === undefined || !values.length ? {} : { low: at(0.025), high: at(0.975) };
  return { items: items.length, ...found, ...interval, drawn };
}
