import { expect, it } from '@jest/globals';
import { actsByDecision, decisionOf, traceLink, truthsOf } from './links.ts';

const seen = (n: number, event: { type: string; [field: string]: unknown }, cause?: object) => ({ n, at: n, event, text: `${n}`, ...(cause && { cause }) });

it('lists the events that a decision led to, and finds the decision of an event', () => {
  const events = [
    seen(1, { type: 'asked' }, { id: 'm0' }),
    seen(2, { type: 'answered' }, { id: 'm1', decision: 'd1', trace: 'abc' }),
    seen(3, { type: 'settled' }, { id: 'm1', decision: 'd1', trace: 'abc' }),
    seen(4, { type: 'answered' }),
  ];
  expect([...actsByDecision(events)].map(([decision, acts]) => [decision, acts.map(({ n, trace }) => [n, trace])])).toEqual([
    ['d1', [[2, 'abc'], [3, 'abc']]],
  ]); // prettier-ignore
  expect(events.map(decisionOf)).toEqual([undefined, 'd1', 'd1', undefined]);
});

it('has the roles of a round at its end, before that as dealt, and none that are hidden', () => {
  const dealt = (...roles: string[]) => seen(0, { type: 'dealt', roles });
  const began = (round: number) => seen(0, { type: 'began', round });
  const scored = seen(0, { type: 'scored', round: 1, outcome: { roles: ['villager', 'wolf'] } });
  expect(truthsOf([began(1), dealt('wolf', 'villager'), scored, began(2), dealt('seer', 'wolf')])).toEqual(
    new Map([
      [1, ['villager', 'wolf']],
      [2, ['seer', 'wolf']],
    ]),
  );
  expect(truthsOf([began(1), dealt('wolf', 'hidden')]).size).toBe(0);
});

it('makes the address of a trace from a template, but no script', () => {
  expect(traceLink('https://traces.example/trace/{trace}', 'a b')).toBe('https://traces.example/trace/a%20b');
  expect(traceLink('https://traces.example/', 'ab')).toBeUndefined();
  expect(traceLink('javascript:alert({trace})', 'ab')).toBeUndefined();
  expect(traceLink('', 'ab')).toBeUndefined();
});
