import { describe, expect, it } from '@jest/globals';
import { scriptedModel } from '@maw/tests/equipment/fakes/scripted-model.ts';
import { playDecisions } from '@maw/tests/minds/transcript.ts';
import { type CompletionRequest, type Moment, newMind, type Recipe } from '../mind.ts';
import { situationOf, situations } from '../recipe-moments.suite.ts';
import { findRecipe, recipes } from '../recipes.ts';
import { scriptedThought } from '../scripted-thought.suite.ts';
import { think } from '../think.ts';
import { rulesPrompt } from './prompt.ts';

type Messages = CompletionRequest['messages'];

const modelRecipes = recipes.filter(({ usesModel }) => usesModel).map(({ name }) => name);

async function sent(recipe: Recipe, moment: Moment): Promise<readonly Messages[]> {
  const { tools, calls } = scriptedModel({});
  await think(recipe, newMind, { ...moment, recipe: recipe.name }, tools);
  return calls.map(({ messages }) => messages);
}

/** How the part begins that all seats share. */
const PUBLIC = 'What everybody at the table knows:';

const textOf = (messages: Messages): string => messages.map(({ content }) => content).join('\n');
const count = (text: string, part: string): number => text.split(part).length - 1;

describe.each(modelRecipes)('the shared layout of %s', (name) => {
  const shared = findRecipe(name, recipes, { layout: 'shared' });

  it('shows what the order of the paper shows', async () => {
    for (const rules of situations)
      for (const kind of ['talk', 'choice'] as const) {
        const moment = situationOf(rules, kind);
        const [paper, other] = [await sent(findRecipe(name, recipes, { layout: 'paper' }), moment), await sent(shared, moment)];
        expect(other).toHaveLength(paper.length);
        const parts = [moment.brief, moment.rules.text, ...moment.news.flatMap(({ text }) => text ?? [])];
        for (const [i, messages] of other.entries())
          for (const part of parts) expect([part, count(textOf(messages), part)]).toEqual([part, count(textOf(paper[i]!), part)]);
      }
  });

  it('is the rules, and then one message that ends with what is asked', async () => {
    const moment = situationOf('maw', 'choice');
    for (const messages of await sent(shared, moment)) {
      expect(messages.map(({ role }) => role)).toEqual(['system', 'user']);
      expect(messages[0]!.content).toBe(rulesPrompt(moment));
    }
  });
});

it.each(situations)('tells all seats in the same words what everybody knows, in a game of %s', async (rules) => {
  const decisions = await playDecisions(findRecipe('react', recipes, { layout: 'shared' }), rules);
  const logs = decisions.flatMap(
    ({ calls: [first] }) =>
      first?.messages
        .map(({ content }) => content)
        .find((text) => text.startsWith(PUBLIC))
        ?.split('\n\n')[0] ?? [],
  );
  const [longest = ''] = logs.toSorted((a, b) => b.length - a.length);
  expect(longest.split('\n').length).toBeGreaterThan(10);
  for (const log of logs) expect(longest.startsWith(log)).toBe(true);
});

it('the shared layout puts own lines behind public ones, and counts what is new', async () => {
  const moment = situationOf('maw', 'talk');
  const { calls } = await scriptedThought(findRecipe('react', recipes, { layout: 'shared' }), moment, {});
  const [log, news, guide] = calls[0]!.request.messages[1]!.content.split('\n\n');
  expect(log!.split('\n')).toEqual([
    'What everybody at the table knows:',
    'Round 1 begins.',
    '[Village] Bob: «As a Villager I suspect Eve.»',
    'Eve is executed.',
    'Day 2 begins. The Village is open.',
    '[Village] Cid: «Eve said nothing before she died.»',
  ]);
  expect(news).toBe('New, and only you know it:\nBob is a Werewolf.\nNew of what everybody knows: the last 5 lines.');
  expect(guide).toContain('Your role: Seer.');
});
