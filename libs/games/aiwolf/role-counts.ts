import type { Counts } from '../kernel/options.ts';
import { Refusal } from '../kernel/refusal.ts';
import { isNlp } from './presets.ts';
import { type Role, ROLES, sideOf } from './state.ts';

export type RoleCounts = { readonly [role in Role]: number };

/** The columns of the casts. */
const COLUMNS: readonly Role[] = ['villager', 'seer', 'medium', 'bodyguard', 'possessed', 'werewolf'];

/**
 * The server's casts by number of players, from 3: villagers, seer, medium, bodyguard, possessed, werewolves.
 * From `roleNumArray` of GameSetting.java in AIWolfCommon, without the all-zero columns for freemasons and foxes. The rows for 5 and 15 are
 * those of the regulation (2021, 1.1), the row for 13 that of the natural-language division.
 */
const CASTS: readonly (readonly [number, number, number, number, number, number])[] = [
  [1, 1, 0, 0, 0, 1],
  [2, 1, 0, 0, 0, 1],
  [2, 1, 0, 0, 1, 1],
  [3, 1, 0, 0, 1, 1],
  [4, 1, 0, 0, 0, 2],
  [4, 1, 1, 0, 0, 2],
  [5, 1, 1, 0, 0, 2],
  [4, 1, 1, 1, 1, 2],
  [5, 1, 1, 1, 1, 2],
  [5, 1, 1, 1, 1, 3],
  [6, 1, 1, 1, 1, 3],
  [7, 1, 1, 1, 1, 3],
  [8, 1, 1, 1, 1, 3],
  [9, 1, 1, 1, 1, 3],
  [10, 1, 1, 1, 1, 3],
  [11, 1, 1, 1, 1, 3],
];
/** The natural-language division deals nine players other roles. */
const NLP_NINE = [3, 1, 1, 1, 1, 2] as const;
export const MIN_PLAYERS = 3;
export const MAX_PLAYERS = MIN_PLAYERS + CASTS.length - 1;

/**
 * The cast: as given, or the server's for that many players.
 * @param preset the contest whose server deals
 * @throws Refusal bad-option, naming every mistake
 */
export function roleCountsFor(players: number, given: Counts, preset?: string): RoleCounts {
  const row = players === 9 && isNlp(preset) ? NLP_NINE : CASTS[players - MIN_PLAYERS]!;
  if (!Object.keys(given).length) return castFrom((role) => row[COLUMNS.indexOf(role)] ?? 0);
  const cast = castFrom((role) => given[role] ?? 0);
  const total = ROLES.reduce((sum, role) => sum + cast[role], 0);
  const wrong = [
    ...(total === players ? [] : [`they are ${total}, not ${players}`]),
    ...(cast.werewolf ? [] : ['there is no werewolf']),
    ...(cast.werewolf < total - cast.werewolf ? [] : ['there are not fewer werewolves than others']),
    ...(['seer', 'medium', 'bodyguard'] as const).flatMap((role) => (cast[role] > 1 ? [`there is more than one ${role}`] : [])),
    ...(cast.immoralist && !cast.fox ? ['there is an immoralist without a fox'] : []),
  ];
  if (wrong.length) throw new Refusal('bad-option', `roles: ${wrong.join('; ')}`);
  return cast;
}

const castFrom = (count: (role: Role) => number): RoleCounts => Object.fromEntries(ROLES.map((role) => [role, count(role)])) as RoleCounts;

export const cardsOf = (cast: RoleCounts): Role[] => ROLES.flatMap((role) => Array<Role>(cast[role]).fill(role));

/** The roles of every table, and those of the foxes where they are dealt, in the order of ROLES. */
export const rolesIn = (cast: RoleCounts): readonly Role[] => ROLES.filter((role) => sideOf(role) !== 'fox' || cast[role]);

/** Whether this table has whispering: a single werewolf has nobody to whisper to. */
export const hasWhispers = (cast: RoleCounts): boolean => cast.werewolf > 1;
