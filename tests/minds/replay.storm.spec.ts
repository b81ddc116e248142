import { describe, expect, it } from '@jest/globals';
import { findRecipe } from '@maw/minds/recipes.ts';
import { startSimulator } from '@maw/ollama-sim/simulator.ts';
import { memoryStore } from '../equipment/memory-store/memory-store.ts';
import { playInTurns } from './turn-based-game.ts';

const games = [
  {
    rules: 'maw',
    recipe: findRecipe('algorithm-1'),
    options: { dayMs: 60_000, nightMs: 60_000, maxDays: 3, seer: true, dayTie: 'random' },
  },
  {
    rules: 'avalon',
    recipe: findRecipe('react'),
    options: { turnMs: 60_000, teamMs: 60_000, voteMs: 60_000, questMs: 60_000, assassinMs: 60_000 },
  },
] as const;

describe.each(games)('a game of $rules with $recipe.name minds that was recorded', (game) => {
  const terms = { ...game, seed: 'recorded game' };

  it('replays to the same tape at another table, without a model server', async () => {
    const store = memoryStore();
    const { recordings } = store;
    try {
      const sim = await startSimulator();
      const servers = [{ url: sim.url, name: new URL(sim.url).host, authorization: undefined, slots: 4 }];
      const open = { agentRpm: 0, agentConcurrency: 0, recording: 'one game' };
      const first = await playInTurns({ ...terms, table: 'first', recordings, gateway: { ...open, servers, record: 'record' } });
      await sim.close();
      expect(first.tape.filter(({ event }) => event.type === 'answered').length).toBeGreaterThanOrEqual(10);
      expect([first.asked > 20, first.failed]).toEqual([true, []]);

      const gateway = { ...open, servers, record: 'replay' as const };
      const again = await playInTurns({ ...terms, table: 'second', recordings, gateway });
      expect(JSON.stringify(again.tape).replaceAll('"second', '"first')).toBe(JSON.stringify(first.tape));
      expect([again.asked, again.failed]).toEqual([first.asked, []]);

      // Every completion of another game fails, with the nearest recorded request; the game ends by the clock.
      const other = await playInTurns({ ...terms, seed: 'another', table: 'third', recordings, gateway });
      expect(other.tape.some(({ event }) => event.type === 'closed')).toBe(true);
      expect(other.failed).toHaveLength(other.asked);
      expect(other.failed[0]).toMatch(/^the recording one game has no answer to request [0-9a-f]{64} of seat \d of table third$/);
    } finally {
      await store.close();
    }
  }, 600_000);
});
