import { expect, it } from '@jest/globals';
import * as conventions from '@opentelemetry/semantic-conventions/incubating';
import type { ThoughtStep } from './recorded-thoughts.ts';
import { type ThoughtEvent, thoughtEvents } from './thought-events.ts';

const decision = { n: 7, seat: 2, decision: 't1/W4', phase: 'round-1/day-1', began: 1, ended: 9, steps: 2 };
const request = { messages: [{ role: 'system', content: 'Play to win.' }], format: {}, temperature: 0.3, seed: 5, maxTokens: 100 };
const reply = { content: '{"do":"listen"}', thinking: 'Hm.', model: 'm', tokens: { prompt: 12, completion: 3 }, reason: 'length', repaired: true }; // prettier-ignore
const step: ThoughtStep = {
  step: 2,
  kind: 'act',
  name: 'decide',
  at: 3_000,
  content: {
    phase: 'round-1/day-1',
    recipe: 'xu',
    parameters: { K: 15 },
    iteration: 0,
    ms: 900,
    answers: [],
    error: 'no reply fits',
    calls: [
      { ...request, at: 2_100, ms: 500, reply },
      { ...request, at: 2_600, ms: 300, failed: 'late: no time is left' },
      { messages: [], embed: 4, at: 2_900, ms: 100, model: 'e' },
    ],
  },
};
const events = thoughtEvents({ table: 't1', name: 'Ann', decision }, step);

it('writes each call as an event of the GenAI conventions', () => {
  const [call, failed, embedding] = events as [ThoughtEvent, ThoughtEvent, ThoughtEvent];
  expect(call).toMatchObject({ timestamp: '1970-01-01T00:00:02.600Z', event_name: 'gen_ai.client.inference.operation.details' });
  expect(call.attributes).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.conversation.id': 't1',
    'gen_ai.agent.id': 't1:2',
    'gen_ai.agent.name': 'Ann',
    'gen_ai.request.seed': 5,
    'gen_ai.request.temperature': 0.3,
    'gen_ai.request.max_tokens': 100,
    'gen_ai.output.type': 'json',
    'gen_ai.input.messages': [{ role: 'system', parts: [{ type: 'text', content: 'Play to win.' }] }],
    'gen_ai.output.messages': [
      { role: 'assistant', parts: [{ type: 'reasoning', content: 'Hm.' }, { type: 'text', content: '{"do":"listen"}' }], finish_reason: 'length' }, // prettier-ignore
    ],
    'gen_ai.response.model': 'm',
    'gen_ai.response.finish_reasons': ['length'],
    'gen_ai.usage.input_tokens': 12,
    'gen_ai.usage.output_tokens': 3,
    'maw.reply.repaired': true,
  });
  expect(failed.attributes).toMatchObject({ 'error.type': 'late', 'error.message': 'late: no time is left', 'maw.duration_ms': 300 });
  expect(embedding.attributes).toMatchObject({ 'gen_ai.operation.name': 'embeddings', 'gen_ai.request.model': 'e', 'maw.embeddings': 4 });
});

it('has every name from the conventions, or under maw', () => {
  const known = new Set<unknown>(Object.values(conventions));
  for (const { event_name: name, attributes } of events)
    for (const each of [name, ...Object.keys(attributes)]) expect(each.startsWith('maw.') || known.has(each) ? '' : each).toBe('');
});

it('writes what came of the step last, in the trace of its decision', () => {
  const last = events.at(-1)!;
  expect(last).toMatchObject({ event_name: 'maw.mind.step', timestamp: '1970-01-01T00:00:03.000Z' });
  expect(last.attributes).toMatchObject({
    'maw.recipe': 'xu',
    'maw.step': 'decide',
    'maw.decision.number': 7,
    'error.type': '_OTHER',
    'maw.step.result': { parameters: { K: 15 }, answers: [] },
  });
  expect(new Set(events.map((event) => event.trace_id)).size).toBe(1);
  expect(new Set(events.map((event) => event.span_id)).size).toBe(4);
  expect(`${last.trace_id} ${last.span_id}`).toMatch(/^[0-9a-f]{32} [0-9a-f]{16}$/);
});
