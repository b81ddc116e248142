import { describe, expect, it } from '@jest/globals';
import { requestsOf, CYCLE_MS, type GameLoad } from './game-load.ts';
import { fairQueue, type QueueEntry } from '@maw/llm-gateway/scheduler/fair-queue.ts';
import { type Policy, policies, simulate, type SimulationResult } from './queue-simulation.ts';

const SLOTS = 8;
const SEEDS = ['a', 'b', 'c'];
const WHILE_MS = 8 * CYCLE_MS;
const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

const loads = {
  '63 %': { games: 4, greed: 1 },
  '95 %': { games: 6, greed: 1 },
  '126 %': { games: 8, greed: 1 },
  '189 %': { games: 12, greed: 1 },
  '130 %, greedy': { games: 6, greed: 4 },
  '162 %, greedy': { games: 8, greed: 4 },
};
type Name = keyof typeof loads;
const names = Object.keys(loads) as Name[];

const load = (name: Name, given: Partial<GameLoad> = {}): GameLoad => ({
  ...loads[name],
  forMs: WHILE_MS,
  phases: 'apart',
  seed: 'a',
  ...given,
});
const known = new Map<string, readonly SimulationResult[]>();
/** The same runs once for all tests. */
function runs(name: Name, policy: Policy, given: Partial<GameLoad> = {}): readonly SimulationResult[] {
  const key = `${name} ${policy.name} ${JSON.stringify(given)}`;
  const done = known.get(key) ?? SEEDS.map((seed) => simulate(load(name, { seed, ...given }), SLOTS, policy));
  known.set(key, done);
  return done;
}
const middle = (all: readonly SimulationResult[], of: (one: SimulationResult) => number): number => median(all.map(of));

const best = policies.recommended(1.5);

describe('requestsOf', () => {
  it.each(names)('offers %s of the slot time', (name) => {
    const offered = middle(runs(name, policies.fifo), (one) => one.offered);
    expect(Math.abs(100 * offered - Number.parseInt(name, 10))).toBeLessThan(3);
  });

  it('makes talk per agent, and bursts of 12 votes and 4 night acts', () => {
    const requests = requestsOf(load('63 %', { games: 1, forMs: 10 * CYCLE_MS }));
    expect(requests.map(({ arrived }) => arrived)).toEqual(requests.map(({ arrived }) => arrived).toSorted((a, b) => a - b));
    const bursts = Object.groupBy(
      requests.filter(({ kind }) => kind !== 'talk'),
      ({ kind, arrived, deadline }) => `${kind} ${Math.round(deadline - arrived)} ${arrived}`,
    );
    const sizes = Object.entries(bursts).map(([key, those]) => `${key.split(' ').slice(0, 2).join(' ')}: ${those!.length}`);
    expect(new Set(sizes)).toEqual(new Set(['vote 30000: 12', 'night 20000: 4']));
    expect(sizes.length).toBeGreaterThanOrEqual(19);
    for (const { kind, arrived, deadline } of requests)
      if (kind === 'talk') {
        expect(deadline - arrived).toBeLessThanOrEqual(30_000);
        expect(deadline - arrived).toBeGreaterThan(3_000);
      }
  });

  it('makes four times the talk in the greedy game only', () => {
    const talk = requestsOf(load('130 %, greedy', { forMs: 20 * CYCLE_MS })).filter(({ kind }) => kind === 'talk');
    const of = (game: string): number => talk.filter((one) => one.game === game).length;
    expect(of('game 0') / of('game 1')).toBeGreaterThan(3.7);
    expect(of('game 0') / of('game 1')).toBeLessThan(4.4);
    expect(of('game 2') / of('game 1')).toBeGreaterThan(0.9);
  });
});

describe('simulate with the recommended policy', () => {
  // One in ten thousand takes longer than there is time even if it begins at once.
  it.each(names)('answers critical requests in time at %s', (name) => {
    for (const patience of [1, 1.5])
      for (const { urgent } of runs(name, policies.recommended(patience))) expect(urgent).toBeGreaterThanOrEqual(0.998);
  });

  it('loses votes under overload without urgency classes', () => {
    expect(middle(runs('189 %', policies.classless(1)), (one) => one.urgent)).toBeLessThan(0.75);
  });

  // The table of the design has 92.9 and 75.0; two points are allowed because its arrivals were not the very same.
  it.each([
    ['130 %, greedy', 92.9, 0.2],
    ['162 %, greedy', 75.0, 0.2],
  ] as const)('protects other games from a greedy one at %s as designed', (name, designed, margin) => {
    const worst = middle(runs(name, best), (one) => one.worst);
    expect(100 * worst).toBeGreaterThanOrEqual(designed - 2);
    expect(worst - middle(runs(name, policies.fifo), (one) => one.worst)).toBeGreaterThan(margin);
    expect(worst - middle(runs(name, policies.earliest), (one) => one.worst)).toBeGreaterThan(margin);
  });

  it('charges the greedy game for its excess', () => {
    const all = runs('130 %, greedy', best);
    expect(middle(all, (one) => one.greedy!)).toBeLessThan(0.5);
    expect(middle(all, (one) => one.talk)).toBeGreaterThan(0.93);
  });

  it('wastes little slot time, where FIFO wastes a third', () => {
    expect(middle(runs('189 %', best), (one) => one.wasted)).toBeLessThan(0.08);
    expect(middle(runs('189 %', policies.fifo), (one) => one.wasted)).toBeGreaterThan(0.33);
    expect(middle(runs('126 %', best), (one) => one.wasted)).toBeLessThan(
      middle(runs('126 %', policies.recommended(1)), (one) => one.wasted),
    );
  });

  it('costs little without overload', () => {
    for (const name of ['63 %', '95 %'] as const)
      expect(middle(runs(name, policies.recommended(1)), (one) => one.worst)).toBeGreaterThan(0.94);
  });

  it('answers critical requests in time when votes of several games coincide', () => {
    for (const name of ['126 %', '130 %, greedy', '162 %, greedy'] as const)
      expect(middle(runs(name, best, { phases: 'by chance' }), (one) => one.urgent)).toBeGreaterThanOrEqual(0.98);
    expect(middle(runs('189 %', best, { phases: 'by chance' }), (one) => one.urgent)).toBeGreaterThanOrEqual(0.93);
  });
});

describe('simulate', () => {
  it('reports every policy as work-conserving', () => {
    for (const name of names)
      for (const policy of [policies.fifo, policies.recommended(1), best])
        for (const { isConserving } of runs(name, policy)) expect(isConserving).toBe(true);
  });

  it('detects a policy that is not work-conserving', () => {
    /** Serves the others only while no game is far ahead: a leash. */
    const leashed = <Job extends QueueEntry>() => {
      const queue = fairQueue<Job>();
      return Object.create(queue, {
        takeNext: { value: (canRun: (job: Job) => boolean) => queue.takeNext((job) => job.rank % 7 > 1 && canRun(job)) },
      }) as typeof queue;
    };
    expect(simulate(load('130 %, greedy', { forMs: CYCLE_MS }), SLOTS, { ...best, queue: leashed }).isConserving).toBe(false);
  });
});
