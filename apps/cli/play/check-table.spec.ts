import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { runMaw } from '../command.suite.ts';
import { checkTable } from './play.ts';

const check = (minds: string[]) => () => checkTable({ rules: 'maw', minds, option: {} });

it('takes parameters of recipes, and refuses those that do not exist', () => {
  expect(check(['xu', 'xu:reflection=off;K=10', 'rules'])).not.toThrow();
  expect(check(['rules', 'xu:K=10;reflektion=off'])).toThrow(/^the recipe xu has no parameter reflektion; /);
  expect(check(['xux:K=10'])).toThrow(/^there is no recipe xux; there are /);
});

it('refuses a wrong table before anything is started or written', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'maw-check-'));
  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [['--rules', 'chess'], /^maw: there are no rules chess; there are maw, /],
    [['--option', 'sheep=3'], /^maw: there is no option sheep; there are dayMs, /],
    [['--option', 'maxDays=x'], /^maw: maxDays: "x" is not a whole number/],
    [['--players', '2'], /^maw: players: maw is played by 3 to 20, not 2/],
    [['--human', 'Ann', '--people', '9'], /^maw: --people 9: the table has 6 seats/],
    [['--minds', 'rules,chess'], /^maw: there is no recipe chess; there are /],
    [['--minds', ','], /expected names with commas between them, such as rules,random\./],
  ];
  for (const [args, error] of wrong)
    expect(await runMaw(['play', '--model', 'sim', ...args], { cwd })).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(error),
    });
  const demo = await runMaw(['demo', '--rules', 'chess', '--at', 'http://127.0.0.1:1'], { cwd });
  expect([demo.code, demo.err]).toEqual([1, expect.stringContaining('there are no rules chess')]);
  expect(await readdir(cwd)).toEqual([]);
  await rm(cwd, { recursive: true });
});

it('says what an address looks like that is none', async () => {
  const { code, err } = await runMaw(['tables', '--at', 'nowhere'], { cwd: tmpdir() });
  expect([code, err]).toEqual([1, 'maw: nowhere is no address: write http://host:port\n']);
});
