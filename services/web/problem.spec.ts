import { describe, expect, it } from '@jest/globals';
import { RequestTimeout } from '@maw/bus/bus.ts';
import { Problem, problemOf } from './problem.ts';

describe('problemOf', () => {
  it.each([undefined, null, 'text', 400, { status: 400 }, new Error('x'), Object.assign(new Error('x'), { status: 500 })])(
    'takes %p for an internal error',
    (thrown) => {
      expect(problemOf(thrown)).toBeUndefined();
    },
  );

  it('keeps problems, and maps timeouts and unreadable requests', () => {
    const problem = new Problem('dead', 'the seat is dead');
    expect(problemOf(problem)).toBe(problem);
    expect(problemOf(new RequestTimeout('late'))).toMatchObject({ reason: 'late', status: 504 });
    for (const error of [new URIError('x'), Object.assign(new Error('x'), { status: 400 })])
      expect(problemOf(error)).toMatchObject({ reason: 'unreadable', status: 400 });
  });
});
