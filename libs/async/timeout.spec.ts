import { describe, expect, it } from '@jest/globals';
import { type StartTimer, TimeoutError, withTimeout } from './timeout.ts';

const never = new Promise<never>(() => {});

/** A timer that fires when told to. */
function manualTimer() {
  const state = { fire: (): void => {}, ms: 0, isCancelled: false };
  const startTimer: StartTimer = (run, ms) => {
    Object.assign(state, { fire: run, ms });
    return () => void (state.isCancelled = true);
  };
  return { state, startTimer };
}

describe('withTimeout', () => {
  it('resolves or rejects as the work does and cancels the timer', async () => {
    const { state, startTimer } = manualTimer();
    expect(await withTimeout(5, Promise.resolve('done'), { startTimer })).toBe('done');
    expect(state).toMatchObject({ ms: 5, isCancelled: true });
    await expect(withTimeout(5, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  });

  it('rejects with a TimeoutError and aborts the signal of the work', async () => {
    const { state, startTimer } = manualTimer();
    let signal: AbortSignal | undefined;
    const work = (given: AbortSignal) => ((signal = given), never);
    const result = withTimeout(20, work, { startTimer, what: 'closing the channel' });
    state.fire();
    await expect(result).rejects.toEqual(new TimeoutError(20, 'closing the channel'));
    await expect(result).rejects.toThrow('closing the channel timed out after 20 ms');
    expect(signal?.reason).toBeInstanceOf(TimeoutError);
  });

  it('resolves with the value of onTimeout instead', async () => {
    expect(await withTimeout(1, never, { onTimeout: () => 'late' })).toBe('late');
  });

  it('supports delays longer than the maximum of a timer', async () => {
    const work = new Promise((resolve) => setTimeout(resolve, 5, 'done'));
    expect(await withTimeout(Infinity, work)).toBe('done');
  });
});
