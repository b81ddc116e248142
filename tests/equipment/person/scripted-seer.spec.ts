import { describe, expect, it } from '@jest/globals';
import { outcomeOf, SEER_RULES, seersGames } from './scripted-seer.ts';

// `scripted-seer.storm.spec.ts` plays a hundred games.

describe('a person who is the true Seer, and says so in a few words', () => {
  it.each(SEER_RULES)('is believed by the village of %s', async (rules) => {
    const { executed, followed } = outcomeOf(await seersGames(rules, 8));
    expect(executed).toBeLessThanOrEqual(1);
    expect(followed).toBeGreaterThanOrEqual(0.7);
  });
});
