import { describe, expect, it } from '@jest/globals';
import { sleep } from './sleep.ts';

const never = new AbortController().signal;
const LONG_MS = 2 ** 40;

describe('sleep', () => {
  it('resolves after its time', async () => {
    await expect(sleep(1, never)).resolves.toBeUndefined();
  });

  it('ends early when it is woken, also beforehand', async () => {
    const wake = new AbortController();
    const sleeping = sleep(LONG_MS, never, wake.signal);
    wake.abort();
    await sleeping;
    await sleep(LONG_MS, never, wake.signal);
  });

  it('rejects with the reason of the abort', async () => {
    const over = new AbortController();
    const sleeping = sleep(LONG_MS, over.signal);
    over.abort(new Error('the phase is over'));
    await expect(sleeping).rejects.toThrow('the phase is over');
    await expect(sleep(1, over.signal, never)).rejects.toThrow('the phase is over');
  });
});
