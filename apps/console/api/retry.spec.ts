import { describe, expect, it } from '@jest/globals';
import { ApiProblem } from './problem.ts';
import { retryPause, sendUntilAnswered } from './retry.ts';

describe('sendUntilAnswered', () => {
  it('sends again after failures that pass, and not after a refusal', async () => {
    const statuses = [0, 408, 429, 503, 403];
    const failures: number[] = [];
    const answer = sendUntilAnswered(
      async () => {
        throw new ApiProblem(statuses[failures.length]!, 'no');
      },
      { signal: new AbortController().signal, firstMs: 1, onFailure: ({ status }) => failures.push(status) },
    );
    await expect(answer).rejects.toThrow(expect.objectContaining({ status: 403 }));
    expect(failures).toEqual([0, 408, 429, 503]);
  });

  it('ends when nobody waits any more', async () => {
    const closing = new AbortController();
    const send = () => Promise.reject(new ApiProblem(0, 'no'));
    const answer = sendUntilAnswered(send, { signal: closing.signal, firstMs: 60_000, onFailure: () => closing.abort('left') });
    await expect(answer).rejects.toBe('left');
  });
});

it('retryPause doubles up to five seconds, follows the server, and differs among pages', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 99].map((failures) => retryPause(failures, undefined, 300, 0));
  expect(pauses).toEqual([300, 600, 1_200, 2_400, 4_800, 5_000, 5_000]);
  const starting = new ApiProblem(503, 'starting', '', 7_000);
  expect([0, 0.5, 1].map((random) => retryPause(1, starting, 300, random))).toEqual([7_000, 8_750, 10_500]);
});
