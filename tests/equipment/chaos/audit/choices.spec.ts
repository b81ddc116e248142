import { describe, expect, it } from '@jest/globals';
import { choicesOf, givenBackIn, lossOf, silenceIn } from './choices.ts';
import { lossesGivenBack, noneMissedWithoutPlayers } from './time-audits.ts';
import { answered, asked, delayed, event, opened, passed, settled } from './tapes.suite.ts';

const seat = (n: number, isMissed: boolean) => expect.objectContaining({ seat: n, isMissed });

describe('choicesOf', () => {
  it('counts minds that were silent when the time of their vote ran out', () => {
    const tape = [opened(3), asked(0, 'vote', { of: [0, 1, 2], until: 100 }), answered(50, 'vote', 1), settled(100, 'vote')];
    expect(choicesOf(tape)).toEqual([0, 1, 2].map((n) => ({ question: 'vote', seat: n, from: 0, to: 100, isMissed: n !== 1 })));
  });

  it('does not count seats whose vote a majority settled early', () => {
    const vote = asked(0, 'vote', { of: [0, 1, 2], until: 100, final: false });
    const tape = [opened(3), vote, answered(50, 'vote', 0), answered(60, 'vote', 1), settled(60, 'vote')];
    expect(choicesOf(tape)).toEqual([seat(0, false), seat(1, false)]);
  });

  it('moves the deadline by the time given back', () => {
    const tape = [opened(2), asked(0, 'vote', { of: [0, 1], until: 100 }), delayed(90, 50), answered(110, 'vote', 0), settled(110, 'vote')];
    expect(choicesOf(tape)).toEqual([seat(0, false)]);
  });

  it('does not count seats whose vote an answer settled after its nominal end', () => {
    const tape = [opened(2), asked(0, 'vote', { of: [0, 1], until: 100, final: false }), answered(110, 'vote', 0), settled(110, 'vote')];
    expect(choicesOf(tape)).toEqual([seat(0, false)]);
  });

  it('counts each turn from its own beginning', () => {
    const talk = asked(0, 'talk', { of: [0, 1], until: 100, inTurn: true, verb: 'say' });
    expect(choicesOf([opened(2), talk, answered(40, 'talk', 0), passed(140, 'talk', 1), settled(140, 'talk')])).toEqual([
      { question: 'talk', seat: 0, from: 0, to: 40, isMissed: false },
      { question: 'talk', seat: 1, from: 40, to: 140, isMissed: true },
    ]);
  });

  it('leaves out people, free talk and questions that were withdrawn', () => {
    const questions = [asked(0, 'vote', { of: [0, 1], until: 9 }), asked(0, 'chat', { of: [0, 1], until: 9, verb: 'say', final: false })];
    const tape = [opened(2, 0), ...questions, asked(0, 'gone', { of: [1], until: 9 }), event(5, { type: 'withdrawn', question: 'gone' })];
    expect(choicesOf([...tape, settled(9, 'vote'), settled(9, 'chat')])).toEqual([seat(1, true)]);
    const handed = event(1, { type: 'handed', seat: 0, to: 'mind' });
    expect(choicesOf([...tape, handed, settled(9, 'vote')])).toEqual([seat(0, true), seat(1, true)]);
  });
});

describe('time lost and given back', () => {
  const tape = [opened(2), asked(10, 'vote', { of: [0, 1], until: 9_000 }), answered(1_000, 'vote', 0), answered(9_000, 'vote', 1)];

  it('is silence on all tapes', () => {
    const other = [answered(2_000, 'x', 0), delayed(3_000, 5)];
    expect(silenceIn([tape, other], { from: 500, to: 4_000 }, 15_000)).toEqual({ from: 2_000, to: 9_000 });
    expect(silenceIn([tape, other], { from: 500, to: 900 }, 15_000)).toEqual({ from: 1_000, to: 2_000 });
    expect(silenceIn([tape, other], { from: 9_500, to: 9_600 }, 15_000)).toEqual({ from: 9_500, to: 24_600 });
  });

  it('is lost to a table only while a question is open', () => {
    expect(lossOf(tape, { from: 2_000, to: 8_000 })).toMatchObject({ from: 2_000, to: 8_000 });
    expect(lossOf([...tape, settled(9_000, 'vote')], { from: 9_500, to: 20_000 })).toBeUndefined();
  });

  it('is owed for questions and turns that end by their time', () => {
    const isOwed = (...events: typeof tape) => lossOf(events, { from: 2_000, to: 8_000 })?.isOwed;
    expect(isOwed(...tape.slice(0, 3), settled(9_000, 'vote'))).toBe(true);
    expect(isOwed(...tape, settled(9_000, 'vote'))).toBe(false); // by an answer
    expect(isOwed(...tape.slice(0, 3), settled(8_500, 'vote'))).toBe(false);
    expect(isOwed(...tape, delayed(9_000, 4_000), settled(9_000, 'vote'))).toBe(false);
    const talk = asked(10, 'talk', { of: [0, 1], until: 9_000, turnMs: 8_990, inTurn: true, verb: 'say' });
    expect(isOwed(talk, answered(8_500, 'talk', 0), passed(17_490, 'talk', 1))).toBe(false);
    expect(isOwed(talk, passed(9_000, 'talk', 0), answered(9_500, 'talk', 1))).toBe(true);
    expect(isOwed(talk)).toBe(true);
  });

  it('is summed within its span', () => {
    expect(givenBackIn([delayed(1, 10), delayed(5, 20), delayed(9, 40)], { from: 1, to: 5 })).toBe(20);
  });
});

describe('the audits of time', () => {
  const lost = { from: 1_000, to: 11_000 };
  const vote = [opened(1), asked(500, 'vote', { of: [0], until: 15_500 })];
  const named = (...tape: typeof vote) => [{ table: 't', tape: [...vote, ...tape] }];

  it.each([
    ['nothing is given back', [], 1],
    ['a part is given back', [delayed(11_200, 7_000)], 1],
    ['another outage was given back before', [event(900, { type: 'delayed', ms: 9_000 })], 1],
    ['all but the tolerance is given back', [delayed(11_200, 8_000)], 0],
  ])('judge a tape where %s', (_, tape, findings) => {
    expect(lossesGivenBack(named(...tape), [lost])).toHaveLength(findings);
  });

  it('find a choice decided by silence while no player was there, and none before or after', () => {
    expect(noneMissedWithoutPlayers(named(settled(15_500, 'vote')), [{ from: 8_000, to: 16_000 }])).toHaveLength(1);
    expect(noneMissedWithoutPlayers(named(settled(15_500, 'vote')), [lost, { from: 16_000, to: 20_000 }])).toEqual([]);
  });
});
