import { describe, expect, it } from '@jest/globals';
import { tableEvents } from './table-events.ts';
import { wakeUp, sleep } from '../sleep.ts';

const listener = () => {
  const rang: string[] = [];
  return {
    rang,
    closed: (questions: readonly string[]) => void rang.push(`closed ${questions.join(' ')}`),
    phaseChanged: () => void rang.push('phaseChanged'),
    roomChanged: (room: string) => void rang.push(`line ${room}`),
  };
};
const moved = (phase: string, ...closed: string[]) => ({ stage: 'round' as const, phase, closed });

describe('the doorbells', () => {
  it('tell what is closed, and when the phase is another one', () => {
    const all = tableEvents();
    const mine = listener();
    all.moved('t1', moved('day-1'));
    all.listen('t1', mine);
    all.moved('t1', moved('day-1'));
    all.moved('t1', moved('day-1', 'q'));
    all.moved('t1', moved('', 'r'));
    all.line('t1', 'Village');
    expect(mine.rang).toEqual(['closed q', 'closed r', 'phaseChanged', 'line Village']);
  });

  it('count the first phase that is heard of as another one, for what was before is not known', () => {
    const all = tableEvents();
    const mine = listener();
    all.listen('t1', mine);
    all.moved('t1', moved('day-1'));
    expect(mine.rang).toEqual(['phaseChanged']);
  });

  it('ring at their own table, and no longer for who has left', () => {
    const all = tableEvents();
    const [mine, other] = [listener(), listener()];
    const leave = all.listen('t1', mine);
    all.listen('t2', other);
    all.line('t1', 'a');
    leave();
    leave();
    all.line('t1', 'b');
    expect([mine.rang, other.rang]).toEqual([['line a'], []]);
  });
});

describe('a pause', () => {
  const open = new AbortController().signal;
  it('ends when its time has come', async () => {
    await expect(sleep(1, open)).resolves.toBeUndefined();
  });

  it('ends early when the bell rings, or has rung', async () => {
    const early = wakeUp();
    const waiting = sleep(2 ** 40, open, early);
    early.trigger();
    await waiting;
    await sleep(2 ** 40, open, early);
  });

  it('throws what it is stopped with', async () => {
    const over = new AbortController();
    const waiting = sleep(2 ** 40, over.signal);
    over.abort(new Error('the phase is over'));
    await expect(waiting).rejects.toThrow('the phase is over');
    await expect(sleep(1, over.signal, wakeUp())).rejects.toThrow('the phase is over');
  });
});
