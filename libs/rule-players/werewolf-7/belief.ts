import type { Seat } from '@maw/games/kernel/question.ts';
import type { Werewolf7Options } from '@maw/games/werewolf-7/options.ts';
import { alive, type Role, ROLES_DEALT } from '@maw/games/werewolf-7/state.ts';
import { range } from '../shared/combinations.ts';
import { memoize } from '../shared/memoize.ts';
import { isAgainstWords, oppositionOf, voteLikelihood } from '../shared/vote-likelihood.ts';
import { type Kind, WEIGHTS } from '../shared/weights.ts';
import { wolfBelief } from '../shared/wolf-belief.ts';
import type { Claim, Known } from './record.ts';
import type { ClaimedRole } from './speech.ts';

/** What is known about who has which role. */
export interface Evidence {
  /** By seat: the role that is known for certain. */
  readonly roles: readonly (Role | undefined)[];
  /** Certainly wolves, and certainly none. */
  readonly wolves: readonly Seat[];
  readonly cleared: readonly Seat[];
  readonly alive: readonly Seat[];
  readonly wolfWin: Werewolf7Options['wolfWin'];
  /** Who died in each night, without those whose cause of death is known. */
  readonly nights: readonly (readonly Seat[])[];
  /** Known targets of the wolves. */
  readonly attacked: readonly Seat[];
  /** How strongly a seat is against another: `against[voter][target]`, 1 for a vote. */
  readonly against: readonly (readonly number[])[];
  /** By seat: on how many days it voted against its words. */
  readonly untrue: readonly number[];
  readonly claims: readonly Claim[];
  /** Whose habits tell something. */
  readonly kind: Kind;
}

/** By role and seat: how likely the seat has it. */
export type Belief = { readonly [role in Role]: readonly number[] };

/** Likelihood ratios, wolf to other: the only death of a night, a target of the wolves. */
const DEAD_WOLF = 0.15;
const OWN_TARGET = 0.03;
/** Two deaths in a night: both good, one a wolf (poisoned), both wolves. */
const TWO_DEAD = [0.5, 1, 0.02] as const;
/** The probability that a row claims to be a column. */
const SAYS: { readonly [is in Role]: { readonly [says in ClaimedRole]: number } } = {
  seer: { seer: 0.5, villager: 0.2, guard: 0.002, witch: 0.002 },
  guard: { seer: 0.004, villager: 0.2, guard: 0.2, witch: 0.002 },
  witch: { seer: 0.004, villager: 0.2, guard: 0.002, witch: 0.2 },
  villager: { seer: 0.004, villager: 0.3, guard: 0.003, witch: 0.003 },
  werewolf: { seer: 0.06, villager: 0.3, guard: 0.02, witch: 0.02 },
};
/** The likelihood of a claimed result relative to a seer's true one: a seer's false one, a wolf's about a good seat or a wolf, anybody else's. */
const SEER_LIES = 1e-4;
const WOLF_TELLS = { goodIsWolf: 0.5, goodIsNone: 0.2, wolfIsWolf: 0.04, wolfIsNone: 0.3 };
const VILLAGE_TELLS = 0.25;

/** The roles by their places: villagers, cards, wolves. */
const PLACES = ['villager', 'seer', 'guard', 'witch', 'werewolf'] as const satisfies readonly Role[];
const SEATS = range(ROLES_DEALT.length);
/** Nobody has a role before the deal. */
const NOTHING = SEATS.map(() => 0);

/** Bayes' rule over every deal that is consistent with what is certain, including that the game is not over. */
export const beliefOf = memoize(compute);

function compute(e: Evidence): Belief {
  const votes = voteLikelihood(
    e.against,
    2,
    WEIGHTS[e.kind],
    e.untrue.map((days) => days * Math.log(WEIGHTS[e.kind].againstWords)),
  );
  const pairs = e.nights.filter((died) => died.length > 1);
  const claimsOf = (seat: Seat) => e.claims.filter(({ by }) => by === seat);
  const shares = wolfBelief({
    wolves: 2,
    cards: [1, 1, 1],
    bare: SEATS.map((seat) => PLACES.map((role) => bareLikelihood(e, seat, role))),
    there: e.alive,
    goesOn: (wolves, others) => wolves > 0 && others > 0 && (e.wolfWin !== 'parity' || wolves < others),
    logOf: (pack) => pairs.reduce((log, died) => log + Math.log(TWO_DEAD[died.filter((seat) => pack.includes(seat)).length]!), votes(pack)),
    tellers: SEATS.filter((seat) => claimsOf(seat).some(({ results, saved }) => results.length + saved.length)),
    sighted: [PLACES.indexOf('seer'), PLACES.indexOf('witch')],
    tells: (seat, place, isWolf) => claimsOf(seat).reduce((p, claim) => p * tellingLikelihood(claim, PLACES[place]!, isWolf), 1),
    // one of the plain villagers must live, where the game would be over otherwise
    ...(e.wolfWin === 'villagers-dead' ? { villagers: e.alive } : {}),
    mostSets: Infinity,
  });
  const of = (role: Role): readonly number[] => shares?.[PLACES.indexOf(role)] ?? NOTHING;
  return { werewolf: of('werewolf'), villager: of('villager'), seer: of('seer'), guard: of('guard'), witch: of('witch') };
}

/** The likelihood of what a seat claims and suffered if it has the role, whoever the wolves are; 0: it cannot have it. */
function bareLikelihood({ roles, wolves, cleared, nights, attacked, claims }: Evidence, seat: Seat, role: Role): number {
  const isWolf = role === 'werewolf';
  if ((roles[seat] ?? role) !== role || (isWolf ? cleared : wolves).includes(seat)) return 0;
  let p = 1;
  if (isWolf) {
    p *= DEAD_WOLF ** nights.filter((died) => died.length === 1 && died[0] === seat).length;
    p *= OWN_TARGET ** attacked.filter((target) => target === seat).length;
  }
  for (const { by, is, results } of claims)
    if (by === seat) p *= SAYS[role][is] * (isWolf || role === 'seer' ? 1 : VILLAGE_TELLS ** results.length);
  return p;
}

/** The likelihood of a wolf's results, a seer's, and of whom a witch says to have saved. */
function tellingLikelihood({ results, saved }: Claim, role: Role, isWolf: readonly boolean[]): number {
  let p = 1;
  if (role === 'witch') for (const seat of saved) p *= isWolf[seat] ? OWN_TARGET : 1;
  else
    for (const { about, isWolf: says } of results)
      if (role === 'seer') p *= says === isWolf[about] ? 1 : SEER_LIES;
      else p *= WOLF_TELLS[`${isWolf[about] ? 'wolf' : 'good'}${says ? 'IsWolf' : 'IsNone'}`];
  return p;
}

/** What everybody knows, including announced roles. */
export function publicEvidence({ game, days, claims, options, kind = 'werewolf-7' }: Known): Evidence {
  const all = Object.values(days);
  return {
    roles: game.roles.map((role, seat) =>
      game.dead.includes(seat) && isAnnounced(options, days, seat) && role !== 'hidden' ? role : undefined,
    ),
    wolves: [],
    cleared: [],
    alive: alive(game),
    wolfWin: options.wolfWin,
    nights: all.map(({ died }) => died),
    attacked: [],
    against: oppositionOf(all, SEATS.length, kind),
    untrue: SEATS.map((seat) => all.filter((day) => isAgainstWords(day, seat)).length),
    claims,
    kind,
  };
}

/** What this seat knows besides: its role, its partner, its inspections, warnings and poison. */
export function ownEvidence(known: Known, seat: Seat): Evidence {
  const seen = publicEvidence(known);
  const { game, own } = known;
  const found = (isWolf: boolean) => game.inspected.flatMap(([about, is]) => (is === isWolf ? [about] : []));
  const isPack = game.roles[seat] === 'werewolf';
  return {
    ...seen,
    roles: game.roles.map((role, at) => (role === 'hidden' ? seen.roles[at] : (role as Role))),
    wolves: found(true),
    cleared: [...found(false), ...(isPack ? SEATS.filter((at) => game.roles[at] !== 'werewolf') : [])],
    nights: seen.nights.map((died) => died.filter((at) => at !== own.poisoned)),
    attacked: own.warned,
    claims: seen.claims.filter(({ by }) => by !== seat),
  };
}

function isAnnounced({ revealExecuted, revealNightRoles, revealFirstNight }: Known['options'], days: Known['days'], seat: Seat): boolean {
  const night = Object.entries(days).find(([, { died }]) => died.includes(seat))?.[0];
  return night === undefined ? revealExecuted : revealNightRoles || (revealFirstNight && night === '1');
}
