import { describe, expect, it } from '@jest/globals';
import { type PlayOptions, withOpponents } from './play-options.ts';

const withoutPerson: PlayOptions = { rules: 'maw', rounds: 1, minds: [], option: {}, json: false, data: '.maw' };
const options: PlayOptions = { ...withoutPerson, human: 'Ann' };
const why = 'no server answers';

describe('withOpponents', () => {
  it('gives people minds without a model where no model answers', () => {
    expect(withOpponents(options, { why }).minds).toEqual(['rules']);
  });

  it.each([
    ['a model plays, or the simulator on request', options, {}],
    ['minds are chosen', { ...options, minds: ['react'] }, { why }],
    ['nobody plays', withoutPerson, { why }],
  ])('changes nothing where %s', (_, given, models) => expect(withOpponents(given, models)).toBe(given));
});
