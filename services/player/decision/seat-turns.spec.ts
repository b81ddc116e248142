import { describe, expect, it } from '@jest/globals';
import { seatTurns } from './seat-turns.ts';

/** A run that lasts until it is ended, or let go. */
function run() {
  const gate = Promise.withResolvers<void>();
  let over: AbortController | undefined;
  return {
    go: async (given: AbortController) => {
      over = given;
      given.signal.addEventListener('abort', () => gate.resolve());
      await gate.promise;
    },
    letGo: gate.resolve,
    fail: gate.reject,
    get hasBegun() {
      return over !== undefined;
    },
    get isEnded() {
      return over?.signal.aborted === true;
    },
  };
}
const taking = (sequence: number, id = `m${sequence}`, seat = 't1:0') => ({ seat, id, sequence });

describe('seatTurns', () => {
  it('ends the running decision before it starts a newer one', async () => {
    const { take } = seatTurns();
    const [old, young] = [run(), run()];
    const first = take(taking(1), old.go);
    const second = take(taking(2), young.go);
    await first;
    expect(old.isEnded).toBe(true);
    young.letGo();
    await second;
    expect(young.isEnded).toBe(false);
  });

  it('drops a decision older than the running one', async () => {
    const { take } = seatTurns();
    const [young, old] = [run(), run()];
    const first = take(taking(2), young.go);
    await take(taking(1), old.go);
    expect(old.hasBegun).toBe(false);
    expect(young.isEnded).toBe(false);
    young.letGo();
    await first;
  });

  it('restarts a redelivered decision', async () => {
    const { take } = seatTurns();
    const [once, again] = [run(), run()];
    const first = take(taking(1), once.go);
    const second = take(taking(1), again.go);
    await first;
    expect(once.isEnded).toBe(true);
    again.letGo();
    await second;
    expect(again.hasBegun).toBe(true);
  });

  it('runs one of two decisions with equal sequence after the other', async () => {
    const { take } = seatTurns();
    const [one, two] = [run(), run()];
    const first = take(taking(1, 'a'), one.go);
    const second = take(taking(1, 'b'), two.go);
    expect(two.hasBegun).toBe(false);
    one.letGo();
    await first;
    two.letGo();
    await second;
    expect(two.hasBegun).toBe(true);
    expect(one.isEnded).toBe(false);
  });

  it('frees the seat after a failure', async () => {
    const { take } = seatTurns();
    const [bad, good] = [run(), run()];
    const first = take(taking(1), bad.go);
    bad.fail(new Error('broken'));
    await expect(first).rejects.toThrow('broken');
    good.letGo();
    await take(taking(1), good.go);
    expect(good.hasBegun).toBe(true);
  });

  it('runs different seats concurrently', async () => {
    const { take } = seatTurns();
    const [mine, theirs] = [run(), run()];
    const first = take(taking(1), mine.go);
    const second = take(taking(9, 'm9', 't1:1'), theirs.go);
    expect(mine.isEnded).toBe(false);
    mine.letGo();
    theirs.letGo();
    await Promise.all([first, second]);
  });
});
