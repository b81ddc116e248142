import { expect, it } from '@jest/globals';
import { placeName } from './place-name.ts';

it('says phases and questions in words, without the first round', () => {
  expect(
    ['lobby-0', 'round-1/day-2', 'round-2/night-1', 'round-1/quest-3/team', 'round-1/night', undefined].map((id) => placeName(id)),
  ).toEqual(['Lobby', 'Day 2', 'Round 2, night 1', 'Quest 3, team', 'Night', '']);
});
