import { describe, expect, it } from '@jest/globals';
import { effortOf, gistOf, lastPrompt, reasonOf, stepView, timelineOf } from './step-view.ts';

const thought = (step: number, name: string, content: object, kind = 'act') => ({ step, kind, name, at: step, content: { ...content } });
const call = (...contents: string[]) => ({ messages: contents.map((content) => ({ role: 'user', content })) });
const reply = (prompt: number, completion: number) => ({ content: '{}', model: 'm', tokens: { prompt, completion } });

describe('stepView', () => {
  it('names what a step retrieved, concluded and believed, and leaves out what is empty', () => {
    const { parts, outcome, answers, iteration } = stepView(
      thought(1, 'decide', {
        recalled: ['Ann is a seer'],
        reflections: [],
        plan: 'wait',
        notes: '',
        outcome: 'repaired',
        answers: [{ question: 'round-1/day-1/vote', says: ['seat:1'] }],
        iteration: 0,
        ms: 5,
        calls: [],
      }),
    );
    expect(parts).toEqual([
      { kind: 'retrieved', field: 'recalled', value: ['Ann is a seer'] },
      { kind: 'tactic', field: 'plan', value: 'wait' },
    ]);
    expect({ outcome, answers, iteration }).toEqual({
      outcome: 'repaired',
      answers: [{ question: 'round-1/day-1/vote', says: ['seat:1'] }],
      iteration: 1,
    });
  });

  it('takes answers that are no acts, and notes of a step, for what the step is about', () => {
    expect(stepView(thought(1, 'answers', { answers: ['Who lies? Bo.'] }, 'reflect'))).toMatchObject({
      answers: [],
      parts: [{ kind: 'reflections', field: 'answers' }],
    });
  });

  it('reads steps of any form', () => {
    const odd = stepView(thought(1, 'x', { calls: 'none', ms: 'long', answers: 3, skipped: null }));
    expect(odd).toMatchObject({ calls: [], ms: undefined, skipped: [], parts: [{ field: 'answers', value: 3 }] });
  });
});

describe('what a decision says in a list', () => {
  const answer = (content: string) => ({ ...call('prompt'), reply: { ...reply(3, 4), content } });
  const reasonIn = (...contents: string[]) => reasonOf([stepView(thought(1, 'decide', { calls: contents.map(answer) }))]);

  it('has the reason of the last reply, also of one that is cut or no JSON', () => {
    expect(reasonIn('{"reason": "old"}', '{"reason":"Bo said \\"no\\",\\nand \\\\ lied","vote":"Bo"}')).toBe('Bo said "no", and \\ lied');
    expect(reasonIn('{"reasoning" : "Bo \\x lies", "bid": "4')).toBe('Bo \\x lies');
    for (const none of ['{"vote":"Bo"}', '', 'reason: none', '{"reason":""}', '{"reason": 3}']) expect(reasonIn(none)).toBeUndefined();
  });

  it('has the reason in the notes before that of a reply, and what the decision did and cost', () => {
    const answers = [{ question: 'round-1/day-1/vote', says: ['seat:1'] }];
    const steps = [
      thought(1, 'ask', { calls: [answer('{"reason":"said"}')] }),
      thought(2, 'decide', { reason: 'noted', outcome: 'valid', answers }),
    ].map(stepView);
    expect(gistOf(steps)).toMatchObject({ answers, reason: 'noted', outcome: 'valid', calls: 1, promptTokens: 3, replyTokens: 4 });
  });
});

describe('lastPrompt', () => {
  const steps = [
    thought(1, 'ask', { calls: [call('1')] }),
    thought(2, 'decide', { calls: [call('2'), call('2', '{}', 'wrong')] }),
    thought(3, 'decide', { calls: [call('3')] }),
  ].map(stepView);

  it('is that of the same step in an earlier thought, else in the decision before', () => {
    expect(lastPrompt(steps[2]!, 0, steps)).toEqual(['user:', '2']);
    expect(lastPrompt(steps[0]!, 0, steps)).toBeUndefined();
    expect(lastPrompt(steps[0]!, 0, steps, [stepView(thought(9, 'ask', { calls: [call('0')] }))])).toEqual(['user:', '0']);
  });

  it('is the prompt itself for a repair', () => {
    expect(lastPrompt(steps[1]!, 1, steps)).toEqual(['user:', '2']);
  });
});

it('sums calls, tokens and times, and has the outcome of the last act', () => {
  const steps = [
    thought(1, 'ask', {
      calls: [
        { ...call('1'), ms: 10, reply: reply(100, 5) },
        { ...call('2'), ms: 20, failed: 'late' },
      ],
    }),
    thought(2, 'decide', { calls: [{ ...call('3'), reply: reply(50, 7) }], outcome: 'valid' }),
    thought(3, 'remember', {}),
  ].map(stepView);
  expect(effortOf(steps)).toEqual({ calls: 3, failed: 1, promptTokens: 150, replyTokens: 12, modelMs: 30, outcome: 'valid' });
});

it('lays steps and calls out from the beginning of the decision, without those that took no time', () => {
  const calls = [
    { ...call('1'), model: 'm', at: 1_010, ms: 20 },
    { ...call('2'), at: 1_015, ms: 30, failed: 'late' },
  ];
  const steps = [{ step: 1, kind: 'act', name: 'decide', at: 1_050, content: { ms: 50, calls } }, thought(1_060, 'remember', { ms: 0 })];
  expect(timelineOf(steps.map(stepView))).toEqual({
    ms: 60,
    bars: [
      { step: 1, name: 'decide', kind: 'step', from: 0, ms: 50 },
      { step: 1, name: 'm', kind: 'call', from: 10, ms: 20 },
      { step: 1, name: 'decide', kind: 'failed', from: 15, ms: 30 },
    ],
  });
});
