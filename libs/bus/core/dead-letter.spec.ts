import { describe, expect, it } from '@jest/globals';
import { asDeadLetter, asNextAttempt, deadLetterOf, asFirstAttempt } from './dead-letter.ts';
import type { RawMessage } from './transport.ts';

const rawMessage: RawMessage = {
  body: Buffer.from('not even JSON'),
  id: 'm1',
  type: 'table.act',
  replyTo: 'r',
  correlationId: 'm1',
  headers: {
    'traceparent': '00-aa',
    'x-attempt': 3,
    'x-death': [{}],
    'x-first-death-queue': 'q',
    'x-delivery-count': 2,
    'x-acquired-count': 2,
  },
};
const why = { reason: 'failed', error: 'e'.repeat(2000), queue: 'gamemaster', at: 1_767_225_600_123, attempts: 3 };

describe('a dead letter', () => {
  it('has the reason in its headers and the same body', () => {
    const dead = asDeadLetter(rawMessage, why);
    expect(dead).toMatchObject({ body: rawMessage.body, id: 'm1', type: 'table.act', replyTo: 'r', correlationId: 'm1' });
    expect(dead.headers).toEqual({
      'traceparent': '00-aa',
      'x-attempt': 3,
      'x-reason': 'failed',
      'x-error': 'e'.repeat(500),
      'x-queue': 'gamemaster',
      'x-at': '2026-01-01T00:00:00.123Z',
      'x-attempts': 3,
    });
    expect(deadLetterOf(dead, 'elsewhere')).toEqual({ ...why, error: 'e'.repeat(500), id: 'm1', type: 'table.act', body: rawMessage.body });
  });

  it('loses these headers when it is sent again', () => {
    expect(asFirstAttempt(asDeadLetter(rawMessage, why), undefined).headers).toEqual({ traceparent: '00-aa' });
    expect(asNextAttempt(rawMessage, 4, undefined).headers).toEqual({ 'traceparent': '00-aa', 'x-attempt': 4 });
  });

  it('of the broker is read from the x-death header', () => {
    const death = { reason: 'delivery_limit', queue: 'gamemaster', time: { '!': 'timestamp', 'value': 1_767_225_600 }, count: 1 };
    expect(deadLetterOf({ ...rawMessage, headers: { 'x-death': [death] } }, 'q')).toMatchObject({
      reason: 'delivery-limit',
      queue: 'gamemaster',
      at: 1_767_225_600_000,
      attempts: 0,
      error: expect.stringMatching(/too many deliveries/),
    });
  });

  it('without an id gets one from its bytes', () => {
    const [a, b] = ['x', 'y'].map((text) => deadLetterOf({ body: Buffer.from(text), headers: {} }, 'q'));
    expect(a).toMatchObject({ type: 'unknown', queue: 'q', reason: 'unknown', error: '', at: 0, attempts: 0 });
    expect(a!.id).toMatch(/^sha256:[0-9a-f]{16}$/);
    expect(a!.id).not.toBe(b!.id);
  });
});
