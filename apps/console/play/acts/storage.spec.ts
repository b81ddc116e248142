import { expect, it } from '@jest/globals';
import { seatStorage } from './storage.ts';
import { memoryStorage } from './memory-storage.suite.ts';

const DAY_MS = 86_400_000;
const act = { question: 'round-1/day-1/vote', path: '/tables/:table/acts', body: { question: 'q', says: ['seat:1'] }, key: 'k' } as const;

it('keeps drafts and sent acts over a reload, for their seat and question only', () => {
  const store = memoryStorage();
  const before = seatStorage(store, 't', 0, () => 1);
  before.setDraft('round-1/day-1/talk', 'I think');
  before.setSent(act.question, act);
  const after = seatStorage(store, 't', 0, () => 2);
  expect(after.draft('round-1/day-1/talk')).toBe('I think');
  expect(after.sent()).toEqual([expect.objectContaining(act)]);
  const others = [seatStorage(store, 't', 1, () => 2), seatStorage(store, 'u', 0, () => 2)];
  for (const other of others) expect([other.draft('round-1/day-1/talk'), other.sent()]).toEqual(['', []]);
});

it('brings back the newest unsent text of the same room, never that of the night by day', () => {
  const seat = seatStorage(memoryStorage(), 't', 0, () => 1);
  seat.setDraft('round-1/night-1/talk', 'let us kill Bo');
  seat.setDraft('round-1/day-1/talk', 'I think');
  expect(seat.unsent('round-1/day-2/talk')).toBe('I think');
  expect(seat.unsent('round-1/night-2/talk')).toBe('let us kill Bo');
  expect(seat.unsent('round-1/day-1/talk')).toBeUndefined();
});

it('forgets everything of a seat whose table is over, and of any table after a week', () => {
  const store = memoryStorage();
  for (const table of ['t', 'u']) seatStorage(store, table, 0, () => 0).setDraft('d/talk', 'words');
  seatStorage(store, 't', 0, () => 1).clear();
  expect([seatStorage(store, 't', 0, () => 1).draft('d/talk'), seatStorage(store, 'u', 0, () => 1).draft('d/talk')]).toEqual(['', 'words']);
  expect(seatStorage(store, 'u', 0, () => 8 * DAY_MS).draft('d/talk')).toBe('');
});

it('goes on when nothing can be stored, or something else was', () => {
  const store = memoryStorage();
  store.setItem('maw.play.t.0.draft.d/talk', '{');
  const full = Object.assign(store, {
    setItem() {
      throw new Error('full');
    },
  });
  const seat = seatStorage(full, 't', 0, () => 1);
  seat.setDraft('d/talk', 'words');
  expect(seat.draft('d/talk')).toBe('');
});
