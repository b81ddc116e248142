import { describe, expect, it } from '@jest/globals';
import { storm } from './gateway-storm.ts';

describe('a gateway after a storm', () => {
  it('has nothing left of it: no slot, no line, no timer, no count; and everybody has heard once what came of it', async () => {
    const { wrong, heard, remembered, closes } = await storm({ requests: 1_500, seed: 'leaks', signal: new AbortController().signal });
    expect(wrong).toEqual([]);
    // It was a storm.
    for (const what of ['done', 'failed', 'late', 'limited', 'no-server', 'unreadable', 'invalid-answer'])
      expect([what, (heard[what] ?? 0) > 0]).toEqual([what, true]);
    expect([closes.prefill > 0, closes.streaming > 0]).toEqual([true, true]);
    expect(remembered.outcomes).toBeLessThanOrEqual(5_000);
  }, 60_000);
});
