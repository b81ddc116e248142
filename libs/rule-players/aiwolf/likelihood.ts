import { type RoleCounts } from '@maw/games/aiwolf/role-counts.ts';
import { type Role, ROLES, type Species, speciesOf } from '@maw/games/aiwolf/state.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Claims } from './record.ts';

/** What is known about who has which role. */
export interface Evidence {
  readonly cast: RoleCounts;
  /** What is certain, by seat. */
  readonly roles: readonly (Role | undefined)[];
  readonly species: readonly (Species | undefined)[];
  /** Who was alive when the day began: with them the game went on. */
  readonly there: readonly Seat[];
  /** What each seat claims. */
  readonly claims: readonly Claims[];
  /** Whether everybody has had a chance to claim, so that silence is evidence. */
  readonly silenceTells: boolean;
  /** How often each has voted for each: `against[voter][target]`. */
  readonly against: readonly (readonly number[])[];
}

/** The probability that a row ever claims to be a column. */
const CLAIMS: { readonly [role in Role]: { readonly [claim in Role]: number } } = {
  villager: { seer: 0.01, medium: 0.01, bodyguard: 0.01, possessed: 0.01, werewolf: 0.005, villager: 1 },
  seer: { seer: 0.8, medium: 0.002, bodyguard: 0.002, possessed: 0.005, werewolf: 0.002, villager: 1 },
  medium: { seer: 0.002, medium: 0.7, bodyguard: 0.002, possessed: 0.005, werewolf: 0.002, villager: 1 },
  bodyguard: { seer: 0.002, medium: 0.002, bodyguard: 0.1, possessed: 0.005, werewolf: 0.002, villager: 1 },
  possessed: { seer: 0.5, medium: 0.15, bodyguard: 0.03, possessed: 0.3, werewolf: 0.1, villager: 1 },
  werewolf: { seer: 0.12, medium: 0.08, bodyguard: 0.03, possessed: 0.02, werewolf: 0.02, villager: 1 },
};
/** The probability of having claimed none of seer, medium and bodyguard. */
const SILENCE: { readonly [role in Role]: number } = {
  villager: 0.97,
  seer: 0.35,
  medium: 0.5,
  bodyguard: 0.9,
  possessed: 0.4,
  werewolf: 0.8,
};
/** The probability that a true seer or medium lies. */
const LIE = 1e-4;
/** How often a lying wolf calls a wolf, and a human, a werewolf. Others do so half of the time. */
const WOLF_CALLS = { wolf: 0.08, human: 0.45 };
export const VOTE_RATES = { villageOnWolf: 1.25, wolfOnWolf: 0.4 };

/** By seat and role, in the order of ROLES: the likelihood of the seat's claims, whoever the wolves are; 0: impossible. */
export function bareWeights({ roles, species, claims, silenceTells }: Evidence): readonly (readonly number[])[] {
  return claims.map(({ roles: claimed }, seat) => {
    const isSilent = silenceTells && !claimed.some((role) => role === 'seer' || role === 'medium' || role === 'bodyguard');
    return ROLES.map((role) => {
      if ((roles[seat] ?? role) !== role || (species[seat] ?? speciesOf(role)) !== speciesOf(role)) return 0;
      return claimed.reduce((p, claim) => p * CLAIMS[role][claim], isSilent ? SILENCE[role] : 1);
    });
  });
}

/** The likelihood of a seat's claimed results if it has the role and `isWolf` are the wolves, relative to guessing. */
export function resultLikelihood({ found }: Claims, role: Role, isWolf: readonly boolean[]): number {
  let p = 1;
  for (const { as, about, isWolf: says } of found) {
    if (role === 'werewolf') {
      const calls = isWolf[about] ? WOLF_CALLS.wolf : WOLF_CALLS.human;
      p *= 2 * (says ? calls : 1 - calls);
    } else if (role === as) p *= 2 * (says === isWolf[about] ? 1 - LIE : LIE);
  }
  return p;
}
