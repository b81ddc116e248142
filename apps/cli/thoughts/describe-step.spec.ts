import { expect, it } from '@jest/globals';
import type { ThoughtStep } from '@maw/lab/thoughts/recorded-thoughts.ts';
import { describeStep } from './describe-step.ts';

const step = (n: number, content: ThoughtStep['content']): ThoughtStep => ({ step: n, kind: 'act', name: 'decide', at: 1, content });
const rules = { role: 'system', content: 'Play to win.\nYou are Ann.' };
const reply = { content: '{"do":"listen"}', model: 'm', server: 'gpu:1', tokens: { prompt: 12, completion: 3 }, times: { total: 61.4 } };

it('shows what the model saw and replied, and does not repeat messages that were shown', () => {
  const shown = new Map<string, number>();
  expect(describeStep(step(1, { calls: [{ messages: [rules], reply }], ms: 80, iteration: 0, answers: [] }), shown)).toEqual([
    '',
    '1. act decide, 80 ms, thought 1',
    '   the model saw (12 tokens):',
    '     system:',
    '       Play to win.',
    '       You are Ann.',
    '   m replied (3 tokens, 61 ms, gpu:1):',
    '       {"do":"listen"}',
  ]);
  const news = { role: 'user', content: 'Day 2.' };
  const second = describeStep(step(2, { calls: [{ messages: [rules, news], failed: 'late: no time' }], error: 'no model' }), shown);
  expect(second.slice(2)).toEqual([
    '   the model saw:',
    '     system: as in step 1',
    '     user:',
    '       Day 2.',
    '   no reply: late: no time',
    '   failed: no model',
  ]);
});

it('shows other results, and nothing that could move the cursor', () => {
  const lines = describeStep(step(1, { unread: ['Day\u001b[2J 1.'], plan: 'wait', beliefs: { 'seat:3': 0.7 } }));
  expect(lines.slice(2)).toEqual(['   unread:', '     Day 1.', '   plan: wait', '   beliefs: {"seat:3":0.7}']);
});

it('shows calls for embeddings, which have no messages', () => {
  const calls = [{ messages: [], embed: 12 }, { messages: [], embed: 3, failed: 'no-server: none' }]; // prettier-ignore
  expect(describeStep(step(1, { calls })).slice(2)).toEqual(['   12 texts to embed', '   3 texts to embed, in vain: no-server: none']);
});
