import { describe, expect, it } from '@jest/globals';
import { newMind } from '../mind.ts';
import { findRecipe } from '../recipes.ts';
import { sampleQuestions } from './sample-questions.ts';

describe('sampleQuestions', () => {
  it('asks five questions of two games, with what has happened before each', async () => {
    const questions = await sampleQuestions(findRecipe('algorithm-1'), 'doctor');
    expect(questions.map(({ rules, asks }) => `${rules}: ${asks}`)).toEqual([
      'maw: what to say on the first day',
      'maw: whom to vote for on the second day',
      'maw: whom to choose at night',
      'avalon: whom to send on a quest',
      'avalon: whether to approve of a team',
    ]);
    expect(questions.map(({ mind }) => mind.beliefs)).toEqual([{}, {}, {}, {}, {}]); // not those of who plays
    const [talk, vote] = questions;
    expect(talk!.moment.questions.map(({ verb }) => verb)).toEqual(['say']);
    expect(vote!.mind).not.toEqual(newMind);
    expect([...vote!.mind.context.lines, ...vote!.mind.unread].join('\n')).toContain('is executed');
    expect(vote!.moment).toMatchObject({ recipe: 'algorithm-1', contextTokens: 8192 });
  });
});
