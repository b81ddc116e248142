import { describe, expect, it } from '@jest/globals';
import { runRandomSchedule } from './random-search.ts';
import { PLANTED_FAULTS } from './planted-faults.ts';
import { village3, votes } from './scenarios.ts';
import { printed, readSchedule, replay } from './schedule.ts';

const isTwice = ({ found }: Awaited<ReturnType<typeof runRandomSchedule>>): boolean => /is written twice$/.test(found?.why ?? '');

describe('a schedule', () => {
  it('is one line of data that reproduces its failure', async () => {
    let chances = { seed: 42, steps: 150, switches: 3, faults: 6 }; // the first seed that finds it
    let first = await runRandomSchedule(village3, chances, PLANTED_FAULTS['append repeated'].plant);
    while (!isTwice(first) && chances.seed < 100) {
      chances = { ...chances, seed: chances.seed + 1 };
      first = await runRandomSchedule(village3, chances, PLANTED_FAULTS['append repeated'].plant);
    }
    expect(first.found?.why).toMatch(/is written twice$/);
    const line = printed({ scenario: village3.name, plant: 'append repeated', steps: first.steps });
    expect(line).not.toContain('\n');
    for (let i = 0; i < 2; i++) expect(await replay(readSchedule(line))).toBe(first.found!.why);
    expect(await runRandomSchedule(village3, chances, PLANTED_FAULTS['append repeated'].plant)).toEqual(first);
  }, 600_000);

  it('continues by itself after its last step', async () => {
    expect(await replay({ scenario: votes.name, steps: [] })).toBeUndefined();
    expect(await replay({ scenario: votes.name, plant: 'acknowledge before append', steps: ['A takes m2'] })).toBe(
      'm2 is acknowledged before it was answered',
    );
  });

  it.each([
    [{ scenario: 'chess', steps: [] }, 'there is no scenario chess; there are votes, '],
    [{ scenario: 'votes', plant: 'none', steps: [] }, 'there is no plant none; there are acknowledge before publish, '],
    [{ scenario: 'votes', steps: ['A takes m1', 'B dies'] }, 'step 2, B dies, is not possible: it could be A read 0, '],
  ])('is rejected when it does not fit, naming the possible steps: %j', async (schedule, why) => {
    await expect(replay(schedule)).rejects.toThrow(why);
  });

  it.each(['{}', 'null', '{"scenario":"votes"}', '{"scenario":"votes","steps":[1]}', 'no'])('is not %s', (text) => {
    expect(() => readSchedule(text)).toThrow(/^a schedule is \{"scenario": NAME/);
  });
});
