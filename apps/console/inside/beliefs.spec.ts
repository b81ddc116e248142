import { describe, expect, it } from '@jest/globals';
import { beliefsOf, brierScore, isTrue, phasesOf, roundOf, tableOf } from './beliefs.ts';

const table = { names: ['Ann', 'Bo', 'Cy'] };

describe('tableOf', () => {
  it('reads beliefs by name, by seat, and by role', () => {
    expect(tableOf({ Bo: { wolf: 0.25, seer: 0.75 } }, table)).toEqual({
      roles: ['wolf', 'seer'],
      rows: [undefined, { wolf: 0.25, seer: 0.75 }, undefined],
    });
    const cards = [{ wolf: 1 }, { wolf: 0 }, { wolf: 0.5 }];
    expect(tableOf({ cards, wolf: [1, 0, 0.5], peace: 0.1 }, table)?.rows).toEqual(cards);
    expect(tableOf({ evil: [0, 1, 0.5], merlin: [1, 0, 0], seen: { evil: [0, 0, 1] } }, table)).toEqual({
      roles: ['evil', 'merlin'],
      rows: [
        { evil: 0, merlin: 1 },
        { evil: 1, merlin: 0 },
        { evil: 0.5, merlin: 0 },
      ],
    });
  });

  it('takes neither prose nor numbers that are no shares for a belief', () => {
    for (const beliefs of [undefined, 'Bo lies', { all: 'Bo lies' }, { Bo: 'a wolf' }, { order: [0, 1, 2] }, { dead: [1] }, { Bo: {} }])
      expect(tableOf(beliefs, table)).toBeUndefined();
  });
});

it('lists beliefs that changed, with the phase of their decision', () => {
  const step = (number: number, beliefs?: object) => ({
    step: number,
    kind: 'believe',
    name: 'b',
    at: number,
    content: { ...(beliefs && { beliefs }) },
  });
  const found = beliefsOf(
    [
      { decision: { seat: 0, decision: 'd1', phase: 'round-1/night-1' }, steps: [step(1), step(2, { wolf: [0, 0.5, 0.5] })] },
      {
        decision: { seat: 0, decision: 'd2', phase: 'round-1/day-1' },
        steps: [step(1, { wolf: [0, 0.5, 0.5] }), step(2, { wolf: [0, 1, 0] })],
      },
      { decision: { seat: 0, decision: 'd3', phase: 'round-1/day-1' }, steps: [step(1, { wolf: [0, 0.5, 0.5] })] },
      // another round has another truth, so the same belief is one of its own
      { decision: { seat: 0, decision: 'd4', phase: 'round-2/day-1' }, steps: [step(1, { wolf: [0, 0.5, 0.5] })] },
    ],
    table,
  );
  expect(found.map(({ decision, step: at, phase }) => [decision, at, phase])).toEqual([
    ['d1', 2, 'round-1/night-1'],
    ['d2', 2, 'round-1/day-1'],
    ['d3', 1, 'round-1/day-1'],
    ['d4', 1, 'round-2/day-1'],
  ]);
  expect(phasesOf(found)).toEqual([
    { phase: 'round-1/night-1', count: 1 },
    { phase: 'round-1/day-1', count: 2 },
    { phase: 'round-2/day-1', count: 1 },
  ]);
});

describe('the truth', () => {
  const truth = { roles: ['werewolf', 'seer', 'villager'], sides: { werewolves: ['werewolf'], village: ['seer', 'villager'] } };

  it('is met by a role, a side, and the short name of a werewolf', () => {
    expect([isTrue('werewolf', 0, truth), isTrue('wolf', 0, truth), isTrue('werewolves', 0, truth), isTrue('village', 1, truth)]).toEqual([true, true, true, true]); // prettier-ignore
    expect([isTrue('seer', 0, truth), isTrue('villager', 1, truth), isTrue('wolf', 3, truth)]).toEqual([false, false, false]);
  });
});

describe('the Brier score', () => {
  const truth = {
    roles: ['wolf', 'villager', 'villager', 'villager', 'wolf', 'villager'],
    sides: { wolves: ['wolf'], villagers: ['villager'] },
  };
  const score = (...wolf: number[]) => brierScore({ seat: 1, roles: ['wolf'], rows: wolf.map((share) => ({ wolf: share })) }, truth);

  it('is the mean square over all other seats, worked by hand', () => {
    // (0.5 - 1)^2 + (0.2 - 0)^2 + 0 + (0.9 - 1)^2 + (0.4 - 0)^2 = 0.25 + 0.04 + 0.01 + 0.16, by five seats; its own 0.7 is no belief
    expect(score(0.5, 0.7, 0.2, 0, 0.9, 0.4)).toBeCloseTo(0.46 / 5, 12);
  });
  it('is 0 for who knows, and worse for who suspects everybody than for who suspects nobody or knows nothing', () => {
    expect(score(1, 0, 0, 0, 1, 0)).toBe(0);
    expect(score(1, 1, 1, 1, 1, 1)).toBeCloseTo(3 / 5, 12); // three villagers out of five
    expect(score(0, 0, 0, 0, 0, 0)).toBeCloseTo(2 / 5, 12);
    expect(score(0.4, 0.4, 0.4, 0.4, 0.4, 0.4)).toBeCloseTo((2 * 0.36 + 3 * 0.16) / 5, 12);
  });
  it('sums over roles, of which one that nobody has and nobody is believed to have counts nothing', () => {
    const rows = [
      { werewolf: 0.5, seer: 0.5, fox: 0 },
      { werewolf: 0, seer: 1, fox: 0 },
      { werewolf: 0.5, seer: 0.25, fox: 0.25 },
    ];
    const roles = ['werewolf', 'seer', 'villager'];
    const sides = { werewolves: ['werewolf'], village: ['seer', 'villager'] };
    // Ann: (0.5 - 1)^2 + 0.5^2 = 0.5; Cy, a villager: 0.5^2 + 0.25^2 + 0.25^2 = 0.375
    expect(brierScore({ seat: 1, roles: ['werewolf', 'seer', 'fox'], rows }, { roles, sides })).toBeCloseTo((0.5 + 0.375) / 2, 12);
  });
  it('is none without a belief about others', () => {
    expect(brierScore({ seat: 0, roles: ['wolf'], rows: [{ wolf: 1 }, undefined] }, truth)).toBeUndefined();
  });
});

it('reads the round of a phase', () => expect(['round-12/day-1', 'day-1', 'round-2'].map(roundOf)).toEqual([12, 1, 2]));
