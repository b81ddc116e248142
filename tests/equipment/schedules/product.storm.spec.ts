import { describe, expect, it } from '@jest/globals';
import { runRandomSchedule } from './random-search.ts';
import { type Bounds, explore } from './exhaustive-search.ts';
import { LARGE, late, rooms, type Scenario, SMALL } from './scenarios.ts';
import { printed, replay } from './schedule.ts';

/** `./maw bench schedules` runs more of everything, and every night. */
const ONE: Bounds = { switches: 1, deaths: 1, twice: 1, mishaps: 1, all: 1 };

const MS = 300_000;

/** The failure and its schedule, for `./maw bench schedules --replay`. */
const failureText = (scenario: Scenario, found: { readonly steps: readonly string[]; readonly why: string } | undefined): string =>
  found ? `${found.why}\n${printed({ scenario: scenario.name, steps: found.steps })}` : '';

describe('every schedule with one context switch, death, duplicate or failed call', () => {
  it.each(SMALL.filter(({ moves }) => !moves).map((scenario) => [scenario.says, scenario] as const))(
    'is correct: %s',
    async (_, scenario) => {
      const { found, isAll, schedules } = await explore(scenario, ONE);
      expect(failureText(scenario, found)).toBe('');
      expect(isAll).toBe(true);
      expect(schedules).toBeGreaterThan(100);
    },
    MS,
  );
});

/** With the clock there are many more. Planted faults are found among the first 70. */
const WITH_CLOCK = 100;

describe('the cheapest schedules with one context switch or death, and the clock', () => {
  it.each(SMALL.filter(({ moves }) => moves).map((scenario) => [scenario.says, scenario] as const))(
    'are correct: %s',
    async (_, scenario) => {
      const { found, schedules } = await explore(scenario, { ...ONE, twice: 0, mishaps: 0 }, undefined, WITH_CLOCK);
      expect(failureText(scenario, found)).toBe('');
      expect(schedules).toBe(WITH_CLOCK);
    },
    MS,
  );
});

it('finishes what a replica that died appended when an absence ended, though another one does not know of its end', async () => {
  const tickOf = (by: string) => `t/tick/2208988804000/${by}`;
  const rings = (by: string) => [`${by} looks`, `${by} due`, `${by} send table.tick ${tickOf(by)}`];
  const unheard = [`B takes ${tickOf('A')}`, 'B read 0', 'B read 11', `B ack ${tickOf('A')}`];
  const appended = [`A takes ${tickOf('B')}`, 'A read 0', 'A append 11+1', 'A dies'];
  const steps = ['time passes', ...rings('A'), ...unheard, 'a player comes', ...rings('B'), ...appended, `B takes ${tickOf('B')}`];
  expect(await replay({ scenario: 'absence', steps })).toBeUndefined();
});

describe('random schedules', () => {
  it.each([[rooms.says, rooms, 6], [late.says, late, 6], ...LARGE.map((scenario) => [scenario.says, scenario, 2] as const)] as const)(
    'are correct: %s',
    async (_, scenario, count) => {
      let steps = 100;
      for (let seed = 1; seed <= count; seed++) {
        const result = await runRandomSchedule(scenario, { seed, steps, switches: 3, faults: 3 });
        expect(`seed ${seed} ${failureText(scenario, result.found)}`).toBe(`seed ${seed} `);
        steps = result.steps.length;
      }
    },
    MS,
  );

  it('play whole games to their end', async () => {
    for (const scenario of LARGE) {
      const { isOver } = await runRandomSchedule(scenario, { seed: 7, steps: 150, switches: 3, faults: 3 });
      expect([scenario.name, isOver]).toEqual([scenario.name, true]);
    }
  });
});
