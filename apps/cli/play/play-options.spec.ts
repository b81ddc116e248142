import { describe, expect, it } from '@jest/globals';
import { type PlayOptions, withOpponents } from './play-options.ts';

const options: PlayOptions = { rules: 'maw', rounds: 1, minds: [], option: {}, json: false, data: '.maw', human: 'Ann' };
const { human: _, ...withoutPerson } = options;
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
