import { describe, expect, it } from '@jest/globals';
import { situationOf, situations } from '../../recipe-moments.suite.ts';
import { findRecipe } from '../../recipes.ts';
import { type Script, scriptedThought } from '../../scripted-thought.suite.ts';
import { tacticNames } from './tactics.ts';

const script: Script = {
  belief: 'Bob was the Robber. Result: Bob is a Werewolf.',
  tactic: '{"thought":"They believe me.","strategy":"Honest accusation"}',
  decide: '{"reason":"Bob lies.","do":"speak","text":"Bob is a Werewolf."}',
};
const thought = (rules: string, kind: 'talk' | 'choice', given = {}, more: Script = {}) =>
  scriptedThought(findRecipe('onuw', undefined, given), situationOf(rules, kind), { ...script, ...more });
const textOf = ({ request: { messages } }: Awaited<ReturnType<typeof thought>>['calls'][number]): string =>
  messages.map(({ content }) => content).join('\n');

describe('the recipe onuw', () => {
  it.each(situations)('forms a belief, chooses a tactic and speaks by both: %s', async (rules) => {
    const { calls, steps } = await thought(rules, 'talk');
    expect(steps).toEqual(['belief', 'tactic', 'decide']);
    expect(textOf(calls[0]!)).not.toContain('What you believe');
    expect(textOf(calls[1]!)).toContain(script['belief']);
    expect(textOf(calls[2]!)).toContain(script['belief']);
    expect(textOf(calls[2]!)).toContain('Speak in this way: honest_accusation: ');
    expect(calls.map(({ request }) => [request.temperature, request.maxTokens])).toEqual(calls.map(() => [1, 1000]));
  });

  it('makes a belief and no tactic for a vote, and neither by night', async () => {
    expect(new Set((await thought('onuw', 'choice')).steps)).toEqual(new Set(['belief', 'decide']));
    const night = {
      ...situationOf('onuw', 'choice'),
      questions: situationOf('onuw', 'choice').questions.map((q) => ({ ...q, secret: true as const })),
    };
    expect(new Set((await scriptedThought(findRecipe('onuw'), night, script)).steps)).toEqual(new Set(['decide']));
  });

  it.each<[object, readonly string[]]>([
    [{ tactic: 'none' }, ['belief', 'decide']],
    [{ tactic: 'random' }, ['belief', 'decide']],
    [{ belief: 'off' }, ['tactic', 'decide']],
  ])('%j leaves out its call and nothing else', async (given, steps) => {
    expect((await thought('onuw', 'talk', given)).steps).toEqual(steps);
  });

  it('draws a tactic from the six when it is random', async () => {
    const { calls } = await thought('onuw', 'talk', { tactic: 'random' });
    expect(textOf(calls[1]!)).toMatch(new RegExp(`Speak in this way: (${tacticNames.join('|')}): `));
    expect((await thought('onuw', 'talk', { tactic: 'none' })).mind.plan).toBe('');
  });

  it('is refused with a tactic by a policy, as there is none yet', () => {
    expect(() => findRecipe('onuw', undefined, { tactic: 'rl' })).toThrow('it is one of none, llm, random');
  });

  it('believes in probabilities when it is asked for a table', async () => {
    const roles = [{ player: 'Bob', role: 'robber', probability: 0.2 }, { player: 'Bob', role: 'werewolf', probability: 0.6 }]; // prettier-ignore
    const { mind, calls } = await thought('onuw', 'talk', { belief: 'table' }, { belief: JSON.stringify({ thought: '', roles }) });
    expect(mind.beliefs).toEqual({ Bob: { robber: expect.closeTo(0.25), werewolf: expect.closeTo(0.75) } });
    expect(textOf(calls.at(-1)!)).toContain('Bob: {"robber":0.25');
  });
});
