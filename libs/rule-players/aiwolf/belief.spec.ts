import { describe, expect, it } from '@jest/globals';
import { type RoleCounts, roleCountsFor, rolesIn } from '@maw/games/aiwolf/role-counts.ts';
import { type Role, ROLES } from '@maw/games/aiwolf/state.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { dealer } from '../shared/dealing.ts';
import { voteLikelihood } from '../shared/vote-likelihood.ts';
import { WEIGHTS } from '../shared/weights.ts';
import { bareWeights, type Belief, beliefOf, type Evidence, resultLikelihood } from './belief.ts';
import type { Found } from './statement.ts';

const range = (n: number) => Array.from({ length: n }, (_, i) => i);
const sum = (of: readonly number[]) => of.reduce((a, b) => a + b, 0);
const nothing = (cast: RoleCounts): Evidence => {
  const players = sum(ROLES.map((role) => cast[role]));
  return {
    cast,
    kind: 'aiwolf',
    roles: range(players).map(() => undefined),
    species: range(players).map(() => undefined),
    there: range(players),
    claims: range(players).map(() => ({ roles: [], found: [] })),
    silenceTells: false,
    against: range(players).map(() => range(players).map(() => 0)),
  };
};
const five = nothing(roleCountsFor(5, {}));
const fifteen = nothing(roleCountsFor(15, {}));

const seerSays = (...found: readonly (readonly [Seat, boolean])[]) => ({
  roles: ['seer' as const],
  found: found.map(([about, isWolf]): Found => ({ as: 'seer', about, isWolf })),
});
const claiming = (evidence: Evidence, claims: { readonly [seat: Seat]: Evidence['claims'][number] }): Evidence => ({
  ...evidence,
  claims: evidence.claims.map((none, seat) => claims[seat] ?? none),
});

/** The same by going through every assignment, one by one. */
function byHand(evidence: Evidence): Belief {
  const bare = bareWeights(evidence);
  const votes = voteLikelihood(evidence.against, evidence.cast.werewolf, WEIGHTS.aiwolf);
  const sums = Object.fromEntries(ROLES.map((role) => [role, bare.map(() => 0)])) as { [role in Role]: number[] };
  let total = 0;
  for (const roles of assignments(evidence.cast, bare.length)) {
    const isWolf = roles.map((role) => role === 'werewolf');
    const pack = roles.flatMap((role, seat) => (role === 'werewolf' ? [seat] : []));
    const there = pack.filter((seat) => evidence.there.includes(seat)).length;
    if (!there || evidence.there.length - there <= there) continue;
    const likely = roles.reduce(
      (p, role, seat) => p * bare[seat]![rolesIn(evidence.cast).indexOf(role)]! * resultLikelihood(evidence.claims[seat]!, role, isWolf),
      Math.exp(votes(pack)),
    );
    total += likely;
    for (const [seat, role] of roles.entries()) sums[role][seat]! += likely;
  }
  for (const role of ROLES) sums[role] = sums[role].map((one) => one / total);
  return sums;
}

function* assignments(left: RoleCounts, players: number): Generator<readonly Role[]> {
  if (!players) yield [];
  for (const role of ROLES)
    if (players && left[role]) for (const rest of assignments({ ...left, [role]: left[role] - 1 }, players - 1)) yield [role, ...rest];
}

/** Anything that may be said, seen and known of a table. */
function anyEvidence(cast: RoleCounts, seed: string): Evidence {
  const dice = diceOf(seed, 'evidence');
  const none = nothing(cast);
  const players = none.roles.length;
  const deal = dice.shuffle(ROLES.flatMap((role) => Array<Role>(cast[role]).fill(role)));
  const wolves = deal.flatMap((role, seat) => (role === 'werewolf' ? [seat] : []));
  const gone = dice.shuffle(range(players)).filter((seat) => seat !== wolves[0]);
  return {
    ...none,
    roles: deal.map((role) => (dice.below(5) ? undefined : role)),
    species: deal.map((role) => (dice.below(5) ? undefined : role === 'werewolf' ? 'werewolf' : 'human')),
    there: range(players).filter((seat) => !gone.slice(0, dice.below(2)).includes(seat)),
    silenceTells: dice.below(2) > 0,
    claims: range(players).map(() => ({
      roles: dice.shuffle(ROLES).slice(0, dice.below(3)),
      found: range(dice.below(3)).map((about): Found => ({ as: dice.pick(['seer', 'medium']), about, isWolf: dice.below(2) > 0 })),
    })),
    against: range(players).map(() => range(players).map(() => dice.below(3))),
  };
}

describe('beliefOf', () => {
  it('equals the sum over all assignments, whatever is known', () => {
    const casts: readonly RoleCounts[] = [
      roleCountsFor(5, {}),
      roleCountsFor(7, { villager: 1, seer: 1, medium: 1, bodyguard: 1, possessed: 1, werewolf: 2 }),
      roleCountsFor(7, { villager: 3, possessed: 2, werewolf: 2 }),
      roleCountsFor(6, { villager: 2, seer: 1, possessed: 1, werewolf: 2 }),
    ];
    for (const [i, cast] of casts.entries())
      for (let seed = 0; seed < 12; seed++) {
        const evidence = anyEvidence(cast, `${i}/${seed}`);
        const { belief, wanted } = { belief: beliefOf(evidence), wanted: byHand(evidence) };
        for (const role of rolesIn(cast)) for (const [seat, p] of wanted[role]!.entries()) expect(belief[role]![seat]).toBeCloseTo(p, 9);
      }
  });

  it('starts with the share of each role', () => {
    const belief = beliefOf(fifteen);
    for (const role of rolesIn(fifteen.cast)) for (const p of belief[role]!) expect(p).toBeCloseTo(fifteen.cast[role] / 15);
  });

  it('sums to one role per seat and the number of each role', () => {
    const belief = beliefOf(anyEvidence(roleCountsFor(15, {}), 'sums'));
    for (const role of rolesIn(roleCountsFor(15, {}))) expect(sum(belief[role]!)).toBeCloseTo(roleCountsFor(15, {})[role]);
    for (const seat of range(15)) expect(sum(rolesIn(roleCountsFor(15, {})).map((role) => belief[role]![seat]!))).toBeCloseTo(1);
  });

  it('clears the attacked, and assumes that the game went on this morning', () => {
    const { werewolf } = beliefOf({ ...five, species: ['human', ...five.species.slice(1)], there: [1, 2, 3, 4] });
    expect(werewolf[0]).toBe(0);
    for (const seat of [1, 2, 3, 4]) expect(werewolf[seat]).toBeCloseTo(1 / 4);
    // 0 was executed: had it been the wolf, the game would be over
    expect(beliefOf({ ...five, there: [2, 3, 4] }).werewolf.slice(0, 2)).toEqual([0, 0]);
    // two of three cannot both be wolves
    const six = nothing(roleCountsFor(6, { villager: 4, werewolf: 2 }));
    for (const p of beliefOf({ ...six, there: [0, 1, 2] }).werewolf) expect(p).toBeCloseTo(1 / 3);
    const sure = beliefOf({ ...six, there: [0, 1, 2], species: ['werewolf', ...six.species.slice(1)] });
    expect(sure.werewolf.slice(1, 3)).toEqual([0, 0]);
    expect(sure.werewolf[3]).toBeCloseTo(1 / 3);
  });

  it('believes a single seer, and two rivals equally', () => {
    const one = beliefOf(claiming({ ...five, silenceTells: true }, { 0: seerSays([3, true]) }));
    // a lone one may still be a liar: of five the possessed claims it as well as the seer
    for (const seat of [1, 2, 4]) expect(one.seer[0]).toBeGreaterThan(2 * one.seer[seat]!);
    for (const seat of [0, 1, 2, 4]) expect(one.werewolf[3]).toBeGreaterThan(3 * one.werewolf[seat]!);
    // most of what a seer sees is human, and liars call more than that werewolves
    const of = (isWolf: boolean) => beliefOf(claiming({ ...fifteen, silenceTells: true }, { 0: seerSays([3, isWolf]) })).seer[0]!;
    expect(of(false)).toBeGreaterThan(0.6);
    expect(of(true)).toBeLessThan(of(false));
    const two = beliefOf(claiming(five, { 0: seerSays([3, true]), 1: seerSays([4, true]) }));
    expect(two.seer[0]).toBeCloseTo(two.seer[1]!);
    expect(two.werewolf[3]).toBeCloseTo(two.werewolf[4]!);
    expect(two.seer[0]).toBeGreaterThan(0.4);
    expect(two.possessed[0]! + two.werewolf[0]!).toBeGreaterThan(0.4);
  });

  it('identifies a liar by a refuted result', () => {
    const { seer, possessed } = beliefOf({
      ...claiming(five, { 0: seerSays([3, true]), 1: seerSays([3, false]) }),
      species: [...five.species.slice(0, 3), 'human', undefined],
    });
    expect(seer[0]).toBeLessThan(0.01);
    expect(seer[1]).toBeGreaterThan(0.8);
    expect(possessed[0]).toBeGreaterThan(0.6);
  });

  it('lowers the seer probability of the silent once they could speak', () => {
    const spoken = { 0: { roles: ['bodyguard' as const], found: [] } };
    expect(beliefOf(claiming(fifteen, spoken)).seer[1]).toBeGreaterThan(0.06);
    const late = beliefOf(claiming({ ...fifteen, silenceTells: true }, { 0: seerSays([1, false]) }));
    expect(late.seer[0]).toBeGreaterThan(beliefOf(claiming(fifteen, { 0: seerSays([1, false]) })).seer[0]!);
  });

  it('learns nothing from voting as such, and suspects the target', () => {
    const against = five.against.map((row, voter) => row.map((_, target) => (voter === 0 && target === 1 ? 1 : 0)));
    const { werewolf } = beliefOf({ ...five, against });
    expect(werewolf[0]).toBeCloseTo(0.2);
    expect(werewolf[1]).toBeGreaterThan(0.2);
  });

  it('stays defined for contradictory certainties', () => {
    const { werewolf } = beliefOf({ ...five, species: five.species.map(() => 'human' as const) });
    for (const p of werewolf) expect(p).toBeCloseTo(0.2);
  });

  it('handles eight wolves of eighteen', () => {
    const many = nothing(roleCountsFor(18, { villager: 6, seer: 1, medium: 1, bodyguard: 1, possessed: 1, werewolf: 8 }));
    const { werewolf } = beliefOf(many);
    expect(sum(werewolf)).toBeCloseTo(8);
    for (const p of werewolf) expect(Math.abs(p - 8 / 18)).toBeLessThan(0.05);
  });
});

describe('dealer', () => {
  const even = (seats: number, kinds: number) => range(seats).map(() => range(kinds + 1).map(() => 1));

  it('weighs all ways to deal cards to seats', () => {
    expect(dealer([1, 1])(even(3, 2)).total).toBe(6);
    expect(dealer([2])(even(3, 1)).total).toBe(3);
    expect(dealer([2, 1])(even(4, 2)).total).toBe(12);
    expect(dealer([])(even(3, 0)).total).toBe(1);
    expect(dealer([1, 0, 1])(even(2, 3)).total).toBe(2);
    expect(dealer([2])(even(1, 1)).total).toBe(0);
  });

  it('computes the share of each seat and kind', () => {
    // two seats, one card: on the first it weighs 3, on the second 1; without it they weigh 1 and 2
    const { total, shares } = dealer([1])([
      [1, 3],
      [2, 1],
    ]);
    expect(total).toBe(3 * 2 + 1 * 1);
    expect(shares).toEqual([
      [1, 6],
      [6, 1],
    ]);
  });

  it('never deals zero weights', () => {
    const { total, shares } = dealer([1, 1])([
      [0, 1, 0],
      [1, 1, 1],
      [1, 0, 0],
    ]);
    expect(total).toBe(1);
    expect(shares).toEqual([
      [0, 1, 0],
      [0, 0, 1],
      [1, 0, 0],
    ]);
  });
});
