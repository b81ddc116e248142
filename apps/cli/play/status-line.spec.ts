import { describe, expect, it } from '@jest/globals';
import { createPaint } from '../transcript.ts';
import { newStanding, type Standing, statusRows, updateStanding } from './status-line.ts';

describe('the status', () => {
  const view = (standing: Standing, more: object = {}) => ({
    standing,
    questions: { asked: [], brief: '', alive: [true, true, true] },
    names: ['Ann', 'Bo'],
    seat: 0,
    isAway: false,
    isLost: false,
    idleUntil: undefined,
    now: 0,
    paint: createPaint(false),
    ...more,
  });
  const opened = { type: 'opened', opening: { rules: 'maw', rounds: 1, seats: [{}, {}, {}], options: {} } };

  it('says that the table is paused, and stands still with the time that was left', () => {
    const clock = { now: 0, phase: 'round-1/day-1', until: 60_000 };
    const rows = (now: number, more: object = {}) => statusRows(view({ ...newStanding(), clock: { ...clock, ...more } }, { now }), 200);
    const [before] = rows(20_000);
    expect(before).toBe(' at most 0:40 left · day 1 · 2 of 2 alive: Ann, Bo ');
    expect(rows(500_000, { pausedSince: 20_000 })).toEqual([
      before!.replace(' ', ' paused · '),
      expect.stringContaining('The table is paused'),
    ]);
  });

  it('of the lobby tells who is here, and when the game begins at the latest', () => {
    const standing = newStanding();
    updateStanding(standing, { n: 1, at: 0, event: opened }, 0);
    standing.clock = { now: 0, phase: 'lobby-0', until: 65_000 };
    const rows = statusRows(view(standing), 200);
    expect(rows).toEqual([
      ' begins in 1:05 at the latest · 2 of 3 are here: Ann, Bo ',
      'The game begins when everybody is here. /help lists what you can type.',
    ]);
  });

  it('names a night of which the seat is asked nothing, with the time that everybody knows', () => {
    const opening = { ...opened.opening, rounds: 1 };
    const standing = { ...newStanding(), phase: 'day 1', opening, clock: { now: 0, phase: 'round-1/night-1', until: 45_000 } };
    const [first, second] = statusRows(view(standing), 200);
    expect(first).toBe(' at most 0:45 left · night 1 · 2 of 2 alive: Ann, Bo ');
    expect(second).toMatch(/^It is night: /);
  });

  it('shows the clock that ends the turn, and what a key changes', () => {
    const turn = { id: 'round-1/day-1/turn-0/talk', until: 90_000, verb: 'say', options: [], pick: 1, final: true, maxChars: 1 } as const;
    const questions = { asked: [turn], brief: '', alive: [true, true] };
    const at = (idleUntil: number | undefined) => statusRows(view(newStanding(), { questions, idleUntil }), 200)[0];
    expect(at(30_000)).toContain(' 0:30 left, 1:30 once you press a key · ');
    expect(at(undefined)).toContain(' 1:30 left · ');
    expect(at(100_000)).toContain(' 1:30 left · ');
  });
});
