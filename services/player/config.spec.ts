import { expect, it } from '@jest/globals';
import { config, optionsOf } from './config.ts';
import { defaultOptions } from './defaults.ts';

const needed = { DATABASE_URL: 'postgres://localhost/maw' };

it('is configured by its environment, with defaults elsewhere', () => {
  expect(optionsOf(config(needed))).toEqual(defaultOptions);
  expect(optionsOf(config({ ...needed, MAX_WAIT_S: '2.5', DEFAULT_RECIPE: 'rules' }))).toMatchObject({
    maxWaitMs: 2500,
    defaultRecipe: 'rules',
  });
});

it('reports all mistakes at once', () => {
  expect(() => config({ PLAYER_CONCURRENCY: '0', SHORT_SHARE: '2' })).toThrow(/PLAYER_CONCURRENCY[^]*SHORT_SHARE|DATABASE_URL/);
});
