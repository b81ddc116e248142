import type { Moment } from '../../mind.ts';

/** A round of the document: a quest of Avalon, else a day with the night before it, or a round of speeches of onuw. */
export interface Period {
  /** `quest 2`, `day 1`; the beginning of a game has the number 0. */
  readonly name: string;
  readonly word: string;
  readonly number: number;
}

/** How many rounds a plan covers where the game has no fixed number. */
const AHEAD = 3;
const QUESTS = 5;

/** The round that a phase belongs to. */
export function periodOf({ phase, rules }: Pick<Moment, 'phase' | 'rules'>): Period {
  const isOnuw = rules.name === 'onuw';
  const words = rules.name === 'avalon' ? 'quest' : isOnuw ? 'round' : 'day|night';
  const parts = phase.replace(/^round-\d+\/?/, '');
  const found = new RegExp(`(?:^|/)(?:${words})-(\\d+)`).exec(parts);
  const number = found ? Number(found[1]) : parts.startsWith('end') ? QUESTS : isOnuw && parts.startsWith('day') ? 1 : 0;
  const word = rules.name === 'avalon' ? 'quest' : isOnuw ? 'round' : 'day';
  return { name: `${word} ${number}`, word, number };
}

/** The names of the rounds that a plan is made for: this one and the rest of the quests, or the next two. */
export function plannedRounds({ word, number }: Period): readonly string[] {
  const first = Math.max(1, number);
  const last = word === 'quest' ? Math.max(first, QUESTS) : first + AHEAD - 1;
  return Array.from({ length: last - first + 1 }, (_, i) => `${word} ${first + i}`);
}
