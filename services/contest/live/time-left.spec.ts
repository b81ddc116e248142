import { describe, expect, it } from '@jest/globals';
import { agentsOf, contestOf } from '@maw/lab/contests/fixtures.suite.ts';
import type { ContestContext } from '../running-contest.ts';
import { paceFrom, shareOf, timeLeft, timesLeft } from './time-left.ts';

const MINUTE = 60_000;
const at = (minutes: number, share: number) => ({ at: minutes * MINUTE, share });

describe('the time left of a contest', () => {
  it('is that of the rules until a phase has passed: tables side by side, each as long as its phases', () => {
    const progress = { now: MINUTE, since: 0, pairings: 10, finished: 0, running: [at(0, 0), at(0, 0)], usualMs: 20 * MINUTE };
    expect(timeLeft(progress, 0)).toEqual({ leftMs: 100 * MINUTE, leftBy: 'rules' });
    expect(timeLeft({ ...progress, running: [] }, 0)).toEqual({});
  });

  it('is by phases before a table is over: two that are at half and a quarter after 6 minutes have done three quarters of one', () => {
    const progress = { now: 6 * MINUTE, since: 0, pairings: 10, finished: 0, running: [at(0, 0.5), at(0, 0.25)], usualMs: 20 * MINUTE };
    expect(timeLeft(progress, 0)).toEqual({ leftMs: (9.25 / 0.75) * 6 * MINUTE, leftBy: 'phases' });
  });

  it('counts what running tables have done beside results, where results alone would take them for not begun', () => {
    const progress = { now: 10 * MINUTE, since: 0, pairings: 4, finished: 2, running: [at(4, 0.75), at(5, 0.75)], usualMs: 1 };
    // 3.5 of 4 in ten minutes; by results alone ten more minutes.
    expect(timeLeft(progress, 2)).toEqual({ leftMs: Math.round((10 * MINUTE * 0.5) / 3.5) });
  });

  it('goes by the last ten minutes, or by four times as long as the longest table has run', () => {
    const progress = { now: 100 * MINUTE, since: 0, pairings: 9, finished: 6, running: [] as ReturnType<typeof at>[] };
    expect(paceFrom(progress)).toBe(90 * MINUTE);
    expect(paceFrom({ ...progress, running: [at(99, 0), at(80, 0.5)] })).toBe(20 * MINUTE);
    expect(paceFrom({ ...progress, since: 95 * MINUTE, running: [at(80, 0.5)] })).toBe(95 * MINUTE);
    // Begun before the contest went on: of its half a quarter was done since, 5 of 20 minutes.
    const resumed = { ...progress, since: 95 * MINUTE, running: [at(80, 0.5)], usualMs: 1 };
    expect(timeLeft(resumed, 0)).toEqual({ leftMs: Math.round((5 * MINUTE * 2.5) / 0.125), leftBy: 'phases' });
  });

  it('has nothing left of its last table but what of that is not over', () => {
    const progress = { now: 10 * MINUTE, since: 0, pairings: 2, finished: 1, running: [at(0, 0.9)], usualMs: 1 };
    expect(timeLeft(progress, 1).leftMs).toBe(Math.round((10 * MINUTE * 0.1) / 1.9));
  });
});

it('a phase is found by its public name, whatever the round, and a secret one by its first step', () => {
  const course = { ms: 1, shares: new Map([['day-1', 0.1], ['night-2/wolf-1', 0.4], ['night-2/seer', 0.5]]) }; // prettier-ignore
  expect(['round-3/day-1', 'round-1/night-2', 'round-1/day-9', undefined].map((phase) => shareOf(course, phase))).toEqual([0.1, 0.4, 0, 0]);
});

it('takes a finished table whose agents learn for over, and leaves out one that waits for room', async () => {
  const contest = contestOf({ agents: agentsOf(2), schedule: { kind: 'sides', deals: 2 } });
  const request = async ({ subject }: { readonly subject: string }) =>
    subject === 'waits'
      ? { performative: 'refuse', data: { reason: 'unknown-game' } }
      : { performative: 'inform', data: { summary: { round: 1, stage: 'over' } } };
  const contests = { countFinished: async () => 0 };
  const context = { now: () => 10, requestMs: 1, closing: new AbortController().signal, bus: { request }, contests };
  const begun = ['over', 'waits'].map((table, number) => ({ number, attempt: 1, table, at: 0 }));
  const stored = { id: 'c', contest, since: 0, pairings: 4, finished: 0 } as never;
  expect(await timesLeft(context as unknown as ContestContext)(stored, begun)).toEqual({ leftMs: 30, leftBy: 'phases' });
});
