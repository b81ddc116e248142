import { describe, expect, it } from '@jest/globals';
import { runRandomSchedule } from './random-search.ts';
import { type Bounds, explore } from './exhaustive-search.ts';
import { LARGE, late, rooms, type Scenario, SMALL } from './scenarios.ts';
import { printed } from './schedule.ts';

/** `./maw bench schedules` tries more of everything. */
const ONE: Bounds = { switches: 1, deaths: 1, twice: 1, mishaps: 1, all: 1 };

/** Much more than they take. */
const MS = 300_000;

/** What is wrong, and the schedule that shows it: `./maw bench schedules --replay` runs it again. */
const told = (scenario: Scenario, found: { readonly steps: readonly string[]; readonly why: string } | undefined): string =>
  found ? `${found.why}\n${printed({ scenario: scenario.name, steps: found.steps })}` : '';

describe('every schedule with one switch, death, double or failure', () => {
  it.each(SMALL.map((scenario) => [scenario.says, scenario] as const))(
    'of %s is as it must be',
    async (_, scenario) => {
      // With the clock there are many more: here those with a switch or a death, the others in `maw bench schedules`.
      const { found, isAll, schedules } = await explore(scenario, scenario.moves ? { ...ONE, twice: 0, mishaps: 0 } : ONE);
      expect(told(scenario, found)).toBe('');
      expect(isAll).toBe(true);
      expect(schedules).toBeGreaterThan(100);
    },
    MS,
  );
});

describe('schedules by chance', () => {
  it.each([[rooms.says, rooms, 25], [late.says, late, 25], ...LARGE.map((scenario) => [scenario.says, scenario, 6] as const)] as const)(
    'of %s are as they must be',
    async (_, scenario, count) => {
      let steps = 100;
      for (let seed = 1; seed <= count; seed++) {
        const drawn = await runRandomSchedule(scenario, { seed, steps, switches: 3, faults: 3 });
        expect(`seed ${seed} ${told(scenario, drawn.found)}`).toBe(`seed ${seed} `);
        steps = drawn.steps.length;
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
