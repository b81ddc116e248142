import { expect, it } from '@jest/globals';
import { actsByDecision, traceLink, truthsOf } from './links.ts';

const seen = (n: number, event: { type: string; [field: string]: unknown }, cause?: { id: string; decision?: string }) => ({
  n,
  at: n,
  event,
  ...(cause && { cause }),
});

it('lists the events that a decision led to', () => {
  const events = [
    seen(1, { type: 'asked' }, { id: 'm0' }),
    seen(2, { type: 'answered' }, { id: 'm1', decision: 'd1' }),
    seen(3, { type: 'settled' }, { id: 'm1', decision: 'd1' }),
    seen(4, { type: 'answered' }, { id: 'm2', decision: 'd2' }),
    seen(5, { type: 'dawned' }),
  ];
  expect([...actsByDecision(events)]).toEqual([
    ['d1', [2, 3]],
    ['d2', [4]],
  ]);
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
