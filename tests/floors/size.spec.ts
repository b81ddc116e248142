import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { isTest, root, sourceFiles } from '../equipment/source/repository.ts';

const PAGE = 'docs/decisions/0025-the-size-of-the-product.md';
/** What the sum may reach. */
const MAX_SUM = 105_750;

/** The budget of each package, as decision 0025 has it. */
const budgets = new Map(
  [...readFileSync(join(root, PAGE), 'utf8').matchAll(/^\| `([a-z/-]+)` *\| *([\d,]+) *\|/gm)].map(
    ([, name, lines]) => [name!, Number(lines!.replaceAll(',', ''))] as const,
  ),
);

const linesOf = new Map<string, number>();
for (const path of sourceFiles().filter((each) => /^(libs|services|apps)\//.test(each) && !isTest(each))) {
  const name = path.split('/').slice(0, 2).join('/');
  linesOf.set(name, (linesOf.get(name) ?? 0) + readFileSync(join(root, path), 'utf8').split('\n').length - 1);
}

describe('the size of the product', () => {
  it('has a budget for every package, and for no other', () => {
    expect([...budgets.keys()].toSorted()).toEqual([...linesOf.keys()].toSorted());
  });

  it.each([...linesOf])('%s stays within its budget', (name, lines) => {
    expect(lines).toBeLessThanOrEqual(budgets.get(name)!);
  });

  it('stays within the sum that decision 0025 allows', () => {
    expect([...budgets.values()].reduce((sum, lines) => sum + lines, 0)).toBeLessThanOrEqual(MAX_SUM);
  });
});
