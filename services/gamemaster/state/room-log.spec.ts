import { expect, it } from '@jest/globals';
import { ballot, chat, type Question, whispers } from '@maw/games/kernel/question.ts';
import { roomFor } from './room-log.ts';

const UNTIL = 1;

it.each<[string, Question, string | undefined]>([
  ['of its phase where all speak', chat('round-1/day-1/talk', [0, 1], UNTIL, { room: 'Village' }), 'round-1/day-1/Village'],
  ['of its own where seats whisper', whispers('round-1/day-2/whisper', [0, 1], UNTIL, { room: 'Whisper' }), 'round-1/day-2/Whisper-1'],
  ['nowhere without a room', ballot('round-1/day-1/vote', [0, 1], ['seat:0'], UNTIL), undefined],
])('a seat hears about a question in the room %s', (_, question, room) => {
  expect(roomFor(question, 1)).toBe(room);
});
