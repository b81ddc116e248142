import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { beliefOf, type Evidence } from './belief.ts';

const range = (n: number) => Array.from({ length: n }, (_, i) => i);
const nothing = (players: number, wolves: number): Evidence => ({
  players,
  wolves,
  kind: 'maw',
  hasSeer: false,
  alive: range(players),
  cleared: [],
  guilty: [],
  seer: undefined,
  against: range(players).map(() => range(players).map(() => 0)),
  bias: range(players).map(() => 0),
  claims: [],
});
const six = nothing(6, 2);
const votes = (...cast: readonly (readonly [number, number])[]): Pick<Evidence, 'against'> => ({
  against: range(6).map((voter) => range(6).map((target) => cast.filter(([v, t]) => v === voter && t === target).length)),
});
const sum = (of: readonly number[]) => of.reduce((a, b) => a + b, 0);

describe('beliefOf', () => {
  it('starts with the share of wolves', () => {
    for (const p of beliefOf(six).wolf) expect(p).toBeCloseTo(1 / 3);
  });

  it('uses certainties and shares the rest', () => {
    const { wolf } = beliefOf({ ...six, cleared: [0, 1], guilty: [5] });
    expect(wolf[0]).toBe(0);
    expect(wolf[1]).toBe(0);
    expect(wolf[5]).toBeCloseTo(1);
    for (const seat of [2, 3, 4]) expect(wolf[seat]).toBeCloseTo(1 / 3);
  });

  it('assumes that a wolf is alive', () => {
    // one wolf in four, two dead of whom nobody knows: it must be one of the living
    const { wolf } = beliefOf({ ...nothing(4, 1), alive: [0, 1] });
    expect(wolf).toEqual([0.5, 0.5, 0, 0]);
    // with two wolves both dead is the one pair that is impossible: 5 of 6 pairs are left, and each of the dead is in 2 of them
    expect(beliefOf({ ...nothing(4, 2), alive: [0, 1] }).wolf[2]).toBeCloseTo(2 / 5);
  });

  it('learns nothing from voting as such', () => {
    const { wolf } = beliefOf({ ...nothing(6, 1), ...votes([0, 1]) });
    expect(wolf[0]).toBeCloseTo(1 / 6);
    expect(wolf[1]).toBeGreaterThan(1 / 6);
  });

  it('does not pair two that vote for each other', () => {
    const { wolf } = beliefOf({ ...six, ...votes([0, 1], [1, 0]), guilty: [0] });
    expect(wolf[1]).toBeLessThan(wolf[2]!);
  });

  it('suspects wolf-like voting', () => {
    const { wolf } = beliefOf({ ...six, bias: [0, 0, 0, Math.log(2), 0, 0] });
    expect(wolf[3]).toBeGreaterThan(0.45);
  });

  it('believes a single seer, and neither of two rivals', () => {
    const claim = (by: number, about: number, isWolf: boolean) => ({ by, about, isWolf });
    const one = beliefOf({ ...six, hasSeer: true, claims: [claim(0, 3, true)] });
    expect(one.wolf[3]).toBeGreaterThan(0.8);
    expect(one.seer[0]).toBeGreaterThan(0.8);
    const two = beliefOf({ ...six, hasSeer: true, claims: [claim(0, 3, true), claim(3, 0, true)] });
    expect(two.wolf[0]).toBeCloseTo(two.wolf[3]!);
    expect(two.seer[0]! + two.seer[3]!).toBeGreaterThan(0.9);
    expect(two.wolf[0]! + two.wolf[3]!).toBeGreaterThan(0.9);
  });

  it('refutes another seer when it is the seer', () => {
    const { seer, wolf } = beliefOf({ ...six, hasSeer: true, seer: 1, cleared: [1], claims: [{ by: 4, about: 1, isWolf: true }] });
    expect(seer).toEqual([0, 1, 0, 0, 0, 0]);
    expect(wolf[4]).toBeGreaterThan(0.6);
  });

  it('always sums to the number of wolves and one seer', () => {
    const strength = fc.double({ min: 0, max: 3, noNaN: true });
    const evidence = fc.record({
      against: fc.array(fc.array(strength, { minLength: 6, maxLength: 6 }), { minLength: 6, maxLength: 6 }),
      bias: fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: 6, maxLength: 6 }),
      claims: fc.array(fc.record({ by: fc.nat(5), about: fc.nat(5), isWolf: fc.boolean() }), { maxLength: 6 }),
      cleared: fc.subarray([0, 1, 2]),
      alive: fc.constant([0, 3, 4, 5]),
    });
    fc.assert(
      fc.property(evidence, (given) => {
        const { wolf, seer } = beliefOf({ ...six, hasSeer: true, ...given });
        expect(sum(wolf)).toBeCloseTo(2);
        expect(sum(seer)).toBeCloseTo(1);
        for (const seat of given.cleared) expect(wolf[seat]).toBe(0);
      }),
    );
  });

  it('handles a table of twenty', () => {
    const { wolf } = beliefOf({ ...nothing(20, 6), hasSeer: true });
    for (const p of wolf) expect(p).toBeCloseTo(0.3);
  });
});
