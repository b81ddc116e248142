import { describe, expect, it } from '@jest/globals';
import { pollUntilReady, retryOnPortConflict } from './start-supervised.ts';

const refused = () => Promise.reject(new Error('refused'));

describe('starting a server', () => {
  it('polls until the server answers', async () => {
    let asked = 0;
    const ask = async () => {
      if (++asked < 3) throw new Error('not yet');
      return asked;
    };
    expect(await pollUntilReady(ask, 60_000)).toBe(3);
  });

  it('fails with the last error at the timeout, and at once when the process ended', async () => {
    await expect(pollUntilReady(refused, 0)).rejects.toThrow('refused');
    await expect(pollUntilReady(refused, 60_000, () => 'it ended by itself')).rejects.toThrow('it ended by itself');
  });

  it('retries three times after a port conflict, and never after another error', async () => {
    let opened = 0;
    const opening = (message: string) => () => Promise.reject(new Error(`${message} ${++opened}`));
    await expect(retryOnPortConflict(opening('{error,eaddrinuse}'))).rejects.toThrow('3');
    opened = 0;
    await expect(retryOnPortConflict(opening('no space left'))).rejects.toThrow('1');
  });
});
