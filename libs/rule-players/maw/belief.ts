import type { Seat } from '@maw/games/kernel/question.ts';
import { range, subsets } from '../shared/combinations.ts';
import { memoize } from '../shared/memoize.ts';
import { voteLikelihood } from '../shared/vote-likelihood.ts';
import type { Claim } from './record.ts';

/** What is known about who is a wolf. */
export interface Evidence {
  readonly players: number;
  readonly wolves: number;
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

const RATES = { villageOnWolf: 1.25, wolfOnWolf: 0.35 };
/** The probability of claiming a seer's result: by the seer a true or a false one, by a wolf a false one or one about a wolf, by a villager. */
const CLAIM = { seer: 0.5, seerLies: 1e-5, wolf: 0.03, wolfOnWolf: 0.005, villager: 0.002 };
/** The probability that the seer has claimed nothing so far. */
const SEER_SILENT = 0.6;

/**
 * Bayes' rule over every consistent assignment of roles: each set of wolves that contains the guilty, none of the cleared and at least one
 * who is alive (else the game is over), and each seer outside of it. At most C(20,6) = 38 760 sets.
 */
export const beliefOf = memoize(compute);

function compute(e: Evidence): Belief {
  const weigh = voteLikelihood(e.against, e.wolves, RATES, e.bias);
  const free = range(e.players).filter((seat) => !e.cleared.includes(seat) && !e.guilty.includes(seat));
  const found: { readonly pack: readonly Seat[]; readonly log: number }[] = [];
  let most = -Infinity;
  for (const rest of subsets(free, e.wolves - e.guilty.length)) {
    const pack = [...e.guilty, ...rest];
    if (!pack.some((seat) => e.alive.includes(seat))) continue;
    const log = weigh(pack);
    most = Math.max(most, log);
    found.push({ pack, log });
  }
  const wolf = range(e.players).map(() => 0);
  const seer = range(e.players).map(() => 0);
  let total = 0;
  for (const { pack, log } of found) {
    const likely = Math.exp(log - most);
    const seers = e.hasSeer ? seerWeights(e, pack) : undefined;
    const weight = seers ? likely * seers.reduce((a, b) => a + b, 0) : likely;
    total += weight;
    for (const seat of pack) wolf[seat]! += weight;
    for (const [seat, share] of seers?.entries() ?? []) seer[seat]! += likely * share;
  }
  const share = (weights: readonly number[]) => weights.map((weight) => (total ? weight / total : 0));
  return { wolf: share(wolf), seer: e.hasSeer ? share(seer) : seer };
}

/** By seat: the likelihood of the claims when it is the seer and `pack` are the wolves. */
function seerWeights({ players, seer, claims }: Evidence, pack: readonly Seat[]): readonly number[] {
  const isWolf = (seat: Seat) => pack.includes(seat);
  const others = (claim: Claim): number =>
    isWolf(claim.by) ? (claim.isWolf === isWolf(claim.about) ? CLAIM.wolfOnWolf : CLAIM.wolf) : CLAIM.villager;
  const likely = claims.map(others).reduce((a, b) => a * b, 1);
  return range(players).map((seat) => {
    if (isWolf(seat) || (seer !== undefined && seat !== seer)) return 0;
    const own = claims.filter(({ by }) => by === seat);
    if (!own.length) return likely * SEER_SILENT;
    return own.reduce((p, c) => (p / others(c)) * (c.isWolf === isWolf(c.about) ? CLAIM.seer : CLAIM.seerLies), likely);
  });
}
