import type { Seat } from '../kernel/question.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { AvalonOptions } from './options.ts';
import { type Role, ROLES, sideOf, type Sight } from './state.ts';

/** Team sizes of the five quests by number of players, as on the published boards. */
const SIZES: { readonly [players: number]: readonly number[] } = {
  5: [2, 3, 2, 3, 3],
  6: [2, 3, 4, 3, 4],
  7: [2, 3, 3, 4, 4],
  8: [3, 4, 4, 5, 5],
  9: [3, 4, 4, 5, 5],
  10: [3, 4, 4, 5, 5],
};

const EVIL: { readonly [players: number]: number } = { 5: 2, 6: 2, 7: 3, 8: 3, 9: 3, 10: 4 };
export const evilCount = (players: number): number => EVIL[players]!;

export const teamSize = (players: number, quest: number): number => SIZES[players]![quest - 1]!;

export const failsNeeded = (players: number, quest: number, twoFails: boolean): number => (twoFails && quest === 4 && players >= 7 ? 2 : 1);

/** Roles that the published game allows at most once. */
const ONCE = ['percival', 'tristan', 'isolde', 'morgana', 'mordred', 'oberon'] as const;

/**
 * The roles dealt to 5 to 10 players: the default for that number, or a chosen cast.
 * @throws Refusal bad-option, naming every mistake in the chosen cast
 */
export function rolesFor(players: number, { seventh, tenth, roles }: Pick<AvalonOptions, 'seventh' | 'tenth' | 'roles'>): readonly Role[] {
  if (!Object.values(roles).some((count) => count > 0)) return usual(players, seventh, tenth);
  const count = (role: Role) => roles[role] ?? 0;
  const cast = ROLES.flatMap((role) => Array.from({ length: count(role) }, () => role));
  const evil = cast.filter((role) => sideOf(role) === 'evil').length;
  const mistakes = [
    ...(['merlin', 'assassin'] as const).flatMap((role) => (count(role) === 1 ? [] : [`exactly one ${role}, not ${count(role)}`])),
    ...ONCE.flatMap((role) => (count(role) <= 1 ? [] : [`at most one ${role}, not ${count(role)}`])),
    ...(count('tristan') === count('isolde') ? [] : ['tristan and isolde, or neither of them']),
    ...(cast.length === players ? [] : [`${players} roles for ${players} players, not ${cast.length}`]),
    ...(evil === evilCount(players) ? [] : [`${evilCount(players)} evil of ${players} players, not ${evil}`]),
  ];
  if (mistakes.length) throw new Refusal('bad-option', `roles: there must be ${mistakes.join('; ')}`);
  return cast;
}

/** Each number adds to the one before; at 9, Mordred replaces the third evil role. */
function usual(players: number, seventh: Role, tenth: Role): readonly Role[] {
  const servants = players - evilCount(players) - 2;
  return [
    'merlin',
    'percival',
    ...Array.from({ length: servants }, () => 'servant' as const),
    'morgana',
    'assassin',
    ...(players >= 9 ? ['mordred' as const] : players >= 7 ? [seventh] : []),
    ...(players === 10 ? [tenth] : []),
  ];
}

/** What each seat is shown, in seat order. Merlin, Percival, the lovers and evil seats except Oberon are shown something. */
export function sightsOf(roles: readonly Role[]): readonly Sight[] {
  const who = (fits: (role: Role, seat: Seat) => boolean): Seat[] => roles.flatMap((role, seat) => (fits(role, seat) ? [seat] : []));
  return roles.flatMap((role, seat): Sight[] => {
    switch (role) {
      case 'merlin':
        return [{ seat, of: who((other) => sideOf(other) === 'evil' && other !== 'mordred'), as: 'evil' }];
      case 'percival':
        return [
          {
            seat,
            of: who((other) => other === 'merlin' || other === 'morgana'),
            as: roles.includes('morgana') ? 'merlin-or-morgana' : 'merlin',
          },
        ];
      case 'tristan':
        return [{ seat, of: who((other) => other === 'isolde'), as: 'isolde' }];
      case 'isolde':
        return [{ seat, of: who((other) => other === 'tristan'), as: 'tristan' }];
      case 'morgana':
      case 'assassin':
      case 'minion':
      case 'mordred':
        return [{ seat, of: who((other, at) => at !== seat && sideOf(other) === 'evil' && other !== 'oberon'), as: 'evil' }];
      case 'servant':
      case 'oberon':
        return [];
    }
  });
}
