import { catalogue } from './catalogue.ts';
import type { Seat } from './kernel/question.ts';
import type { Opening } from './match/state.ts';

/** The side that a role plays for, in the word of the rule set; empty when the rule set does not say. */
export function sideOf(role: string, rules: string): string {
  const sides = sidesOf(rules);
  return Object.keys(sides).find((side) => sides[side]!.includes(role)) ?? '';
}

/** All roles of a rule set, in its words. */
export const rolesOf = (rules: string): readonly string[] => Object.values(sidesOf(rules)).flat();

/** The roles of a rule set without those that only certain options deal, unless they are among those that occur. */
export function rolesAmong(rules: string, occurring: readonly string[]): readonly string[] {
  const { optionalRoles = [] } = catalogue.find((set) => set.name === rules) ?? {};
  return rolesOf(rules).filter((role) => !optionalRoles.includes(role) || occurring.includes(role));
}

/** The sides of these roles. */
export const sidesAmong = (rules: string, occurring: readonly string[]): readonly string[] => [
  ...new Set(rolesAmong(rules, occurring).map((role) => sideOf(role, rules))),
];

/** Whether a side wins by the death of its own, beside or instead of others: whoever kills one of it has not hit an enemy. */
export const winsByDying = (side: string): boolean => side === 'tanner';

/** The roles of a rule set that the text of a table's rules names, which are those in the game; all when it names none. */
export function rolesIn({ name, text }: { readonly name: string; readonly text: string }): readonly string[] {
  const all = rolesOf(name);
  const plain = text.normalize('NFD').replaceAll(/\p{M}/gu, ''); // the Doppelgänger is `doppelganger`
  const named = all.filter((role) => new RegExp(String.raw`\b${role === 'wolf' ? 'werewol' : role}`, 'i').test(plain));
  return named.length ? named : all;
}

/** The roles that may be spoken of at a table: those that its options cannot deal are left out. */
export function spokenRoles(
  rules: string,
  { seats, options }: Pick<Opening, 'options'> & { readonly seats: readonly unknown[] },
): readonly string[] {
  const text = catalogue.find((set) => set.name === rules)?.text(seats.length, options) ?? '';
  return rolesAmong(rules, rolesIn({ name: rules, text }));
}

const sidesOf = (rules: string): { readonly [side: string]: readonly string[] } => catalogue.find((set) => set.name === rules)?.sides ?? {};

/** The role that an event deals to a seat, as far as whoever sees the event may know it; undefined for all other events. */
export function dealtRole(event: { readonly [field: string]: unknown } | undefined, seat: Seat): string | undefined {
  const cards = event?.['type'] === 'dealt' ? (event['roles'] ?? event['cards']) : undefined;
  const role: unknown = Array.isArray(cards) ? cards[seat] : undefined;
  return typeof role === 'string' && role !== 'hidden' ? role : undefined;
}
