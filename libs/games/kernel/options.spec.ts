import { describe, expect, it } from '@jest/globals';
import { maw } from '../maw/maw.ts';
import { counts, duration, optionsAtOpening, readOptions, toggle, usualForPeople } from './options.ts';
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

describe('the options of a table that opens', () => {
  const timed = {
    nightMs: duration('Night', 60_000, 'a night', { opens: { least: 30_000, most: 45_500 } }),
    wholeMs: duration('All', 0, 'all', { least: 0, opens: { least: 1_000, most: 2_000, unless: 'nightMs' } }),
    full: toggle('Full', false, 'in full', true),
    dayMs: duration('Day', 1_000, 'a day', { people: 2_000 }),
    stepMs: duration('Step', 30_000, 'a step', { opens: { least: 12_000, most: 12_000 } }),
  };
  const asked: (readonly [number, number])[] = [];
  const highest = (least: number, most: number): number => (asked.push([least, most]), most);

  it('are drawn at the pace of people, in whole seconds within the range', () => {
    asked.length = 0;
    const opened = optionsAtOpening(timed, { pace: 'people' }, highest);
    expect(opened).toEqual({ pace: 'people', nightMs: 45_000, wholeMs: 2_000, full: true, stepMs: 12_000 });
    expect(asked).toEqual([
      [30, 45],
      [1, 2],
      [12, 12],
    ]);
    expect(optionsAtOpening(timed, { pace: 'people' })).toMatchObject({ nightMs: 30_000, wholeMs: 1_000 });
  });

  it('stay as they are given, and at the pace of machines', () => {
    const given = { pace: 'people', nightMs: 100_000, full: false, stepMs: 5 };
    expect(optionsAtOpening(timed, given, highest)).toEqual(given);
    for (const pace of ['machines', undefined, 'slow']) expect(optionsAtOpening(timed, { pace }, highest)).toEqual({ pace });
  });

  it('leave those of a tape from before there was one as they were', () => {
    const kept = readOptions({ ...timed, ...maw.options }, { pace: 'people', dayMs: 5_000 });
    expect(kept).toMatchObject({ wholeMs: 0, full: false, fullNights: false, nightMs: 120_000 });
  });

  it('are told as a range', () => {
    const told = Object.keys(timed).map((name) => usualForPeople(timed, name));
    expect(told).toEqual(['30000 to 45500', '1000 to 2000', 'true', '2000', '12000']);
    expect(usualForPeople(timed, 'wholeMs', { nightMs: 5 })).toBeUndefined();
  });
});
