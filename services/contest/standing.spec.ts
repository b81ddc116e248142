import { expect, it } from '@jest/globals';
import type { ContestInput } from '@maw/lab/contests/definition.ts';
import { agentsOf, contestOf } from '@maw/lab/contests/fixtures.suite.ts';
import type { PairingResult } from '@maw/lab/contests/result.ts';
import { recipes } from '@maw/minds/recipes.ts';
import { memoryStore } from '@maw/tests/equipment/memory-store/memory-store.ts';
import type { ContestReader } from './running-contest.ts';
import { endOf, nextNumber, readStanding, type Standing, take, tablesToOpen } from './standing.ts';

/** Counts how often numbers are looked up, and results are read. */
class Steps {
  count = 0;

  finished(): Set<number> {
    const has = (set: Set<number>, number: number): boolean => {
      this.count++;
      return Set.prototype.has.call(set, number);
    };
    return new (class extends Set<number> {
      override has(number: number): boolean {
        return has(this, number);
      }
    })();
  }

  list(): PairingResult[] {
    const get = (list: PairingResult[], key: string | symbol): unknown => {
      this.count++;
      return Reflect.get(list, key);
    };
    return new Proxy<PairingResult[]>([], { get });
  }

  result(number: number, agents: readonly string[]): PairingResult {
    const seats = agents.map((agent, seat) => ({ agent, seat, role: 'r', side: 's', won: seat === 0, points: 0 }));
    const games = [{ id: `${number}/1`, rules: 'onuw', deal: String(number), winner: 's', seats }];
    const usage = [{ agent: agents[0]!, model: 'm', calls: 1, prompt: 1, completion: 1, seconds: 1 }];
    const read = (value: unknown): unknown => {
      this.count++;
      return value;
    };
    const counted = { games, usage };
    const getters = Object.entries(counted).map(([name, value]) => [name, { get: () => read(value), enumerable: true }]);
    return Object.defineProperties({ number, attempt: 1, faults: [] }, Object.fromEntries(getters)) as unknown as PairingResult;
  }
}

async function standingOf(given: Partial<ContestInput>): Promise<Standing> {
  const contest = contestOf(given);
  const { contests } = memoryStore();
  await contests.open({ id: 'c', at: 1, contest, pairings: 1 });
  return readStanding({ contests, recipes } as unknown as ContestReader, (await contests.get('c'))!);
}

it.each<Partial<ContestInput>>([
  {
    agents: agentsOf(2, 'algorithm-1').map((agent) => ({ ...agent, model: 'm' })),
    stopping: { maxCost: 1_000_000 },
    prices: { m: { prompt: 1, completion: 1 } },
    schedule: { kind: 'sides', deals: 2_000 },
  },
  { agents: agentsOf(6), schedule: { kind: 'aiwolf-2021', preliminary: 3_000, final: 1_000, finalists: 5, games: 1 } },
])('plays a contest of 4,000 pairings in a number of steps that grows with the pairings: %j', async (given) => {
  const steps = new Steps();
  const standing: Standing = {
    ...(await standingOf({ agents: agentsOf(2), ...given })),
    finished: steps.finished(),
    preliminary: steps.list(),
  };
  const open: number[] = [];
  const played: number[] = [];
  while (!endOf(standing)) {
    for (let left = tablesToOpen(standing, open.length, 64); left > 0; left--) {
      const number = nextNumber(standing);
      if (number !== undefined) open.push(number);
    }
    // The last one first: those before it stay open.
    const number = open.pop()!;
    played.push(number);
    take(standing, [steps.result(number, standing.plan.at(number).agents)]);
  }
  expect(played.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 4_000 }, (_, i) => i));
  expect(endOf(standing)).toEqual({ state: 'finished' });
  expect(steps.count).toBeLessThan(20 * 4_000);
});

it('looks at one number of each cell while all cells wait for a game that their agents learn from', async () => {
  const agents = agentsOf(2, 'lan').map((agent) => ({ ...agent, learns: true as const }));
  const steps = new Steps();
  const standing = { ...(await standingOf({ agents, schedule: { kind: 'sides', deals: 2_000 } })), finished: steps.finished() };
  const names = agents.map(({ name }) => name);
  expect([nextNumber(standing), nextNumber(standing), nextNumber(standing)]).toEqual([0, 1, undefined]);
  take(standing, [steps.result(1, names)]);
  expect([nextNumber(standing), nextNumber(standing)]).toEqual([3, undefined]);
  take(standing, [steps.result(0, names)]);
  expect([nextNumber(standing), nextNumber(standing)]).toEqual([2, undefined]);
  expect(steps.count).toBeLessThan(100);
});

it('gives the numbers that are left, and those of the final once the finalists are known', async () => {
  const schedule = { kind: 'aiwolf-2021', preliminary: 3, final: 2, finalists: 5, games: 1 } as const;
  const standing = await standingOf({ agents: agentsOf(6), schedule });
  const steps = new Steps();
  const result = (number: number) => steps.result(number, standing.plan.at(number).agents);
  take(standing, [result(1), result(1)]);
  expect([nextNumber(standing), nextNumber(standing), nextNumber(standing)]).toEqual([0, 2, undefined]);
  take(standing, [result(0)]);
  expect([standing.finalists, nextNumber(standing)]).toEqual([undefined, undefined]);
  take(standing, [result(2)]);
  expect([standing.finalists!.length, nextNumber(standing), nextNumber(standing), nextNumber(standing)]).toEqual([5, 3, 4, undefined]);
});
