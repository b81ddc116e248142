import { describe, expect, it } from '@jest/globals';
import { situationOf, situations } from '../../recipe-moments.suite.ts';
import { findRecipe } from '../../recipes.ts';
import { type Script, scriptedThought } from '../../scripted-thought.suite.ts';
import { tacticThoughtOf } from '@maw/learning/observation/tactic-thought.ts';
import { tacticNames } from './tactics.ts';

const script: Script = {
  belief: 'Bob was the Robber. Result: Bob is a Werewolf.',
  tactic: '{"thought":"They believe me.","strategy":"Honest accusation"}',
  decide: '{"reason":"Bob lies.","do":"speak","text":"Bob is a Werewolf."}',
};
const thought = (rules: string, kind: 'talk' | 'choice', given = {}, more: Script = {}) =>
  scriptedThought(findRecipe('onuw', undefined, { layout: 'paper', ...given }), situationOf(rules, kind), { ...script, ...more });
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
    expect(calls.map(({ request }) => [request.temperature, request.maxTokens])).toEqual([
      [1, 320],
      [1, 1000],
      [1, 1000],
    ]);
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

  it('asks a policy with what the seat knows, and speaks by its tactic without another call', async () => {
    const asked: unknown[] = [];
    const policy = { name: 'p@2', choose: async (observation: unknown) => (asked.push(observation), 'deceptive_defense') };
    const opened: string[] = [];
    const recipe = findRecipe('onuw', undefined, { tactic: 'rl', policy: 'p' });
    const tools = { policy: async (name: string) => (opened.push(name), policy) };
    const { calls, steps, thoughts } = await scriptedThought(recipe, situationOf('onuw', 'talk'), script, undefined, tools);
    expect([opened, steps]).toEqual([['p'], ['belief', 'decide']]);
    expect(textOf(calls[1]!)).toContain('Speak in this way: deceptive_defense: ');
    const { choice } = thoughts.find(({ name }) => name === 'tactic')!.content;
    expect(choice).toEqual({ tactic: 'deceptive_defense', by: 'rl', probability: 1, policy: 'p@2', observation: asked[0] });
    expect(asked[0]).toMatchObject({ turn: 0, thought: 'p1 was the Robber. Result: p1 is a Werewolf.' });
  });

  it('records who chose a tactic, and with which probability where that is known', async () => {
    const choiceOf = async (given: object) => (await thought('onuw', 'talk', given)).thoughts.find(({ name }) => name === 'tactic')!.content['choice']; // prettier-ignore
    const byModel = tacticThoughtOf({ choice: await choiceOf({}) });
    expect(byModel).toMatchObject({ tactic: 'honest_accusation', by: 'llm', observation: { turn: 0 } });
    expect(byModel).not.toHaveProperty('probability');
    expect(await choiceOf({ tactic: 'random' })).toMatchObject({ by: 'random', probability: 1 / 6 });
  });

  it('believes in probabilities when it is asked for a table', async () => {
    const roles = [{ player: 'Bob', role: 'robber', probability: 0.2 }, { player: 'Bob', role: 'werewolf', probability: 0.6 }]; // prettier-ignore
    const { mind, calls } = await thought('onuw', 'talk', { belief: 'table' }, { belief: JSON.stringify({ thought: '', roles }) });
    expect(mind.beliefs).toEqual({ Bob: { robber: expect.closeTo(0.25), werewolf: expect.closeTo(0.75) } });
    expect(textOf(calls.at(-1)!)).toContain('Bob: {"robber":0.25');
  });
});
