import { describe, expect, it } from '@jest/globals';
import { outcomeOf, SEER_RULES, seersGames } from './scripted-seer.ts';

const GAMES = 100;

describe('a person who is the true Seer, in a hundred games', () => {
  it.each(SEER_RULES)(
    'is executed by the village of %s in at most ten while nobody else claims to be the Seer',
    async (rules) => {
      const { executed, followed } = outcomeOf(await seersGames(rules, GAMES));
      process.stdout.write(`${rules}: executed in ${executed} of ${GAMES} games, ${(100 * followed).toFixed(0)} % of its finds executed\n`);
      expect(executed).toBeLessThanOrEqual(10);
      expect(followed).toBeGreaterThanOrEqual(0.8);
    },
    1_200_000,
  );
});
