import { describe, expect, it } from '@jest/globals';
import { createPaint } from '../transcript.ts';
import { newStanding, type Standing, statusRows, updateStanding } from './status-line.ts';

it('the status says that the table is paused, and counts on with the time that was left', () => {
  const standing = newStanding();
  const happen = (at: number, event: { readonly type: string; readonly [field: string]: unknown }) =>
    updateStanding(standing, { n: 1, at, event }, 0);
  const rows = (now: number) => {
    const questions = { asked: [], brief: '', alive: [true, true], life: 'Awake' };
    return statusRows(
      {
        standing,
        questions,
        names: ['Ann', 'Bo'],
        seat: 0,
        isAway: false,
        isLost: false,
        idleUntil: undefined,
        now,
        paint: createPaint(false),
      },
      200,
    );
  };
  const question = { id: 'round-1/day-1/vote', of: [0, 1], inTurn: false, turnMs: 0, until: 60_000 };
  happen(0, { type: 'asked', question });
  const before = rows(20_000)[0];
  happen(20_000, { type: 'paused', at: 20_000, until: 1e9 });
  expect(rows(500_000)).toEqual([before!.replace(' ', ' paused · '), expect.stringContaining('The table is paused')]);
  happen(500_000, { type: 'resumed', ms: 480_000, at: 500_000 });
  expect(rows(500_000)[0]).toBe(before);
});

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
  const opened = { type: 'opened', opening: { rounds: 1, seats: [{}, {}, {}], options: {} } };

  it('of the lobby tells who is here, and when the game begins at the latest', () => {
    const standing = newStanding();
    updateStanding(standing, { n: 1, at: 0, event: opened }, 0);
    const question = { id: 'lobby-0/lobby', of: [], inTurn: false, turnMs: 0, until: 65_000 };
    updateStanding(standing, { n: 2, at: 0, event: { type: 'asked', question } }, 0);
    const rows = statusRows(view(standing), 200);
    expect(rows).toEqual([
      ' begins in 1:05 at the latest · 2 of 3 are here: Ann, Bo ',
      'The game begins when everybody is here. /help lists what you can type.',
    ]);
  });

  it('names a night of which the seat is asked nothing, with the time that everybody knows', () => {
    const standing = { ...newStanding(), phase: 'day 1', clock: { now: 0, phase: 'round-1/night-1', until: 45_000 } };
    const [first, second] = statusRows(view(standing), 200);
    expect(first).toBe(' 0:45 left · night 1 · 2 of 2 alive: Ann, Bo ');
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
