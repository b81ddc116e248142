import { beforeAll, describe, expect, it } from '@jest/globals';
import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { playGame } from '@maw/minds/arena/arena.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import { findRecipe, recipes } from '@maw/minds/recipes.ts';
import type { NarratedEvent } from '../../measures/game-record.ts';
import { datasetOf, recordedGames, type TableThought } from './recorded-games.ts';

const rules = findRecipe('rules', recipes);
const game = { rules: ruleSetNamed('onuw'), players: 5, seed: 'x' };
/** Five players who speak three times each. The Robber in seat 2 takes the Werewolf's card, gets four votes of five and loses. */
let tape: readonly NarratedEvent[];
beforeAll(async () => ({ tape } = await playGame({ ...game, recipeFor: () => rules })));

const thought = (seat: number, turn: number, tactic: string, rest: object = {}): TableThought => ({
  seat,
  round: 1,
  content: { recipe: 'tactician', choice: { tactic, by: 'random', probability: 1 / 6, observation: { role: 'robber', turn, log: [`turn ${turn}`] } }, ...rest }, // prettier-ignore
});

describe('games of a recorded table', () => {
  it('give each choice that was carried out, with the points and votes of the seat', () => {
    const thoughts = [
      thought(2, 0, 'honest_evidence'),
      thought(2, 0, 'deceptive_evidence'), // thought again before it spoke
      { seat: 2, round: 1, content: { plan: 'no choice' } },
      thought(2, 2, 'honest_defense'),
      thought(2, 3, 'honest_accusation'), // it spoke three times only
      thought(4, 1, 'deceptive_defense'),
      { ...thought(4, 0, 'deceptive_defense'), round: 2 }, // of a game that is not finished
    ];
    const { choices } = datasetOf(recordedGames('t', tape, thoughts), 'minus-votes', 'by hand');
    const about = { role: 'robber', deal: 'onuw: seer villager robber werewolf insomniac', game: 't/1' };
    const loses = expect.closeTo(-1 - 4 / 5, 9);
    expect(choices).toEqual([
      { ...about, seat: 2, turn: 0, log: ['turn 0'], tactic: 'deceptive_evidence', reward: loses, isLast: false },
      { ...about, seat: 2, turn: 2, log: ['turn 2'], tactic: 'honest_defense', reward: loses, isLast: true },
      { ...about, seat: 4, turn: 1, log: ['turn 1'], tactic: 'deceptive_defense', reward: 1, isLast: true },
    ]);
    expect(recordedGames('t', tape, [])).toEqual([]);
  });

  it('are refused where a thought is wrong, or where recipes differ', () => {
    expect(() => recordedGames('t', tape, [thought(1, -1, 'honest_evidence')])).toThrow(
      'table t, round 1, seat 1: choice.observation.turn: ',
    );
    const mixed = recordedGames('t', tape, [thought(1, 0, 'honest_evidence'), thought(3, 0, 'honest_evidence', { recipe: 'onuw' })]);
    expect(() => datasetOf(mixed, 'end', '')).toThrow('tactician (seat 1 of t/1) and onuw (seat 3 of t/1)');
  });
});

describe('the arena', () => {
  it('plays the same game whether it is recorded or not, and stops at a failing step', async () => {
    const phases = new Set<string>();
    const recorded = await playGame({ ...game, recipeFor: () => rules, record: (_, phase) => void phases.add(phase) });
    expect(recorded.tape).toEqual(tape);
    expect([...phases]).toContain('round-1/day/round-2');
    const failing: Recipe = { ...rules, steps: [{ kind: 'plan', name: 'fails', run: () => Promise.reject(new Error('no idea')) }] };
    await expect(playGame({ ...game, recipeFor: () => failing, record: () => {} })).rejects.toThrow(
      'step fails of recipe rules failed: no idea',
    );
  });
});
