import type { Seat } from '@maw/games/kernel/question.ts';
import type { Claim } from './record.ts';

/** What bears on who is a wolf, counted. */
export interface Evidence {
  readonly players: number;
  readonly wolves: number;
  /** Whether one of the others is the seer. */
  readonly hasSeer: boolean;
  readonly alive: readonly Seat[];
  /** Surely no wolves: the murdered, oneself, what a seer has seen. */
  readonly cleared: readonly Seat[];
  /** Surely wolves. */
  readonly guilty: readonly Seat[];
  /** Surely the seer, when that is known. */
  readonly seer: Seat | undefined;
  /** How strongly a seat is against another: `against[voter][target]`, 1 for a vote. */
  readonly against: readonly (readonly number[])[];
  /** How much likelier a seat's ways are for a wolf than for a villager, as a logarithm. */
  readonly ways: readonly number[];
  readonly claims: readonly Claim[];
}

/** By seat: how likely it is a wolf, and the seer. */
export interface Belief {
  readonly wolf: readonly number[];
  readonly seer: readonly number[];
}

/** How much more than at random a villager's vote falls on a wolf, and a wolf's on another wolf. */
const VILLAGER_ON_WOLF = 1.25;
const WOLF_ON_WOLF = 0.35;
/** How likely it is that somebody tells a seer's result: the seer a true one, a wolf a false one, a villager any. */
const CLAIM = { seer: 0.5, seerLies: 1e-5, wolf: 0.03, wolfOnWolf: 0.005, villager: 0.002 };
/** How likely the seer is to have told nothing so far. */
const SEER_SILENT = 0.6;

/**
 * Bayes' rule over every consistent assignment of roles: each set of wolves that contains the guilty, none of the cleared, and at least one
 * who is alive (else the game were over), and each seer outside of it. At most C(20,6) = 38 760 sets.
 */
export function beliefOf(evidence: Evidence): Belief {
  const key = JSON.stringify(evidence);
  const known = recent.get(key) ?? computed(evidence);
  recent.delete(key);
  recent.set(key, known);
  if (recent.size > MOST_RECENT) recent.delete(recent.keys().next().value!);
  return known;
}

/** The last results: the same evidence comes again and again within a day, and from every seat where it is public. */
const recent = new Map<string, Belief>();
const MOST_RECENT = 200;

function computed(e: Evidence): Belief {
  const weigh = weigher(e);
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

/** The logarithm of how likely the votes and ways are when `pack` are the wolves, but for a constant. */
function weigher({ players, wolves, against, ways }: Evidence): (pack: readonly Seat[]) => number {
  const onWolf = wolves / (players - 1);
  const onOther = (wolves - 1) / (players - 1);
  const villagerOnVillager = (1 - VILLAGER_ON_WOLF * onWolf) / (1 - onWolf); // so that voting as such tells nothing
  const wolfOnVillager = (1 - WOLF_ON_WOLF * onOther) / (1 - onOther);
  const base = Math.log(Math.max(villagerOnVillager, 0.05));
  const f = { voter: Math.log(wolfOnVillager) - base, target: Math.log(VILLAGER_ON_WOLF) - base, both: Math.log(WOLF_ON_WOLF) - base };
  const given = range(players).map((seat) => against[seat]!.reduce((a, b) => a + b, 0));
  const taken = range(players).map((seat) => against.reduce((sum, row) => sum + row[seat]!, 0));
  return (pack) => {
    let log = 0;
    for (const a of pack) {
      log += ways[a]! + given[a]! * f.voter + taken[a]! * f.target;
      for (const b of pack) log += against[a]![b]! * (f.both - f.voter - f.target);
    }
    return log;
  };
}

/** By seat: how likely the claims are when it is the seer and `pack` are the wolves. */
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

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

function* subsets(of: readonly Seat[], size: number, from = 0): Generator<readonly Seat[]> {
  if (size <= 0) {
    if (size === 0) yield [];
    return;
  }
  for (let i = from; i <= of.length - size; i++) for (const rest of subsets(of, size - 1, i + 1)) yield [of[i]!, ...rest];
}
