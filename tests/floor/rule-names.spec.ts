import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { catalogue } from '@maw/games/catalogue.ts';
import { ruleNames } from './rule-names.ts';
import { isTest, root, sources } from './tree.ts';

const names = catalogue.map(({ name }) => name);

/** Who knows no game by its name: games are chosen from the catalogue, which only libs/games has. */
const knowsNone = /^(services|libs\/(bus|contracts|store|service|telemetry))\//;

/** Where such a name means something else, and what. */
const exceptions: Readonly<Record<string, string>> = {
  'services/web/token.ts: maw': 'the product, for which a token is',
  'libs/store/postgres.ts: maw': 'the product, as which it connects',
  'libs/contracts/table.ts: maw': 'the summary that examples show',
  'services/player/double.ts: maw': 'what a double of a mind is told, in tests',
};

describe('the services and what they stand on', () => {
  const files = sources().filter((path) => knowsNone.test(path) && !isTest(path));
  const found = files.flatMap((path) =>
    ruleNames(path, readFileSync(join(root, path), 'utf8'), names).map((line) => `${path}: ${line.replace(/^line \d+: /, '')}`),
  );

  it('are looked at', () => {
    expect(names.length).toBeGreaterThan(1);
    expect(files.length).toBeGreaterThan(50);
    expect(new Set(files.map((path) => path.split('/').slice(0, 2).join('/'))).size).toBeGreaterThanOrEqual(10);
  });

  it('name no rule set', () => {
    expect(found.filter((each) => !Object.hasOwn(exceptions, each))).toEqual([]);
  });

  it('mean something else by such a word only where it is said what', () => {
    expect(Object.keys(exceptions).filter((each) => !found.includes(each))).toEqual([]);
  });
});

describe('the name of a rule set', () => {
  it.each([
    ["if (rules === 'avalon') f()", ['line 1: avalon']],
    ['const parts = { avalon: 1 }', ['line 1: avalon']],
    ["const parts = { 'avalon': 1 }", ['line 1: avalon']],
    ['const a = parts.avalon', ['line 1: avalon']],
    ['switch (x) {\ncase `avalon`: f() }', ['line 2: avalon']],
    ["import { avalon } from '@maw/games/avalon/avalon.ts'", []],
    ["const c = { data: 1, example: { rules: 'avalon' }, replyExample: { name: 'avalon' } }", []],
    ["// avalon\nconst a = 'avalon is one of them'", []],
  ])('is found in %s', (code, lines) => expect(ruleNames('a.ts', code, ['avalon', 'onuw'])).toEqual(lines));
});
