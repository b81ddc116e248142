import { expect, it } from '@jest/globals';
import type { Moment } from '../moment.ts';
import { newRecord, recordNews } from './record.ts';

const players = ['Ann', 'Ben', 'Cleo', 'Dan'].map((name, seat) => ({ seat, name, alive: true }));
const moment = { seat: 3, players } as unknown as Moment;
type Said = readonly [room: string, by: number, speech: string];
const after = (...said: readonly Said[]) =>
  said.reduce(
    (known, [room, by, speech], line) => recordNews(known, { room: `round-0/day-1/${room}`, line, by, speech }, moment),
    newRecord(0, true),
  );

it('takes a Seer without a result for one, until there is a result', () => {
  const bare: Said = ['Village', 0, 'im the seer'];
  expect(after(bare, bare).claims).toEqual([{ by: 0, about: 0, isWolf: false }]);
  expect(after(bare, ['Village', 0, 'im seer, ben is wolf'], bare).claims).toEqual([{ by: 0, about: 1, isWolf: true }]);
});

it('knows what was whispered, and that nobody else has heard it', () => {
  const whisper: Said = ['Whisper', 0, 'im seer, ben is wolf'];
  const { claims, days } = after(whisper, ['Whisper', 2, 'ben is a wolf']);
  expect(claims).toEqual([{ by: 0, about: 1, isWolf: true, isPrivate: true }]);
  expect(days).toEqual({});
  expect(after(whisper, ['Village', 0, 'im seer, ben is wolf'], whisper).claims).toEqual([{ by: 0, about: 1, isWolf: true }]);
});
