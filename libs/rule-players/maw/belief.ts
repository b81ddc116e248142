import { wolfCount, wolves } from '@maw/games/maw/state.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Moment } from '../moment.ts';
import { range } from '../shared/combinations.ts';
import { memoize } from '../shared/memoize.ts';
import { isAgainstWords, oppositionOf, voteLikelihood } from '../shared/vote-likelihood.ts';
import { type Kind, type Weights, WEIGHTS } from '../shared/weights.ts';
import { wolfBelief } from '../shared/wolf-belief.ts';
import { type Claim, type Day, type Known, targetsOf } from './record.ts';

/** What is known about who is a wolf. */
export interface Evidence {
  readonly players: number;
  readonly wolves: number;
  /** Whose habits tell something. */
  readonly kind: Kind;
  /** Whether one of the others is the seer. */
  readonly hasSeer: boolean;
  readonly alive: readonly Seat[];
  /** Certainly no wolves: the murdered, oneself, what a seer has seen. */
  readonly cleared: readonly Seat[];
  /** Certainly wolves. */
  readonly guilty: readonly Seat[];
  /** The seer, when that is certain. */
  readonly seer: Seat | undefined;
  /** How strongly a seat is against another: `against[voter][target]`, 1 for a vote. */
  readonly against: readonly (readonly number[])[];
  /** By seat: the logarithm of how much likelier its votes are for a wolf than for a villager. */
  readonly bias: readonly number[];
  readonly claims: readonly Claim[];
}

/** By seat: how likely it is a wolf, and the seer. */
export interface Belief {
  readonly wolf: readonly number[];
  readonly seer: readonly number[];
}

/** The probability of claiming a seer's result: by the seer a true or a false one, by a wolf a false one or one about a wolf, by a villager. */
const CLAIM = { seer: 0.5, seerLies: 1e-5, wolf: 0.03, wolfOnWolf: 0.005, villager: 0.002 };
/** The probability that the seer has claimed nothing so far. */
const SEER_SILENT = 0.6;
const SEER = 1;

/** Bayes' rule over every consistent assignment of roles, with at most C(20,6) = 38 760 sets of wolves. At least one is alive. */
export const beliefOf = memoize(compute);

function compute(e: Evidence): Belief {
  const seats = range(e.players);
  const own = seats.map((seat) => (e.hasSeer ? e.claims.filter(({ by }) => by === seat) : []));
  const shares = wolfBelief({
    wolves: e.wolves,
    cards: e.hasSeer ? [1] : [],
    bare: seats.map((seat) => {
      const isGuilty = e.guilty.includes(seat);
      const wolf = e.cleared.includes(seat) ? 0 : 1;
      const villager = isGuilty || seat === e.seer ? 0 : CLAIM.villager ** own[seat]!.length;
      const seer = isGuilty || (e.seer !== undefined && seat !== e.seer) ? 0 : own[seat]!.length ? 1 : SEER_SILENT;
      return e.hasSeer ? [villager, seer, wolf] : [villager, wolf];
    }),
    there: e.alive,
    goesOn: (pack) => pack > 0,
    logOf: voteLikelihood(e.against, e.wolves, WEIGHTS[e.kind], e.bias),
    tellers: seats.filter((seat) => own[seat]!.length),
    sighted: [SEER],
    tells: (seat, place, isWolf) => {
      const [right, wrong] = place === SEER ? [CLAIM.seer, CLAIM.seerLies] : [CLAIM.wolfOnWolf, CLAIM.wolf];
      return own[seat]!.reduce((p, claim) => p * (claim.isWolf === isWolf[claim.about] ? right : wrong), 1);
    },
    mostSets: Infinity,
  });
  const none = seats.map(() => 0);
  return { wolf: shares?.at(-1) ?? none, seer: (e.hasSeer ? shares?.[SEER] : undefined) ?? none };
}

/** The days that are over: votes of today may still change. */
const pastDays = ({ days, game }: Known): readonly Day[] =>
  Object.entries(days).flatMap(([number, day]) => (Number(number) < game.day || game.night ? [day] : []));

/** What everybody knows. Minds that have heard the same conclude the same, so they can act together without talking. */
export function publicEvidence(known: Known, { players }: Moment): Evidence {
  const seats = players.map(({ seat }) => seat);
  const past = pastDays(known);
  const { kind = 'maw' } = known;
  return {
    players: seats.length,
    wolves: wolfCount(seats.length),
    kind,
    hasSeer: known.hasSeer,
    alive: players.flatMap(({ seat, alive }) => (alive ? [seat] : [])),
    cleared: known.murdered,
    guilty: [],
    seer: undefined,
    against: oppositionOf(
      past.map(({ votes, accusations }) => ({ votes: targetsOf(votes), accusations })),
      seats.length,
      kind,
    ),
    bias: seats.map((seat) => past.reduce((sum, day) => sum + votingBias(day, seat, WEIGHTS[kind]), 0)),
    claims: known.hasSeer ? known.claims : [],
  };
}

/** What this seat knows besides: itself, its inspections, its pack. @param seen what everybody knows */
export function ownEvidence(known: Known, moment: Moment, seen: Evidence = publicEvidence(known, moment)): Evidence {
  const { roles, inspected } = known.game;
  const role = roles[moment.seat];
  if (role === 'wolf') return { ...seen, guilty: wolves(known.game), cleared: roles.flatMap((r, seat) => (r === 'wolf' ? [] : [seat])) };
  const found = (isWolf: boolean) => inspected.flatMap(([seat, r]) => ((r === 'wolf') === isWolf ? [seat] : []));
  return {
    ...seen,
    guilty: found(true),
    cleared: [...new Set([...seen.cleared, moment.seat, ...found(false)])],
    ...(role === 'seer' ? { seer: moment.seat, claims: [] } : {}),
  };
}

/** The logarithm of how much likelier a day's vote is of a wolf: with the others, apart, not at all, to and fro, or not as one spoke. */
function votingBias({ votes, accusations, executed }: Day, seat: Seat, weights: Weights): number {
  const cast = votes[seat];
  const isUntrue = isAgainstWords({ votes: cast ? { [seat]: cast.target } : {}, accusations }, seat);
  const own = Math.min(4, cast?.before?.length ?? 0) * Math.log(weights.change) + (isUntrue ? Math.log(weights.againstWords) : 0);
  if (executed === undefined || executed === seat || !Object.keys(votes).length) return own;
  if (!cast) return Math.log(weights.silent);
  return own + Math.log(cast.target === executed ? weights.withOthers : weights.apart);
}
