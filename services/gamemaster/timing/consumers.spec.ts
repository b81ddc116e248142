import { beforeEach, describe, expect, it } from '@jest/globals';
import { consumers } from './consumers.ts';

describe('the watched consumers', () => {
  let now = 0;
  let watched = consumers(() => now);
  beforeEach(() => {
    now = 0;
    watched = consumers(() => now);
  });

  /** Time passes, with a beat each 200 ms; the processes named give signs of life. Returns what the last beat says. */
  const pass = (ms: number, counts: { readonly player?: number; readonly chatroom?: number }, ...alive: readonly string[]) => {
    let said: readonly string[] = [];
    for (const end = now + ms; now < end;) {
      now += 200;
      for (const replica of alive) watched.hear('player', replica);
      said = watched.consumed(counts);
    }
    return said;
  };

  it('are absent when one that the broker counts falls silent, until it is back or no longer counted', () => {
    const two = { player: 2, chatroom: 1 };
    expect(pass(1_000, two, 'a', 'b')).toEqual(['player', 'chatroom']);
    expect(pass(1_000, two, 'a')).toEqual(['player', 'chatroom']);
    expect(pass(200, two, 'a')).toEqual(['chatroom']);
    expect(pass(200, two, 'a', 'b')).toEqual(['player', 'chatroom']);
    expect(pass(20_000, two, 'a')).toEqual(['chatroom']);
    expect(pass(200, { player: 1, chatroom: 1 }, 'a')).toEqual(['player', 'chatroom']);
  });

  it('are there when a killed one is replaced', () => {
    const one = { player: 1 };
    pass(1_000, one, 'a');
    expect(pass(2_000, one, 'b')).toContain('player');
  });

  it('count as alive without a sign of life or a number', () => {
    expect(pass(5_000, { player: 2, chatroom: 0 })).toEqual(['player']);
    pass(1_000, {}, 'a');
    expect(pass(5_000, {})).toEqual(['player', 'chatroom']);
  });

  it('count as alive at the first beat after this gamemaster has stalled', () => {
    pass(1_000, { player: 1 }, 'a');
    now += 5_000;
    expect(watched.consumed({ player: 1 })).toContain('player');
    expect(pass(200, { player: 1 })).not.toContain('player');
  });
});
