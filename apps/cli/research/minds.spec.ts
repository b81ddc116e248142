import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { recipes } from '@maw/minds/recipes.ts';
import { temporaryFolder } from '@maw/tests/equipment/temporary-folder.ts';
import { runMaw } from '../command.suite.ts';

const cwd = temporaryFolder();
const maw = (...args: string[]) => runMaw(['minds', ...args], { cwd });
const own = 'name: mine\ndescription: My own.\nmodel: false\nsteps: [observe, random]\n';

describe('maw minds', () => {
  it('lists the recipes, a line each', async () => {
    const { code, out } = await maw('list');
    expect(code).toBe(0);
    expect(out.trimEnd().split('\n').map((row) => row.split(' ')[0])).toEqual(recipes.map(({ name }) => name)); // prettier-ignore
  });

  it('shows a recipe with the chosen values of its parameters and their sources', async () => {
    const { out } = await maw('show', 'react:temperature=0');
    expect(out).toMatch(/^ {2}reason and act +act$/m);
    expect(out).toMatch(/^ {2}temperature +0 +from 0 to 2 +1 .*\(document 004, .*\)$/m);
    expect((await maw('show', 'react:moon=1')).lines.join()).toContain('the recipe react has no parameter moon; it has temperature,');
  });

  it('shows a recipe of a file, or every mistake in it', async () => {
    await writeFile(join(cwd, 'mine.yaml'), own);
    expect((await maw('show', join(cwd, 'mine.yaml'))).out).toContain('mine: My own.\n\nIt asks no model.');
    await writeFile(join(cwd, 'bad.yaml'), own.replace('[observe, random]', '[obscure, rando]'));
    const { code, lines } = await maw('show', join(cwd, 'bad.yaml'));
    expect([code, lines.length]).toEqual([1, 2]);
    await writeFile(join(cwd, 'react.yaml'), own.replace('mine', 'react'));
    expect((await maw('show', join(cwd, 'react.yaml'))).lines.join()).toContain(
      'there is a recipe react already; give this one another name',
    );
  });
});
