import { catalogue } from '@maw/games/catalogue.ts';
import type { Mind, Moment } from './mind.ts';

/** The role that the seat was dealt in this round; undefined when there is no news of a deal. */
export function dealtRole({ news, seat }: Pick<Moment, 'news' | 'seat'>): string | undefined {
  const dealt = news.findLast(({ event }) => event?.type === 'dealt')?.event;
  const cards = dealt?.['roles'] ?? dealt?.['cards'];
  const role: unknown = Array.isArray(cards) ? cards[seat] : undefined;
  return typeof role === 'string' && role !== 'hidden' ? role : undefined;
}

/** The dealt role that `observe` has noted, in the rule set's word; empty before the deal. */
export const ownRole = ({ notes }: Pick<Mind, 'notes'>): string => (typeof notes['role'] === 'string' ? notes['role'] : '');

/** The side that a role plays for, in the rule set's word; empty when the rule set does not say. */
export function sideOf(role: string, rules: string): string {
  const sides = sidesOf(rules);
  return Object.keys(sides).find((side) => sides[side]!.includes(role)) ?? '';
}

/** All roles of a rule set, in its words. */
export const rolesOf = (rules: string): readonly string[] => Object.values(sidesOf(rules)).flat();

const sidesOf = (rules: string): { readonly [side: string]: readonly string[] } => catalogue.find((set) => set.name === rules)?.sides ?? {};
