import { expect, it } from '@jest/globals';
import { framesOf } from './frames.ts';

it('counts the frames between the first and the last, and finds the longest', () => {
  expect(framesOf([100, 120, 140, 200])).toEqual({ perSecond: 30, longestMs: 60 });
});

it('does not judge a single frame', () => {
  expect(framesOf([100])).toEqual({ perSecond: Number.NaN, longestMs: Number.NaN });
});
