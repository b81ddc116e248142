import { expect, it } from '@jest/globals';
import { createPaint } from '../transcript.ts';
import { newStanding, statusRows, updateStanding } from './status-line.ts';

it('the status says that the table is paused, and counts on with the time that was left', () => {
  const standing = newStanding();
  const happen = (at: number, event: { readonly type: string; readonly [field: string]: unknown }) =>
    updateStanding(standing, { n: 1, at, event }, 0);
  const rows = (now: number) => {
    const questions = { asked: [], brief: '', alive: [true, true], life: 'Awake' };
    return statusRows({ standing, questions, names: ['Ann', 'Bo'], seat: 0, isAway: false, now, paint: createPaint(false) }, 200);
  };
  const question = { id: 'round-1/day-1/vote', of: [0, 1], inTurn: false, turnMs: 0, until: 60_000 };
  happen(0, { type: 'asked', question });
  const before = rows(20_000)[0];
  happen(20_000, { type: 'paused', at: 20_000, until: 1e9 });
  expect(rows(500_000)).toEqual([before!.replace(' ', ' paused · '), expect.stringContaining('The table is paused')]);
  happen(500_000, { type: 'resumed', ms: 480_000, at: 500_000 });
  expect(rows(500_000)[0]).toBe(before);
});
