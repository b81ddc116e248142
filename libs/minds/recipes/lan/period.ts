import { catalogue } from '@maw/games/catalogue.ts';
import type { Moment } from '../../mind.ts';

/** A round of the document: a quest of Avalon, else a day with the night before it, or a round of speeches of onuw. */
export interface Period {
  /** `quest 2`, `day 1`; the beginning of a game has the number 0. */
  readonly name: string;
  readonly word: string;
  readonly number: number;
  /** How many there are at most, where the game says so. */
  readonly most: number | undefined;
}

/** How many rounds a plan covers where the game has no fixed number. */
const AHEAD = 3;

/** The round that a phase belongs to. */
export function periodOf({ phase, rules }: Pick<Moment, 'phase' | 'rules'>): Period {
  const { word, most } = catalogue.find(({ name }) => name === rules.name)?.periods ?? { word: 'day' };
  const parts = phase.replace(/^round-\d+\/?/, '');
  const found = new RegExp(`(?:^|/)(?:${word === 'day' ? 'day|night' : word})-(\\d+)`).exec(parts);
  const number = found ? Number(found[1]) : parts.startsWith('end') ? (most ?? 0) : parts.startsWith('day') ? 1 : 0;
  return { name: `${word} ${number}`, word, number, most };
}

/** The names of the rounds that a plan is made for: this one and the rest of them, or the next two. */
export function plannedRounds({ word, number, most }: Period): readonly string[] {
  const first = Math.max(1, number);
  const last = most === undefined ? first + AHEAD - 1 : Math.max(first, most);
  return Array.from({ length: last - first + 1 }, (_, i) => `${word} ${first + i}`);
}
