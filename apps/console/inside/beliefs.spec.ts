import { describe, expect, it } from '@jest/globals';
import { beliefsOf, isTrue, meanTrueShare, phasesOf, roundOf, tableOf, trueShare } from './beliefs.ts';

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
    ],
    table,
  );
  expect(found.map(({ decision, step: at, phase }) => [decision, at, phase])).toEqual([
    ['d1', 2, 'round-1/night-1'],
    ['d2', 2, 'round-1/day-1'],
    ['d3', 1, 'round-1/day-1'],
  ]);
  expect(phasesOf(found)).toEqual([
    { phase: 'round-1/night-1', count: 1 },
    { phase: 'round-1/day-1', count: 2 },
  ]);
});

describe('the truth', () => {
  const truth = { roles: ['werewolf', 'seer', 'villager'], sides: { werewolves: ['werewolf'], village: ['seer', 'villager'] } };

  it('is met by a role, a side, and the short name of a werewolf', () => {
    expect([isTrue('werewolf', 0, truth), isTrue('wolf', 0, truth), isTrue('werewolves', 0, truth), isTrue('village', 1, truth)]).toEqual([true, true, true, true]); // prettier-ignore
    expect([isTrue('seer', 0, truth), isTrue('villager', 1, truth), isTrue('wolf', 3, truth)]).toEqual([false, false, false]);
  });

  it('has the probability that was believed of it, and none where nothing was', () => {
    const belief = { roles: ['wolf'], rows: [{ wolf: 0.7 }, { wolf: 0.2 }, undefined] };
    expect([0, 1, 2].map((seat) => trueShare(belief, seat, truth))).toEqual([0.7, undefined, undefined]);
  });

  it('is believed so much on average by a seat of the others', () => {
    const rows = [
      { werewolf: 0.5, seer: 0.5 },
      { werewolf: 0, seer: 1 },
      { werewolf: 0.5, seer: 0.5 },
    ];
    const belief = { seat: 1, roles: ['werewolf', 'seer', 'villager'], rows };
    expect(meanTrueShare(belief, truth)).toBe(0.25); // 0.5 of Ann, 0 of Cy; its own role is no belief
    expect(meanTrueShare(belief, undefined)).toBeUndefined();
  });
});

it('reads the round of a phase', () => expect(['round-12/day-1', 'day-1', 'round-2'].map(roundOf)).toEqual([12, 1, 2]));
