import { describe, expect, it } from '@jest/globals';
import { unlessAborted, whenAborted } from './abort.ts';

describe('unlessAborted', () => {
  it('resolves or rejects as the promise does while the signal is not aborted', async () => {
    const { signal } = new AbortController();
    expect(await unlessAborted(Promise.resolve(1), signal)).toBe(1);
    await expect(unlessAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
  });

  it('rejects with the reason of the abort, however the promise settles', async () => {
    const abort = new AbortController();
    const { promise, reject } = Promise.withResolvers<never>();
    const result = unlessAborted(promise, abort.signal);
    abort.abort(new Error('stopped'));
    await expect(result).rejects.toThrow('stopped');
    reject(new Error('nobody may be bothered by this'));
  });

  it('rejects when the signal is aborted already, even if the promise is resolved or rejected', async () => {
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(unlessAborted(Promise.resolve(1), signal)).rejects.toThrow('stopped');
    await expect(unlessAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('stopped');
  });
});

describe('whenAborted', () => {
  it('resolves when the signal is aborted, or is already', async () => {
    const abort = new AbortController();
    const aborted = whenAborted(abort.signal);
    abort.abort();
    await aborted;
    await whenAborted(abort.signal);
  });
});
