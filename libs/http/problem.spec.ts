import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { fieldErrors, HttpProblem, problemDocument, retryAfter } from './problem.ts';

const kind = { reason: 'too-fast', status: 429, title: 'Too fast' } as const;

describe('problemDocument', () => {
  it('holds the members of RFC 9457, the reason, and what is known besides', () => {
    const errors = [{ field: 'a', says: 'wrong' }];
    expect(problemDocument(new HttpProblem(kind, 'wait', { errors }), 'urn:uuid:1')).toEqual({
      type: 'urn:maw:reason:too-fast',
      title: 'Too fast',
      status: 429,
      detail: 'wait',
      reason: 'too-fast',
      errors,
      instance: 'urn:uuid:1',
    });
  });

  it('falls back to the title, and leaves out what is not given', () => {
    const document = problemDocument(new HttpProblem(kind, ''));
    expect(document.detail).toBe('Too fast.');
    expect(Object.keys(document)).toEqual(['type', 'title', 'status', 'detail', 'reason']);
  });
});

describe('retryAfter', () => {
  it('rounds up to whole seconds, at least one', () => {
    expect([0, 1, 1_000, 1_001].map((ms) => retryAfter(ms)['Retry-After'])).toEqual(['1', '1', '1', '2']);
  });
});

describe('fieldErrors', () => {
  it('names every wrong field by its path, and unknown fields one by one', () => {
    const schema = z.strictObject({ seats: z.array(z.strictObject({ kind: z.string('a text') })) });
    const errorsIn = (value: unknown) => fieldErrors(schema.safeParse(value).error!);
    expect(errorsIn({ seats: [{ kind: 1, x: 1, y: 2 }] })).toEqual([
      { field: 'seats.0.kind', says: 'a text' },
      { field: 'seats.0.x', says: 'unknown field' },
      { field: 'seats.0.y', says: 'unknown field' },
    ]);
    expect(errorsIn(1)).toEqual([expect.objectContaining({ field: 'body' })]);
  });
});
