import { describe, expect, it } from '@jest/globals';
import { stressGateway } from './stress.ts';

const KINDS = ['done', 'failed', 'late', 'limited', 'no-server', 'unreadable', 'invalid-answer'];

describe('a gateway under every fault', () => {
  it('leaks no slot, timer or count, and answers every request once', async () => {
    const seen = new Set<string>();
    const missing = (): readonly string[] => [...KINDS, 'given up at the prompt', 'given up at the answer'].filter((one) => !seen.has(one));
    // Which faults occur depends on the load of the machine: repeated until each has occurred.
    for (let n = 0; n === 0 || (n < 8 && missing().length > 0); n++) {
      const { wrong, heard, closes } = await stressGateway({
        requests: 600,
        seed: `leaks ${n}`,
        signal: new AbortController().signal,
      });
      expect(wrong).toEqual([]);
      for (const what of Object.keys(heard)) seen.add(what);
      if (closes.prefill > 0) seen.add('given up at the prompt');
      if (closes.streaming > 0) seen.add('given up at the answer');
    }
    expect(missing()).toEqual([]);
  }, 600_000);
});
