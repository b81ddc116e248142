import { describe, expect, it } from '@jest/globals';
import { maw } from '../maw/maw.ts';
import { counts, readOptions } from './options.ts';
import { Refusal } from './refusal.ts';

const table = { roles: counts('Roles', ['seer', 'werewolf'], 18, 'the roles') };
const read = (roles: unknown) => readOptions(table, { roles }).roles;
const why = (roles: unknown): string => {
  try {
    read(roles);
  } catch (error) {
    if (error instanceof Refusal) return error.detail;
    throw error;
  }
  return 'nothing';
};

describe('an option that counts', () => {
  it('is read from an object and from a text', () => {
    expect(read({ seer: 1, werewolf: 2 })).toEqual({ seer: 1, werewolf: 2 });
    expect(read('seer=1, werewolf=2')).toEqual({ seer: 1, werewolf: 2 });
    expect(read('seer=0')).toEqual({ seer: 0 });
  });

  it('is empty when nothing is said', () => {
    expect(readOptions(table, {}).roles).toEqual({});
    expect(read('')).toEqual({});
  });

  it.each([[{ witch: 1 }], ['seer'], ['seer=-1'], ['seer=1.5'], [{ seer: 19 }], ['seer=1,seer=2'], [[1]], [null], [3], [{ seer: '' }]])(
    'is refused when it is %j',
    (given) => {
      expect(why(given)).toBe(`roles: ${JSON.stringify(given)} is not numbers from 0 to 18 such as seer=1, of seer, werewolf`);
    },
  );
});

it('names every unknown and wrong option at once, and reads values given as text', () => {
  const { options } = maw;
  expect(() => readOptions(options, { nope: 1, dayMs: 1, votes: 'loud' })).toThrow(/nope.*dayMs.*votes/s);
  expect(readOptions(options, { dayMs: '5000', seer: 'true' })).toMatchObject({ dayMs: 5000, seer: true });
});
