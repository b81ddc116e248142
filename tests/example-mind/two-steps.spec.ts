import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { dayTwo, scripted, vote } from '@maw/minds/fixtures.suite.ts';
import { newMind } from '@maw/minds/mind.ts';
import { think } from '@maw/minds/think.ts';
import { loadRecipe } from '@maw/minds/recipe/load-recipe.ts';
import { stepKinds } from '@maw/minds/step-kinds.ts';
import { readCard } from '@maw/recipes/card.ts';
import { readRecipeFile } from '@maw/recipes/read-recipes.ts';
import { codeBlocksOf, readPage } from '../docs/code-blocks.ts';
import { root } from '../equipment/source/repository.ts';
import { temporaryFolder } from '../equipment/temporary-folder.ts';
import { suspectKind } from './suspect.ts';

const file = join(root, 'tests/example-mind/two-steps.yaml');
const twoSteps = readRecipeFile(file, (source) => loadRecipe(source, [...stepKinds, suspectKind]));

describe('the recipe that docs/minds.md shows', () => {
  it('passes its suspicion on to the decision', async () => {
    const { tools, asked } = scripted('Bob is lying.', '{"do":"vote","target":"Bob"}');
    const mind = await think(twoSteps, newMind, { ...dayTwo, recipe: twoSteps.name, questions: [vote] }, tools);
    expect(mind.answers).toEqual([{ question: vote.id, says: ['seat:1'] }]);
    expect(asked).toHaveLength(2);
    expect(twoSteps.calls).toBe(2);
    expect(asked[0]!.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(asked[1]!.messages.map(({ content }) => content).join('\n')).toContain('Bob is lying.');
  });

  it('has a card without the code of its step', () => {
    expect(readRecipeFile(file, readCard)).toMatchObject({ name: 'two-steps', description: twoSteps.description, usesModel: true });
  });
});

describe('the recipes of docs/minds.md, pasted into an empty folder', () => {
  const folder = temporaryFolder();
  beforeAll(() => {
    for (const { info, text } of codeBlocksOf(readPage('docs/minds.md')))
      if (/^[\w-]+\.\w+$/.test(info)) writeFileSync(join(folder, info), text);
  });

  /** Runs the command as a program of its own: Node loads the step, as for a user. Returns what it printed. */
  const maw = (...args: readonly string[]): Promise<string> =>
    new Promise((resolve) => {
      const options = { cwd: folder, env: { ...process.env, NODE_OPTIONS: '', OLLAMA_HOST: '127.0.0.1:9' } };
      const command = ['--no-warnings', join(root, 'apps/cli/main.ts'), ...args];
      execFile(process.execPath, command, options, (_, out, err) => resolve(out + err)).stdin?.end();
    });
  const shown = (): Promise<string> => maw('minds', 'show', './two-steps.yaml');

  it('plays a game with a step of its own, and one with holes and several questions', async () => {
    const minds = ['--minds', './two-steps.yaml,./doubt.yaml:N=1', '--model', 'sim', '--games', '1', '--data', 'd'];
    expect(await maw('simulate', '--rules', 'onuw', ...minds)).toMatch(/1 of 1 tables/);
    const [table = ''] = (await maw('tables', '--data', 'd')).split(' ');
    const steps = (await maw('thoughts', table, '--data', 'd', '--decision', 'all', '--json')).trimEnd().split('\n').map((line) => JSON.parse(line) as { readonly name: string; readonly content: { readonly error?: string; readonly recipe: string } }); // prettier-ignore
    const names = (recipe: string) => [...new Set(steps.filter(({ content }) => content.recipe === recipe).map(({ name }) => name))];
    expect(names('two-steps').toSorted()).toEqual(['decide', 'news', 'suspect']);
    expect(names('doubt')).toEqual(expect.arrayContaining(['ask about each', 'decide', 'news', 'suspects']));
    expect(steps.filter(({ content }) => content.error !== undefined)).toEqual([]);
  }, 600_000);

  it('changes its fingerprint with the code of its step, so that a contest does not go on with another', async () => {
    const contest = { name: 'own', agents: [{ name: 'a', recipe: './lucky.yaml' }, { name: 'b', recipe: 'random' }], games: [{ rules: 'onuw' }], schedule: { kind: 'sides', deals: 2 } }; // prettier-ignore
    writeFileSync(join(folder, 'own.json'), JSON.stringify(contest));
    writeFileSync(join(folder, 'lucky.yaml'), 'name: lucky\ndescription: d\nmodel: false\nsteps: [first]\n');
    writeFileSync(join(folder, 'first.ts'), FIRST);
    expect(await maw('contest', 'run', 'own.json', '--data', 'arena')).toMatch(/own finished: 4 of 4 tables/);
    writeFileSync(join(folder, 'first.ts'), FIRST.replace('slice(0, 1)', 'slice(-1)'));
    expect(await maw('contest', 'run', 'own.json', '--data', 'arena')).toMatch(
      /the agent a has changed .*the recipe lucky, or a prompt of it/,
    );
  }, 600_000);

  it.each([
    [
      'a file that is no TypeScript',
      () => 'export const x = {',
      /^maw: \.\/two-steps\.yaml:8: steps\.2: suspect\.ts cannot be loaded: .+\n$/,
    ],
    [
      'a package that is not there',
      () => "import 'not-there';",
      /steps\.2: suspect\.ts cannot be loaded: Cannot find package 'not-there' imported from .*suspect\.ts\n$/,
    ],
    ['what is thrown at once', () => 'throw null;', /steps\.2: suspect\.ts cannot be loaded: null\n$/],
    [
      'no step',
      () => 'export const suspect = () => 1;',
      /steps\.2: suspect\.ts exports no step suspect; make one with stepKind\({ step: 'suspect', \.\.\. }\)\n$/,
    ],
    [
      'another step',
      (code: string) => code.replace("step: 'suspect'", "step: 'doubt'"),
      /suspect\.ts exports no step suspect, but doubt; make one/,
    ],
    [
      'what has an enum',
      (code: string) => `${code}\nexport enum A { B }`,
      /suspect\.ts cannot be loaded: TypeScript enum is not supported in strip-only mode\n$/,
    ],
    [
      'a step that is not made',
      (code: string) => code.replace('create: () => ({', "create: () => Object.assign(JSON.parse('no'), {"),
      /^maw: \.\/two-steps\.yaml:8: steps\.2: Unexpected token.*\n$/,
    ],
  ])(
    'says in one line what is wrong with %s',
    async (_, change, says) => {
      const path = join(folder, 'suspect.ts');
      const code = readFileSync(path, 'utf8');
      writeFileSync(path, change(code));
      expect(await shown()).toMatch(says);
      writeFileSync(path, code);
      expect(await shown()).toMatch(/^two-steps: Asks itself who is lying before it decides\.\n/);
    },
    600_000,
  );

  it('names the file that is missing', async () => {
    rmSync(join(folder, 'suspect.ts'));
    expect(await shown()).toMatch(/steps\.2: there is no step suspect; there are observe, .*, and no suspect\.ts beside the recipe\n$/);
  }, 600_000);
});

const FIRST = `import { z } from 'zod';
import { stepKind } from '@maw/minds/recipe/step-kind.ts';
export default stepKind({
  step: 'first', description: 'd', parameters: z.strictObject({}),
  create: () => ({ kind: 'act', chain: 0, run: async (_: unknown, { questions }) => ({
    answers: questions.flatMap(({ id, verb, pick, options }) => (verb === 'choose' && pick === 1 ? [{ question: id, says: options.map(({ is }) => is).slice(0, 1) }] : [])),
  }) }),
});
`;
