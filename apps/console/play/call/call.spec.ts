import { describe, expect, it } from '@jest/globals';
import type { Asking } from '../../api/shapes.ts';
import { callOf, outcryOf } from './call.ts';

const asking = (id: string, rest: Partial<Asking> = {}): Asking =>
  ({ id, verb: 'choose', until: 1_000, final: false, options: [], pick: 1, maxChars: 0, ...rest }) as Asking;
const NONE: ReadonlySet<string> = new Set();
const vote = asking('round-1/day-1/vote');
const hunt = asking('round-1/night-1/hunt', { secret: true });
const talk = asking('round-1/day-1/talk', { verb: 'say' });
const turn = asking('round-1/day-1/turn-1', { verb: 'say', final: true, until: 500 });
const day = { kind: 'day', round: 1, number: 1 } as const;
const night = { kind: 'night', round: 1, number: 1 } as const;

describe('a call', () => {
  it('is what ends first of what is asked and not answered; free talk calls nobody', () => {
    expect(callOf([vote, talk, turn], NONE)).toEqual({ text: 'Your turn to speak', until: 500 });
    expect(callOf([vote, talk], NONE)).toEqual({ text: 'Vote for whom to execute', until: 1_000 });
    expect(callOf([vote, talk], new Set([vote.id]))).toBeUndefined();
  });

  it('says of a secret question only that something is asked', () => {
    expect(callOf([hunt], NONE)!.text).toBe('You are asked');
  });

  it('is the same aloud by night for who is asked in secret and who sleeps', () => {
    expect(outcryOf([hunt], NONE, night)).toEqual(outcryOf([], NONE, night));
    expect(outcryOf([], NONE, night)).toBeDefined();
  });

  it('is not aloud by day for a secret question, such as that of a Seer', () => {
    const ask = asking('round-1/day-1/inspect', { secret: true, until: 1 });
    expect(outcryOf([ask], NONE, day)).toBeUndefined();
    expect(outcryOf([ask, vote], NONE, day)).toEqual(outcryOf([vote], NONE, day));
  });

  it('is another one for another vote', () => {
    expect(outcryOf([vote], NONE, day)!.key).not.toBe(outcryOf([{ ...vote, until: 2_000 }], NONE, day)!.key);
  });
});
