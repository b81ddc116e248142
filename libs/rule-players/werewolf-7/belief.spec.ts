import { describe, expect, it } from '@jest/globals';
import { ROLES, type Role } from '@maw/games/werewolf-7/state.ts';
import fc from 'fast-check';
import { beliefOf, type Evidence } from './belief.ts';
import type { Claim } from './record.ts';

const SEATS = [0, 1, 2, 3, 4, 5, 6] as const;
const nothing: Evidence = {
  roles: SEATS.map(() => undefined),
  wolves: [],
  cleared: [],
  alive: SEATS,
  wolfWin: 'villagers-dead',
  nights: [],
  attacked: [],
  against: SEATS.map(() => SEATS.map(() => 0)),
  untrue: SEATS.map(() => 0),
  kind: 'werewolf-7',
  claims: [],
};
const known = (...roles: readonly (readonly [number, Role])[]): Pick<Evidence, 'roles'> => ({
  roles: SEATS.map((seat) => roles.find(([s]) => s === seat)?.[1]),
});
const votes = (...cast: readonly (readonly [number, number])[]): Pick<Evidence, 'against'> => ({
  against: SEATS.map((voter) => SEATS.map((target) => cast.filter(([v, t]) => v === voter && t === target).length)),
});
const claim = (by: number, is: Claim['is'], ...results: readonly (readonly [number, boolean])[]): Claim => ({
  by,
  is,
  at: 1,
  results: results.map(([about, isWolf]) => ({ about, isWolf })),
  saved: [],
});
const sum = (of: readonly number[]) => of.reduce((a, b) => a + b, 0);

describe('beliefOf', () => {
  it('starts with the share of each role', () => {
    const belief = beliefOf(nothing);
    for (const seat of SEATS) {
      expect(belief.werewolf[seat]).toBeCloseTo(2 / 7);
      expect(belief.villager[seat]).toBeCloseTo(2 / 7);
      expect(belief.seer[seat]).toBeCloseTo(1 / 7);
    }
    expect(beliefOf({ ...nothing, roles: [] })).toEqual(belief); // before the deal
  });

  it('uses its own role and shares the rest', () => {
    const belief = beliefOf({ ...nothing, ...known([3, 'seer']) });
    expect(belief.seer[3]).toBeCloseTo(1);
    expect(belief.werewolf[3]).toBe(0);
    for (const seat of [0, 1, 2, 4, 5, 6]) expect(belief.werewolf[seat]).toBeCloseTo(1 / 3);
  });

  it('uses inspections', () => {
    const { werewolf } = beliefOf({ ...nothing, ...known([0, 'seer']), wolves: [5], cleared: [1, 2] });
    expect([werewolf[5], werewolf[1], werewolf[2]]).toEqual([expect.closeTo(1), 0, 0]);
    for (const seat of [3, 4, 6]) expect(werewolf[seat]).toBeCloseTo(1 / 3);
  });

  it('assumes that a wolf and a plain villager are alive', () => {
    const two = { ...nothing, alive: [0, 1, 2, 3, 4] };
    // of 21 pairs of wolves all but the pair 5, 6 are left; so too of villagers
    const belief = beliefOf(two);
    expect(belief.werewolf[5]).toBeLessThan(2 / 7);
    expect(belief.villager[5]).toBeLessThan(2 / 7);
    const other = beliefOf({ ...two, wolfWin: 'all-good-dead' });
    expect(other.villager[5]).toBeGreaterThan(2 / 7);
    expect(beliefOf({ ...nothing, ...known([0, 'villager'], [1, 'villager']), alive: [2, 3, 4, 5, 6] }).werewolf).toEqual(
      SEATS.map(() => 0),
    ); // it would be over
  });

  it('assumes fewer wolves than others under parity', () => {
    const three = { ...nothing, alive: [0, 1, 2], ...known([3, 'villager'], [4, 'seer'], [5, 'guard']) };
    // of the wolves one is dead: the two could not both be among the three
    expect(beliefOf({ ...three, wolfWin: 'parity' }).werewolf[6]).toBeCloseTo(1);
    expect(beliefOf({ ...three, wolfWin: 'all-good-dead' }).werewolf[6]).toBeLessThan(0.9);
  });

  it('clears the only death of a night, but suspects two deaths', () => {
    const one = beliefOf({ ...nothing, alive: [0, 1, 2, 3, 4, 5], nights: [[6]] });
    expect(one.werewolf[6]).toBeLessThan(0.1);
    const two = beliefOf({ ...nothing, alive: [0, 1, 2, 3, 4], nights: [[5, 6]] });
    expect(two.werewolf[5]! + two.werewolf[6]!).toBeGreaterThan(0.5);
    expect(two.werewolf[5]).toBeCloseTo(two.werewolf[6]!);
  });

  it('clears targets of the wolves', () => {
    expect(beliefOf({ ...nothing, attacked: [2] }).werewolf[2]).toBeLessThan(0.03);
  });

  it('slightly suspects targets of votes, and pairs that do not vote for each other', () => {
    const { werewolf } = beliefOf({ ...nothing, ...votes([0, 1], [2, 1]) });
    expect(werewolf[1]).toBeGreaterThan(2 / 7);
    const pair = beliefOf({ ...nothing, ...votes([0, 1], [1, 0]), wolves: [0] });
    expect(pair.werewolf[1]).toBeLessThan(pair.werewolf[2]!);
  });

  it('learns nothing from voting as such', () => {
    expect(beliefOf({ ...nothing, ...votes([0, 1]) }).werewolf[0]).toBeCloseTo(2 / 7, 6);
  });

  it('believes a single seer, and neither of two rivals', () => {
    const one = beliefOf({ ...nothing, claims: [claim(0, 'seer', [3, true])] });
    expect(one.werewolf[3]).toBeGreaterThan(0.75);
    expect(one.seer[0]).toBeGreaterThan(0.75);
    const two = beliefOf({ ...nothing, claims: [claim(0, 'seer', [3, true]), claim(3, 'seer', [0, true])] });
    expect(two.werewolf[0]).toBeCloseTo(two.werewolf[3]!);
    expect(two.seer[0]! + two.seer[3]!).toBeGreaterThan(0.9);
  });

  it('refutes another seer when it is the seer', () => {
    expect(beliefOf({ ...nothing, ...known([1, 'seer']), claims: [claim(4, 'seer', [1, true])] }).werewolf[4]).toBeGreaterThan(0.9);
  });

  it('disbelieves a refuted seer', () => {
    const { werewolf, seer } = beliefOf({ ...nothing, ...known([2, 'villager']), claims: [claim(0, 'seer', [2, true])] });
    expect(seer[0]).toBeLessThan(0.05);
    expect(werewolf[0]).toBeGreaterThan(0.8);
  });

  it('clears whom a credible witch saved', () => {
    const { werewolf } = beliefOf({ ...nothing, claims: [{ ...claim(0, 'witch'), saved: [4] }] });
    expect(werewolf[4]).toBeLessThan(0.15);
  });

  it('always sums to two wolves, two villagers, one of each other role', () => {
    const strength = fc.double({ min: 0, max: 3, noNaN: true });
    const evidence = fc.record({
      against: fc.array(fc.array(strength, { minLength: 7, maxLength: 7 }), { minLength: 7, maxLength: 7 }),
      nights: fc.array(fc.subarray([5, 6])),
      attacked: fc.subarray([0, 4]),
      cleared: fc.subarray([0, 1, 2]),
      claims: fc.array(
        fc.record({
          by: fc.nat(6),
          is: fc.constantFrom('seer', 'guard', 'witch', 'villager'),
          at: fc.constant(1),
          results: fc.array(fc.record({ about: fc.nat(6), isWolf: fc.boolean() }), { maxLength: 3 }),
          saved: fc.array(fc.nat(6), { maxLength: 1 }),
        }),
        { maxLength: 4 },
      ) as fc.Arbitrary<Claim[]>,
      alive: fc.constant([0, 1, 2, 3, 4]),
    });
    fc.assert(
      fc.property(evidence, (given) => {
        const belief = beliefOf({ ...nothing, ...given });
        expect(ROLES.map((role) => sum(belief[role]))).toEqual([2, 2, 1, 1, 1].map((n) => expect.closeTo(n)));
        for (const seat of SEATS) expect(sum(ROLES.map((role) => belief[role][seat]!))).toBeCloseTo(1);
        for (const seat of given.cleared) expect(belief.werewolf[seat]).toBe(0);
      }),
      { numRuns: 50 },
    );
  });
});
