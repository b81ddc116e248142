import type { Random } from '../seeded-random.ts';

/** What a schema leaves open, a guide decides, so that values make sense and not just parse. */
export interface Guide {
  /** Which branch of several; each is known by the words it pins down (`do: 'vote'`). */
  branch(labels: readonly string[]): number;
  /** One of the values allowed for a property; `taken` are in the same list already. */
  choose(property: string, options: readonly unknown[], taken: readonly unknown[]): unknown;
  /** Free text for a property of at most this many characters; it may be shorter than asked for. */
  text(property: string, maxChars: number): string;
  /** Names for the entries of an object that may have any. */
  keys(): readonly string[];
}

/** A guide that knows nothing and rolls. */
export const blindGuide = (dice: Random): Guide => ({
  branch: (labels) => dice.below(labels.length),
  choose: (_property, options, taken) => {
    const fresh = options.filter((option) => !taken.includes(option));
    return dice.pick(fresh.length > 0 ? fresh : options);
  },
  text: () => Array.from({ length: 1 + dice.below(6) }, () => dice.pick(WORDS)).join(' '),
  keys: () => dice.shuffle(WORDS),
});

const WORDS = [
  'amber',
  'birch',
  'cedar',
  'dusk',
  'ember',
  'frost',
  'grove',
  'hazel',
  'ivory',
  'juniper',
  'lantern',
  'meadow',
  'night',
  'oak',
];
