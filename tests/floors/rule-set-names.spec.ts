import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { catalogue } from '@maw/games/catalogue.ts';
import { findRuleSetNames } from './rule-set-names.ts';
import { isTest, root, sourceFiles } from '../equipment/source/repository.ts';

/** `maw` and `aiwolf` are left out: they are the names of the product and of a service as well. */
const names = catalogue.map(({ name }) => name).filter((name) => !['maw', 'aiwolf'].includes(name));

/** Games are chosen from the catalogue of libs/games; these know none by its name. */
const isGameNeutral = /^(services|libs\/(async|bus|contracts|http|store|service|telemetry))\//;

describe('the services and the libraries below them', () => {
  it('name no rule set', () => {
    const files = sourceFiles().filter((path) => isGameNeutral.test(path) && !isTest(path));
    expect(names.length).toBeGreaterThan(1);
    expect(new Set(files.map((path) => path.split('/').slice(0, 2).join('/'))).size).toBeGreaterThanOrEqual(10);
    const found = files.flatMap((path) =>
      findRuleSetNames(path, readFileSync(join(root, path), 'utf8'), names).map((line) => `${path}: ${line}`),
    );
    expect(found).toEqual([]);
  });
});

describe('findRuleSetNames', () => {
  it.each([
    ["if (rules === 'avalon') f()", ['line 1: avalon']],
    ['const parts = { avalon: 1 }', ['line 1: avalon']],
    ["const parts = { 'avalon': 1 }", ['line 1: avalon']],
    ['const a = parts.avalon', ['line 1: avalon']],
    ['switch (x) {\ncase `avalon`: f() }', ['line 2: avalon']],
    ["import { avalon } from '@maw/games/avalon/avalon.ts'", []],
    ["const c = { data: 1, example: { rules: 'avalon' }, replyExample: { name: 'avalon' } }", []],
    ["// avalon\nconst a = 'avalon is one of them'", []],
  ])('searches %s', (code, lines) => expect(findRuleSetNames('a.ts', code, ['avalon', 'onuw'])).toEqual(lines));
});
