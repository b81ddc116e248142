import { describe, expect, it } from '@jest/globals';
import { completed, doneBetween, linesKept } from './work-counters.ts';

describe('what a service has done', () => {
  it('is read from its metrics page, without other metrics', () => {
    const page = [
      'maw_messages_taken_total{service="chatroom",sender="gamemaster",type="room.said",outcome="done"} 5',
      'maw_messages_taken_total{service="chatroom",sender="-",type="room.said",outcome="done"} 1',
      'maw_messages_taken_total{service="chatroom",sender="gamemaster",type="room.said",outcome="retried"} 50',
      'maw_messages_taken_total{service="chatroom",sender="player",type="room.speak",outcome="done"} 500',
      'maw_completions_total{model="m",outcome="done"} 7',
      'maw_completions_total{model="n",outcome="done"} 2',
      'maw_completions_total{model="m",outcome="late"} 70',
    ].join('\n');
    expect(linesKept(page)).toBe(6);
    expect(completed(page)).toBe(9);
    expect(linesKept('')).toBe(0);
  });

  it('between two readings is their difference, and zero without the first', () => {
    expect(doneBetween({ count: 4, asked: 1_000 }, { count: 9, asked: 1_100 })).toEqual({ done: 5, since: 1_000 });
    expect(doneBetween({ count: 4, asked: 1_000 }, { count: 4, asked: 1_100 })).toEqual({ done: 0, since: 1_000 });
    expect(doneBetween(undefined, { count: 9, asked: 1_100 })).toEqual({ done: 0, since: 1_100 });
  });

  it('of a restarted process is its full count', () => {
    expect(doneBetween({ count: 4, asked: 1_000 }, { count: 3, asked: 1_100 })).toEqual({ done: 3, since: 1_100 });
  });
});
