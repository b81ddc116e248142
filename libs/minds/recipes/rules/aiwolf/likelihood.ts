import { type RoleCounts } from '@maw/games/aiwolf/role-counts.ts';
import { type Role, ROLES, type Species, speciesOf } from '@maw/games/aiwolf/state.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Claims } from './record.ts';

/** What bears on who is what. */
export interface Evidence {
  readonly cast: RoleCounts;
  /** What is certain, by seat. */
  readonly roles: readonly (Role | undefined)[];
  readonly species: readonly (Species | undefined)[];
  /** Who was alive when the day began: the game went on with these. */
  readonly there: readonly Seat[];
  /** What each seat claims. */
  readonly claims: readonly Claims[];
  /** Whether who has claimed nothing could have by now. */
  readonly silenceTells: boolean;
  /** How often each has voted for each: `against[voter][target]`. */
  readonly against: readonly (readonly number[])[];
}

/** How likely one of a role is to claim a role in public, sooner or later. */
const CLAIMS: { readonly [role in Role]: { readonly [claim in Role]: number } } = {
  villager: { seer: 0.01, medium: 0.01, bodyguard: 0.01, possessed: 0.01, werewolf: 0.005, villager: 1 },
  seer: { seer: 0.8, medium: 0.002, bodyguard: 0.002, possessed: 0.005, werewolf: 0.002, villager: 1 },
  medium: { seer: 0.002, medium: 0.7, bodyguard: 0.002, possessed: 0.005, werewolf: 0.002, villager: 1 },
  bodyguard: { seer: 0.002, medium: 0.002, bodyguard: 0.1, possessed: 0.005, werewolf: 0.002, villager: 1 },
  possessed: { seer: 0.5, medium: 0.15, bodyguard: 0.03, possessed: 0.3, werewolf: 0.1, villager: 1 },
  werewolf: { seer: 0.12, medium: 0.08, bodyguard: 0.03, possessed: 0.02, werewolf: 0.02, villager: 1 },
};
/** How likely it is to have claimed none of the three roles that others fear. */
const SILENCE: { readonly [role in Role]: number } = {
  villager: 0.97,
  seer: 0.35,
  medium: 0.5,
  bodyguard: 0.9,
  possessed: 0.4,
  werewolf: 0.8,
};
/** How likely who truly finds out tells the opposite. */
const LIE = 1e-4;
/** How often a wolf that lies calls a wolf and a human a werewolf. Who knows nothing does so half of the time. */
const WOLF_CALLS = { wolf: 0.08, human: 0.45 };
/** How much more than at random the vote of one who is no wolf falls on a wolf, and a wolf's on another wolf. */
const OTHERS_ON_WOLF = 1.25;
const WOLF_ON_WOLF = 0.4;

/** By seat and role, in the order of ROLES: how likely what the seat claims is, whoever the wolves are; 0 for what is impossible. */
export function bareWeights({ roles, species, claims, silenceTells }: Evidence): readonly (readonly number[])[] {
  return claims.map(({ roles: claimed }, seat) => {
    const isSilent = silenceTells && !claimed.some((role) => role === 'seer' || role === 'medium' || role === 'bodyguard');
    return ROLES.map((role) => {
      if ((roles[seat] ?? role) !== role || (species[seat] ?? speciesOf(role)) !== speciesOf(role)) return 0;
      return claimed.reduce((p, claim) => p * CLAIMS[role][claim], isSilent ? SILENCE[role] : 1);
    });
  });
}

/** How likely the results that a seat tells are if it has the role and `isWolf` are the wolves, as against one who guesses. */
export function tellsSo({ found }: Claims, role: Role, isWolf: readonly boolean[]): number {
  let p = 1;
  for (const { as, about, isWolf: says } of found) {
    if (role === 'werewolf') {
      const calls = isWolf[about] ? WOLF_CALLS.wolf : WOLF_CALLS.human;
      p *= 2 * (says ? calls : 1 - calls);
    } else if (role === as) p *= 2 * (says === isWolf[about] ? 1 - LIE : LIE);
  }
  return p;
}

/** The logarithm of how likely the votes are, but for a constant, as a function of who the wolves are. */
export function votesOf({ cast, against }: Evidence): (pack: readonly Seat[]) => number {
  const players = against.length;
  const onWolf = cast.werewolf / (players - 1);
  const onOther = (cast.werewolf - 1) / (players - 1);
  // so that voting as such tells nothing
  const base = Math.log(Math.max(0.05, (1 - OTHERS_ON_WOLF * onWolf) / (1 - onWolf)));
  const voter = Math.log((1 - WOLF_ON_WOLF * onOther) / (1 - onOther)) - base;
  const target = Math.log(OTHERS_ON_WOLF) - base;
  const both = Math.log(WOLF_ON_WOLF) - base - voter - target;
  const given = against.map((row) => row.reduce((a, b) => a + b, 0));
  const taken = against.map((_, seat) => against.reduce((sum, row) => sum + row[seat]!, 0));
  return (pack) => {
    let log = 0;
    for (const a of pack) {
      log += given[a]! * voter + taken[a]! * target;
      for (const b of pack) log += against[a]![b]! * both;
    }
    return log;
  };
}
