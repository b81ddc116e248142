import { expect, it } from '@jest/globals';
import { checkTable } from './check-table.ts';

const check = (minds: string[]) => () => checkTable({ rules: 'maw', minds, option: {} });

it('takes parameters of recipes, and refuses those that do not exist', () => {
  expect(check(['xu', 'xu:reflection=off;K=10', 'rules'])).not.toThrow();
  expect(check(['rules', 'xu:K=10;reflektion=off'])).toThrow(/^the recipe xu has no parameter reflektion; /);
  expect(check(['xux:K=10'])).toThrow(/^there is no recipe xux; there are /);
});
