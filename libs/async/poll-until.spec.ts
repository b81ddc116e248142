import { describe, expect, it } from '@jest/globals';
import { pollUntil } from './poll-until.ts';
import { TimeoutError } from './timeout.ts';

const once = { timeoutMs: 0 } as const;

describe('pollUntil', () => {
  it('resolves with the first truthy value, of a promise too', async () => {
    const values = [undefined, false, null, 0, '', 'found', 'more'];
    expect(await pollUntil('a value is there', async () => values.shift(), { everyMs: 0 })).toBe('found');
    expect(values).toEqual(['more']);
  });

  it('fails at the deadline, naming the condition and the last value', async () => {
    const count = pollUntil('the queue is long', () => 0, once);
    await expect(count).rejects.toThrow('waiting until the queue is long timed out after 0 ms; last seen: 0');
    await expect(count).rejects.toBeInstanceOf(TimeoutError);
    const shown = pollUntil('it is so', () => false, { ...once, lastSeen: () => ({ length: 3 }) });
    await expect(shown).rejects.toThrow('last seen: { length: 3 }');
  });

  it('looks less often the longer it waits', async () => {
    let looks = 0;
    await expect(pollUntil('it is so', () => void looks++, { timeoutMs: 200 })).rejects.toThrow('timed out');
    expect(looks).toBeLessThan(33); // 40 with a pause of 5 ms
  });

  it('rethrows an error of the probe at once', async () => {
    const throwing = () => Promise.reject(new Error('broken'));
    await expect(pollUntil('it is so', throwing)).rejects.toThrow('broken');
  });

  it('can retry a probe that throws, and keeps the error as cause', async () => {
    let calls = 0;
    const second = () => (++calls === 2 ? calls : Promise.reject(new Error('not yet')));
    expect(await pollUntil('it is so', second, { retryErrors: true })).toBe(2);
    const cause = new Error('not yet');
    const never = pollUntil('it is so', () => Promise.reject(cause), { ...once, retryErrors: true });
    await expect(never).rejects.toMatchObject({ cause, message: expect.stringContaining('last seen: Error: not yet') });
  });

  it('ends with the reason of the abort, during a pause too', async () => {
    const abort = new AbortController();
    const polling = pollUntil('it is so', () => abort.abort(new Error('stopped')), { everyMs: 60_000, signal: abort.signal });
    await expect(polling).rejects.toThrow('stopped');
    await expect(pollUntil('it is so', () => true, { signal: abort.signal })).rejects.toThrow('stopped');
  });
});
