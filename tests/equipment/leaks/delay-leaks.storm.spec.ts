import { describe, expect, it } from '@jest/globals';
import { delaysFor } from '@maw/gamemaster/timing/time-given-back.ts';
import { compareDelays } from './delay-leaks.ts';
import { PAIRS } from './world-pairs.ts';

const NUMBERS = [0, 1, 2, 3, 4, 5];

/** The planted fault: time is given back only while somebody who is asked in secret has not answered. */
const tellingWhoIsAsked: typeof delaysFor = (state, ...about) =>
  state.standing.open.some(({ among, answers }) => among !== 'table' && !answers.length) ? delaysFor(state, ...about) : [];

describe.each(Object.entries(PAIRS))('the time given back in %s', (_, pairOf) => {
  const compared = (delays: typeof delaysFor) => NUMBERS.map((n) => compareDelays(pairOf(n), `pair ${n}`, delays));

  it('is the same in worlds that an eye cannot tell apart', () => {
    const all = compared(delaysFor);
    expect(all.flatMap(({ difference }) => difference ?? [])).toEqual([]);
    expect(all.reduce((sum, { delays }) => sum + delays, 0)).toBeGreaterThan(20); // otherwise it proves nothing
  });

  it('differs when it depends on who is asked', () => {
    expect(compared(tellingWhoIsAsked).some(({ difference }) => difference !== undefined)).toBe(true);
  });
});
