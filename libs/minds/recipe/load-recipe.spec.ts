import { describe, expect, it } from '@jest/globals';
import { afterTalk, dayTwo, scripted, talk, vote } from '../fixtures.suite.ts';
import { stepKinds } from '../step-kinds.ts';
import { think } from '../think.ts';
import { loadRecipe } from './load-recipe.ts';

const HEAD = `name: own
description: A recipe of a test.
parameters:
  K: { type: integer, default: 15, program: 20, minimum: 1, maximum: 50, description: Lines }
  reflection: { type: boolean, default: true, description: Whether it reflects }
  whom: { type: choice, choices: [all, mates], default: all, description: Whom it looks at }
`;
const STEPS = `steps:
  - observe
  - step: ask
    name: reflect
    when: { reflection: true, decision: [talk, vote] }
    with:
      prompt: reflect.md
      temperature: 0
      maxTokens: 100
      reply: { thought: { type: text }, insight: { type: text } }
      into: reflections
  - step: act
    name: decide
    with: { temperature: 0, maxTokens: $K }
`;
const files: { readonly [path: string]: string } = {
  'reflect.md': '# system\n{{preamble}}\n# user\nYou are {{name}}. Last {{parameter.K}} lines:\n{{log}}\nWhat do you make of it?',
};
const load = (text: string, more: { readonly [path: string]: string } = {}) =>
  loadRecipe(
    {
      path: 'own.yaml',
      text,
      read(path) {
        const found = { ...files, ...more }[path];
        if (found === undefined) throw new Error(`there is no file ${path}`);
        return found;
      },
    },
    stepKinds,
  );
const mistakesOf = (text: string, more = {}): string => {
  try {
    load(text, more);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};
const called = async (recipe: ReturnType<typeof load>, moment: object = {}) => {
  const model = scripted('{"thought":"hm","insight":"Bob [lies]"}', '{"do":"vote","target":"Bob"}');
  await think(recipe, afterTalk, { ...dayTwo, questions: [vote, talk], ...moment }, model.tools);
  return model;
};

describe('loadRecipe', () => {
  it('makes steps with prompts, parameters and results from a file', async () => {
    const { asked, thoughts } = await called(load(HEAD + STEPS));
    expect(asked.map(({ maxTokens }) => maxTokens)).toEqual([100, 15]);
    expect(asked[0]!.messages[1]!.content).toBe('You are Ann. Last 15 lines:\nWhat do you make of it?');
    expect(Object.keys(asked[0]!.format!['properties'] as object)).toEqual(['thought', 'insight']);
    expect(asked[1]!.messages.at(-1)!.content).toContain('Your thoughts:\nBob (lies)\n');
    expect(thoughts.at(-1)!.content).toMatchObject({
      recipe: 'own',
      parameters: { source: 'paper', K: 15, reflection: true, whom: 'all' },
    });
  });

  it('takes parameters as people write them, and those of the program together', () => {
    const recipe = load(HEAD + STEPS);
    expect(recipe.configure!({ K: '7', reflection: 'off' }).values).toEqual({
      source: 'paper',
      K: 7,
      reflection: false,
      whom: 'all',
      layout: 'shared',
      thinking: 'recipe',
      topP: 1,
      context: 0,
    });
    expect(recipe.configure!({ source: 'program' }).values).toMatchObject({ K: 20 });
    expect(recipe.configure!({ source: 'program', K: 3 }).values).toMatchObject({ K: 3 });
    expect(() => recipe.configure!({ K: 0, whom: 'me', Q: 1 })).toThrow(
      'the parameter K of own cannot be 0: it is from 1 to 50; the parameter whom of own cannot be me: it is one of all, mates; ' +
        'the recipe own has no parameter Q; it has source, K, reflection, whom, layout, thinking, topP, context',
    );
  });

  it('leaves out a step that a parameter or the kind of decision excludes', async () => {
    const recipe = load(HEAD + STEPS);
    expect((await called(recipe.configure!({ reflection: false }))).thoughts.map(({ name }) => name)).toEqual(['decide']);
    const secret = { ...vote, secret: true as const, final: true };
    expect((await called(recipe, { questions: [secret] })).thoughts.map(({ name }) => name)).toEqual(['decide']);
  });

  it('reports every mistake at once, with file and line', () => {
    const text = `${HEAD}steps:
  - dream
  - step: act
    when: { whom: [you], moon: full }
    with: { temperature: 9, maxTokens: $N }
  - step: ask
    with: { prompt: gone.md, temperature: 0, maxTokens: 9, into: heart }
`;
    expect(mistakesOf(text).split('\n')).toEqual([
      expect.stringMatching(/^own\.yaml:8: steps\.0: there is no step dream; there are observe, /),
      'own.yaml:10: steps.1.when.whom: it can never be you: it is one of all, mates',
      'own.yaml:10: steps.1.when.moon: there is no parameter moon; there are decision, source, K, reflection, whom, layout, thinking, topP, context',
      'own.yaml:9: steps.1: the recipe has no parameter N; it has source, K, reflection, whom, layout, thinking, topP, context',
      'own.yaml:13: steps.2.with.into: it is recalled, reflections, beliefs, plan or note.NAME',
    ]);
    expect(mistakesOf('name: Own\nsteps: []\ncolour: red\n').split('\n')).toHaveLength(4);
    expect(mistakesOf('name: [')).toMatch(/^own\.yaml:1: it is not YAML: /);
  });

  it('refuses prompts with holes that nothing fills, in files that any switch selects', () => {
    const chosen = HEAD + STEPS.replace('prompt: reflect.md', 'prompt: ${whom}.md');
    const prompts = { 'all.md': files['reflect.md']!, 'mates.md': '# user\n{{nmae}} {{parameter.L}} {{text.goal}} {{note.x}}' };
    expect(mistakesOf(chosen, prompts).split('\n')).toEqual([
      expect.stringMatching(/^mates\.md: nothing fills {{nmae}}: there are preamble, rules, /),
      'mates.md: nothing fills {{parameter.L}}: the recipe has no parameter L',
      'mates.md: nothing fills {{text.goal}}: the texts of the recipe have no goal',
    ]);
  });
});
